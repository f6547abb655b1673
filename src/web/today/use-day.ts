import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { daysLater, type LocalDate } from '../../domain/local-time.ts'
import { lessonsOfDay } from '../api/appointments.ts'
import { READ_ANEW } from '../api/read-anew.ts'
import { useOutbox, withEntries } from './outbox.ts'

/** The lessons of a day, with what has been pressed and not yet answered; the days beside it are read ahead. */
export function useDay(date: LocalDate) {
  const client = useQueryClient()
  const { data, error, isError, refetch } = useQuery({ ...lessonsOfDay(date), ...READ_ANEW })
  const entries = useOutbox()
  const lessons = useMemo(() => data && withEntries(data, entries), [data, entries])
  useEffect(() => {
    for (const days of [-1, 1]) void client.prefetchQuery(lessonsOfDay(daysLater(date, days)))
  }, [client, date])
  useEffect(() => {
    // That the connection is lost is said now, not at the next reading.
    const read = () => void refetch()
    window.addEventListener('offline', read)
    return () => window.removeEventListener('offline', read)
  }, [refetch])
  return { lessons, error, isError, refetch }
}
