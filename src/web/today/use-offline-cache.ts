import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { daysLater, type LocalDate } from '../../domain/local-time.ts'
import { studentIdsOf } from '../../domain/occupants.ts'
import { MAX_SIGNING_STUDENTS } from '../../domain/ranges.ts'
import { lessonsOfDay } from '../data/appointments.ts'
import { practisedBefore } from '../data/practised.ts'
import { progressOfStudent } from '../data/progress.ts'
import { requestsOf } from '../data/requests.ts'
import { loadDueSignatures } from '../data/signatures.ts'
import { useSchool } from '../ui/school.tsx'
import { startCaching } from './offline-day.ts'

/** The days available offline, relative to today. */
const DAYS = [-1, 0, 1, 2]

/** Milliseconds between refreshes of days that are not shown. */
const EVERY_MS = 5 * 60_000

/** Loads the days around today and the data of today's lessons, for offline use. */
export function useOfflineCache(today: LocalDate): void {
  const client = useQueryClient()
  const own = useSchool().user.instructor_id ?? ''
  useEffect(() => {
    startCaching(client)
    void readAround(client, own, today)
    const timer = setInterval(() => void readAround(client, own, today), EVERY_MS)
    return () => clearInterval(timer)
  }, [client, own, today])
}

async function readAround(client: QueryClient, own: string, today: LocalDate): Promise<void> {
  const days = DAYS.map((days) => lessonsOfDay(own, daysLater(today, days)))
  await Promise.all(days.map((day) => client.prefetchQuery({ ...day, staleTime: 0 })))
  void client.prefetchQuery({ ...requestsOf(own), staleTime: 0 })
  const taught = days.flatMap(({ queryKey }) => client.getQueryData(queryKey) ?? [])
  const students = [...new Set(taught.flatMap(studentIdsOf))].slice(0, MAX_SIGNING_STUDENTS)
  void loadDueSignatures(client, students).catch(() => undefined)
  for (const lesson of client.getQueryData(lessonsOfDay(own, today).queryKey) ?? []) {
    if (lesson.student_id === null) continue
    void client.prefetchQuery({ ...progressOfStudent(lesson.student_id), staleTime: 0 })
    void client.prefetchQuery({ ...practisedBefore(lesson), staleTime: 0 })
  }
}
