import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { weekOfAppointments } from '../api/appointments.ts'
import { usePending, withPending } from './pending.ts'

/** The lessons of a day's ISO week, with what has been asked for and not yet answered. */
export function useWeek(date: LocalDate) {
  // Named one by one: a query whose result is spread draws the board anew whenever it is read.
  const { data, error, isError, refetch } = useQuery(weekOfAppointments(mondayOf(date)))
  const pending = usePending()
  const lessons = useMemo(() => data && withPending(data, pending), [data, pending])
  return { lessons, error, isError, refetch }
}

/** The same of a week that has been read before. */
export function weekIn(client: QueryClient, monday: LocalDate): readonly Appointment[] | undefined {
  const read = client.getQueryData(weekOfAppointments(monday).queryKey)
  return read && withPending(read)
}
