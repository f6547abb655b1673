import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { skyOf } from '../../domain/daylight.ts'
import { localNow } from '../../domain/time-zone.ts'
import { lessonsOfStudent, weekOfAppointments } from '../api/appointments.ts'
import { judge } from '../lessons/judge.ts'
import { refusalWords } from '../lessons/refusal-words.ts'
import { weekIn } from '../lessons/use-week.ts'
import { type Draft, missingIn } from '../lessons/verdict.ts'
import { warningWords } from '../lessons/warning-words.ts'
import { warningsOn } from '../lessons/warnings.ts'
import type { School } from '../ui/school.tsx'
import type { Hover } from './use-moves.ts'

type Reader = { readonly client: QueryClient; readonly school: School; readonly t: TFunction }

/** Judges a lesson that is held over the board by the appointments in memory, and fetches the missing ones. */
export function judged(draft: Draft, { client, school, t }: Reader): Hover {
  const missing = missingIn(draft, school)
  if (missing) return { draft, objections: [t(`booking.missing.${missing}`)], warnings: [] }
  const { verdict, lessons: appointments, weeks } = judge(draft, school, (week) => weekIn(client, week))
  for (const week of weeks) void client.prefetchQuery(weekOfAppointments(week))
  const about = { ...draft, appointments }
  return {
    draft,
    verdict,
    objections: verdict?.refusals.map((refusal) => refusalWords(refusal, about, school, t)) ?? [],
    warnings: warningsOf(draft, { client, school, t }),
  }
}

/** Returns the warnings about a draft by the appointments in memory; the student's may be missing. */
function warningsOf(draft: Draft, { client, school, t }: Reader): readonly string[] {
  const lessons = client.getQueryData(lessonsOfStudent(draft.student_id ?? '').queryKey)
  const now = localNow(new Date(), school.tenant.timezone)
  return warningsOn(draft, school, { now, lessons, sky: skyOf(school.tenant) }).map((warning) =>
    warningWords(warning, draft, school, t),
  )
}
