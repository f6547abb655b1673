import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Plan } from '../../contract/plan.ts'
import type { Verdict } from '../../domain/booking.ts'
import { darknessFor } from '../../domain/daylight.ts'
import { dateOf, type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { refusalsWith } from '../../domain/without-overrides.ts'
import { lessonsOfStudent, weekOfAppointments } from '../data/appointments.ts'
import { openingBalanceOf } from '../data/opening-balance.ts'
import { usePendingWrites, withExpected } from '../data/pending-writes.ts'
import { examCheckOf } from '../data/slots.ts'
import { type School, useSchool } from '../ui/school.tsx'
import { refusalMessage } from './refusal-messages.ts'
import { type LessonDraft, type LocalVerdict, localVerdictFor, missingFieldIn } from './verdict.ts'
import { warningMessages } from './warning-messages.ts'
import { needsExamCheck, warningsOn } from './warnings.ts'

/** Checks the draft and fetches the lessons for it. For an incomplete draft, only fetches the date's week. */
export function useLocalVerdict(draft: LessonDraft, isIncomplete: boolean, date: LocalDate): LocalVerdict {
  const client = useQueryClient()
  const school = useSchool()
  usePendingWrites()
  const localVerdict = isIncomplete
    ? { verdict: undefined, lessons: [], weeks: [mondayOf(date)] }
    : localVerdictFor(draft, school, (monday) => weekIn(client, monday))
  useQueries({ queries: localVerdict.weeks.map((monday) => weekOfAppointments(monday)), combine: listsOf })
  return localVerdict
}

/** Returns only the data, so that a refetch without changes does not rerender. */
function listsOf(results: readonly { readonly data: readonly Appointment[] | undefined }[]) {
  return results.map(({ data }) => data)
}

/** Returns the week's lessons with pending writes applied; undefined if the week has not been loaded. */
export function weekIn(client: QueryClient, monday: LocalDate): readonly Appointment[] | undefined {
  const read = client.getQueryData(weekOfAppointments(monday).queryKey)
  return read && withExpected(read)
}

type Reader = {
  readonly client: QueryClient
  readonly school: School
  readonly t: TFunction
  /** The other lessons of a plan, if the held one is a proposed lesson. */
  readonly plan?: Pick<Plan, 'from' | 'to' | 'overrides'> & { readonly lessons: readonly Appointment[] }
}

/** The lesson held over the board with its verdict, warnings and load. */
export type Hover = {
  readonly draft: LessonDraft
  readonly objections: readonly string[]
  readonly warnings: readonly string[]
  /** Undefined if the week has not been loaded. */
  readonly verdict?: Verdict | undefined
  /** Fetches warnings that only the service has; undefined if there are none, or they are known. */
  readonly fetchWarnings?: () => Promise<unknown> | undefined
}

/** Checks a held lesson against cached appointments, and fetches missing ones. */
export function hoverFor(draft: LessonDraft, { client, school, t, plan }: Reader): Hover {
  const missing = missingFieldIn(draft, school)
  const day = dateOf(draft.start_at)
  if (plan && (day < plan.from || day > plan.to)) {
    const days = school.format.days(plan.from, plan.to)
    return { draft, objections: [t('planning.outsideDays', { days })], warnings: [] }
  }
  if (missing) return { draft, objections: [t(`booking.missing.${missing}`)], warnings: [] }
  const {
    verdict,
    lessons: appointments,
    weeks,
  } = localVerdictFor(draft, school, (week) => {
    const booked = weekIn(client, week)
    return plan && booked ? [...booked, ...plan.lessons] : booked
  })
  for (const week of weeks) void client.prefetchQuery(weekOfAppointments(week))
  const about = { ...draft, appointments }
  const refusals = verdict ? refusalsWith(verdict, plan?.overrides ?? true) : []
  return {
    draft,
    verdict,
    objections: refusals.map((refusal) => refusalMessage(refusal, about, school, t)),
    warnings: warningsOf(draft, { client, school, t }),
    fetchWarnings: () => fetchExamCheck(draft, { client, school }),
  }
}

function fetchExamCheck(draft: LessonDraft, { client, school }: Omit<Reader, 't'>) {
  if (!needsExamCheck(draft, school)) return undefined
  const check = examCheckOf(draft)
  const known = client.getQueryState(check.queryKey)
  return known?.data && !known.isInvalidated ? undefined : client.fetchQuery(check)
}

/** Returns warnings about a draft from cached appointments, which may lack the student's. */
function warningsOf(draft: LessonDraft, { client, school, t }: Reader): readonly string[] {
  const lessons = client.getQueryData(lessonsOfStudent(draft.student_id ?? '').queryKey)
  const opening = client.getQueryData(openingBalanceOf(draft.student_id ?? '').queryKey)
  const now = localNow(new Date(), school.tenant.timezone)
  return warningsOn(draft, school, {
    now,
    lessons,
    opening: opening?.entries,
    darkness: darknessFor(school.tenant),
    examCheck: client.getQueryData(examCheckOf(draft).queryKey),
  }).map((warning) => warningMessages(warning, draft, school, t))
}
