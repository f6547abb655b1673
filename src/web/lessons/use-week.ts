import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { weekOfAppointments } from '../data/appointments.ts'
import { usePendingWrites, withExpected } from '../data/pending-writes.ts'

/** Returns the lessons of a day's ISO week with pending writes applied. */
export function useWeek(date: LocalDate) {
  // Named one by one: spreading the result would rerender the board at every fetch.
  const { data, error, isError, refetch } = useQuery(weekOfAppointments(mondayOf(date)))
  const expected = usePendingWrites()
  const lessons = useMemo(() => data && withExpected(data, expected), [data, expected])
  return { lessons, error, isError, refetch }
}
