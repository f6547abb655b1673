import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { daysLater, type LocalDate } from '../../domain/local-time.ts'
import { lessonsOfDay } from '../data/appointments.ts'
import { usePendingWrites, withExpected } from '../data/pending-writes.ts'
import { POLLING } from '../data/polling.ts'
import { useSchool } from '../ui/school.tsx'

/** Loads the user's own lessons of a day with unsent entries applied, and prefetches the neighbouring days. */
export function useDay(date: LocalDate) {
  const client = useQueryClient()
  const own = useSchool().user.instructor_id ?? ''
  const { data, error, isError, refetch } = useQuery({ ...lessonsOfDay(own, date), ...POLLING })
  const expected = usePendingWrites()
  const lessons = useMemo(() => data && withExpected(data, expected), [data, expected])
  useEffect(() => {
    for (const days of [-1, 1]) void client.prefetchQuery(lessonsOfDay(own, daysLater(date, days)))
  }, [client, own, date])
  useEffect(() => {
    // Shows a lost connection at once, not at the next poll.
    const read = () => void refetch()
    window.addEventListener('offline', read)
    return () => window.removeEventListener('offline', read)
  }, [refetch])
  return { lessons, error, isError, refetch }
}
