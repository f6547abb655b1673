import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Verdict } from '../../domain/booking.ts'
import { localNow } from '../../domain/time-zone.ts'
import { lessonsOfStudent, weekOfAppointments } from '../api/appointments.ts'
import { judge } from '../lessons/judge.ts'
import { refusalWords } from '../lessons/refusal-words.ts'
import { weekIn } from '../lessons/use-week.ts'
import { type Draft, missingIn } from '../lessons/verdict.ts'
import { loadWords } from '../lessons/verdict-words.ts'
import { warningWords } from '../lessons/warning-words.ts'
import { warningsOn } from '../lessons/warnings.ts'
import type { School } from '../ui/school.tsx'

/** What the rules say of a draft, in words; no verdict yet for a week that has not been read. */
export type Judged = {
  /** What speaks against it. */
  readonly objections: readonly string[]
  /** What to know of it. */
  readonly warnings: readonly string[]
  /** How full the day and the week would be. */
  readonly loads: readonly string[]
  readonly verdict?: Verdict | undefined
}

/** Judges a draft by what has been read, and reads what is missing. */
export function judged(draft: Draft, school: School, t: TFunction, client: QueryClient): Judged {
  const missing = missingIn(draft, school)
  if (missing) return { objections: [t(`booking.missing.${missing}`)], warnings: [], loads: [] }
  const { verdict, lessons: appointments, weeks } = judge(draft, school, (week) => weekIn(client, week))
  for (const week of weeks) void client.prefetchQuery(weekOfAppointments(week))
  const about = { ...draft, appointments }
  return {
    verdict,
    objections: verdict?.refusals.map((refusal) => refusalWords(refusal, about, school, t)) ?? [],
    warnings: warningsOf(draft, school, t, client),
    loads: verdict ? loadWords(verdict, school, t) : [],
  }
}

/** By what has been read; the student's lessons may not have been. */
function warningsOf(draft: Draft, school: School, t: TFunction, client: QueryClient): readonly string[] {
  const lessons = client.getQueryData(lessonsOfStudent(draft.student_id ?? '').queryKey)
  const now = localNow(new Date(), school.tenant.timezone)
  return warningsOn(draft, school, { now, lessons }).map((warning) =>
    warningWords(warning, draft.instructor_id, school, t),
  )
}
