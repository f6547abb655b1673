import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment, NewAppointment } from '../../contract/appointment.ts'
import type { NewSeries, NewSeriesChange } from '../../contract/series.ts'
import type { Slot } from '../../contract/slot.ts'
import { dateOf, type LocalDateTime } from '../../domain/local-time.ts'
import { bookAppointment } from '../data/appointments.ts'
import { bookSeries, cancelSeries, changeSeries } from '../data/series.ts'
import type { WriteContext } from '../data/write-queue.ts'
import { lessonStep, placeOf } from '../lessons/lesson-commands.ts'
import { studentNameOf, whenText } from '../lessons/lesson-texts.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import { problemMessage, refusalIn } from '../ui/problem-messages.ts'
import type { School } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { recordStep, setsOf } from '../ui/undo/steps.ts'

/** The alternatives to book, by the start of the refused lesson. */
export type ChosenAlternatives = ReadonlyMap<LocalDateTime, Slot>

type Context = { readonly client: QueryClient; readonly school: School; readonly t: TFunction }

type Failed = { readonly wanted: NewAppointment; readonly error: unknown }

/** The result of booking a series and its alternatives. */
type SeriesOutcome = {
  readonly booked: readonly Appointment[]
  readonly elsewhere: readonly Appointment[]
  readonly failed: readonly Failed[]
  readonly leftOut: number
  /** The sets of changes that booked them. */
  readonly sets: readonly string[]
}

/**
 * Books a series, then the alternatives for refused lessons. Failures of alternatives are returned, not thrown, because the
 * series is booked. Throws `ApiProblem` or `Unreachable` if the series itself fails.
 */
export async function bookAll(
  context: Context,
  { series, taken }: { readonly series: NewSeries; readonly taken: ChosenAlternatives },
): Promise<SeriesOutcome> {
  const sets: string[] = []
  const { booked, refused } = await inOneSet(context, sets, (to) => bookSeries(series, to))
  const elsewhere: Appointment[] = []
  const failed: Failed[] = []
  for (const { start_at: refusedStart } of refused) {
    const slot = taken.get(refusedStart)
    if (!slot) continue
    const { instructor_id, vehicle_ids, start_at, end_at } = slot
    const wanted = { ...series.appointment, instructor_id, vehicle_ids, start_at, end_at }
    await inOneSet(context, sets, async (to) => ({ booked: [await bookAppointment(wanted, to)] })).then(
      ({ booked: [lesson] }) => lesson && elsewhere.push(lesson),
      (error: unknown) => failed.push({ wanted, error }),
    )
  }
  const { topics } = series
  // A course moves on past refused dates, so it leaves out only topics for which no date remains.
  const leftOut = topics ? topics.length - booked.length : refused.length - elsewhere.length
  return { booked, elsewhere, failed, leftOut, sets }
}

/** Runs a request that books lessons in one set, and adds the set, also if the response is a replay. */
async function inOneSet<T extends { readonly booked: readonly Appointment[] }>(
  context: Context,
  sets: string[],
  book: (writing: WriteContext) => Promise<T>,
): Promise<T> {
  const own: string[] = []
  const made = await book({ client: context.client, sets: own })
  const on = { undone: [], done: made.booked.slice(0, 1) }
  sets.push(...(await setsOf(own, context, { kind: 'appointments', on })))
  return made
}

/** Reports the booked lessons with an offer to take them back. Returns whether there are any. */
export async function reportSeries(
  context: Context,
  { booked, elsewhere, failed, leftOut, sets }: SeriesOutcome,
): Promise<boolean> {
  const { school, t } = context
  const lessons = [...booked, ...elsewhere]
  const [first] = lessons
  if (!first || failed.length > 0) toast({ kind: 'problem', text: failureMessage(context, failed) })
  if (!first) return false
  const values = { count: lessons.length, who: studentNameOf(first, school, t) }
  const text = [t('series.booked', values), ...(leftOut > 0 ? [t('series.leftOut', { count: leftOut })] : [])]
  recordStep(
    { text: text.join(' '), label: t('step.seriesBooked', values) },
    {
      ...(await lessonStep({ ...context, appointments: [] }, sets, { undone: [], done: lessons })),
      place: placeOf(first, school),
    },
  )
  return true
}

type SeriesChange = {
  /** The lesson from whose day on the series changes. */
  readonly lesson: Appointment
  readonly series_id: string
  /** The lessons of the series as they are. */
  readonly before: readonly Appointment[]
  readonly given: NewSeriesChange
}

/** Changes a series' planned lessons from a lesson's day on, with an undo. Throws as `changeSeries` does. */
export async function changeFollowing(
  context: Context,
  { lesson, series_id, before, given }: SeriesChange,
): Promise<void> {
  const { client, school, t } = context
  const sets: string[] = []
  const { changed, refused } = await changeSeries(series_id, given, { client, sets })
  const ids = new Set(changed.map(({ id }) => id))
  const on = { undone: before.filter(({ id }) => ids.has(id)), done: changed }
  const values = { count: changed.length, who: studentNameOf(lesson, school, t) }
  const stay = refused.length > 0 ? [t('series.stay', { count: refused.length })] : []
  recordStep(
    { text: [t('series.changed', values), ...stay].join(' '), label: t('series.changedStep', values) },
    await lessonStep({ ...context, appointments: [] }, sets, on),
  )
}

/** Cancels a series' planned lessons from a lesson's day on, with an undo. Throws as `cancelSeries` does. */
export async function cancelFollowing(
  context: Context,
  lesson: Appointment,
  series_id: string,
): Promise<void> {
  const { client, school, t } = context
  const sets: string[] = []
  const cancelled = await cancelSeries({ series_id, from: dateOf(lesson.start_at) }, { client, sets })
  const planned = cancelled.map((one) => ({ ...one, status: 'planned' as const, cancellation: null }))
  const on = { undone: planned, done: cancelled }
  const values = { count: cancelled.length, who: studentNameOf(lesson, school, t) }
  recordStep(
    { text: t('series.cancelled', values), label: t('step.seriesCancelled', values) },
    { ...(await lessonStep({ ...context, appointments: [] }, sets, on)), place: placeOf(lesson, school) },
  )
}

/** Returns why a series, or some of its alternatives, could not be booked. */
function failureMessage({ school, t }: Context, failed: readonly Failed[]): string {
  if (failed.length === 0) return t('series.noneBooked')
  const reasons = failed.map(({ wanted, error }) => {
    const about = { student_id: null, ...wanted, appointments: [] }
    const refusal = refusalIn(error)
    const why = refusal ? refusalMessage(refusal, about, school, t) : problemMessage(error, t)
    return `${whenText(wanted, school)}: ${why}`
  })
  return `${t('booking.notSaved')}: ${reasons.join(' ')}`
}
