import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LocalDate } from '../../domain/local-time.ts'
import { weekOfAppointments } from '../api/appointments.ts'
import { mondayOf } from './days.ts'
import { usePending, withPending } from './pending.ts'

/** The lessons of a day's ISO week, with what has been asked for and not yet answered. */
export function useWeek(date: LocalDate) {
  // Named one by one: a query whose result is spread draws the board anew whenever it is read.
  const { data, error, isError, refetch } = useQuery(weekOfAppointments(mondayOf(date)))
  const pending = usePending()
  const lessons = useMemo(() => data && withPending(data, pending), [data, pending])
  return { lessons, error, isError, refetch }
}
