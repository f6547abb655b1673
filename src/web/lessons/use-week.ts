import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { weekOfAppointments } from '../api/appointments.ts'
import { useSchool } from '../ui/school.tsx'
import { type Judgement, judge } from './judge.ts'
import { usePending, withPending } from './pending.ts'
import type { Draft } from './verdict.ts'

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

/** What the rules say of the draft; reads what they look at. An incomplete draft is not judged yet: then the date's week is read. */
export function useJudgement(draft: Draft, isIncomplete: boolean, date: LocalDate): Judgement {
  const client = useQueryClient()
  const school = useSchool()
  usePending()
  const judgement = isIncomplete
    ? { verdict: undefined, lessons: [], weeks: [mondayOf(date)] }
    : judge(draft, school, (monday) => weekIn(client, monday))
  useQueries({ queries: judgement.weeks.map((monday) => weekOfAppointments(monday)), combine: listsOf })
  return judgement
}

/** Only what has been read draws anew, not when. */
function listsOf(results: readonly { readonly data: readonly Appointment[] | undefined }[]) {
  return results.map(({ data }) => data)
}
