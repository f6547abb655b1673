import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import { type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { weekOfAppointments } from '../api/appointments.ts'
import { useSchool } from '../ui/school.tsx'
import { type Judgement, judge } from './judge.ts'
import { usePending } from './pending.ts'
import { weekIn } from './use-week.ts'
import type { Draft } from './verdict.ts'

/** Judges the draft, and fetches the lessons it needs. An incomplete draft is not judged yet: then the date's week is fetched. */
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
