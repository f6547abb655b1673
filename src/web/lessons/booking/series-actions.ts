import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment, NewAppointment } from '../../../contract/appointment.ts'
import type { NewSeries } from '../../../contract/series.ts'
import type { Slot } from '../../../contract/slot.ts'
import { dateOf, type LocalDateTime } from '../../../domain/local-time.ts'
import { APPOINTMENTS, bookAppointment, changeAppointment } from '../../data/appointments.ts'
import { bookSeries, cancelSeries } from '../../data/series.ts'
import { mergeWrite, type WriteContext } from '../../data/write-queue.ts'
import { isConcurrentChange, problemMessage, refusalIn } from '../../ui/problem-messages.ts'
import type { School } from '../../ui/school.tsx'
import { toast } from '../../ui/toasts.ts'
import { type Command, recordStep } from '../../ui/undo/steps.ts'
import { placeOf } from '../lesson-commands.ts'
import { studentNameOf, whenText } from '../lesson-texts.ts'
import { refusalMessage } from '../refusal-messages.ts'

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
}

/**
 * Books a series, then the alternatives for refused lessons. Failures of alternatives are returned, not thrown, because the
 * series is booked. Throws `ApiProblem` or `Unreachable` if the series itself fails.
 */
export async function bookAll(
  { series, taken }: { readonly series: NewSeries; readonly taken: ChosenAlternatives },
  writing: WriteContext,
): Promise<SeriesOutcome> {
  const { booked, refused } = await bookSeries(series, writing)
  const elsewhere: Appointment[] = []
  const failed: Failed[] = []
  for (const { start_at: refusedStart } of refused) {
    const slot = taken.get(refusedStart)
    if (!slot) continue
    const { instructor_id, start_at, end_at } = slot
    const wanted = { ...series.appointment, instructor_id, start_at, end_at }
    await bookAppointment(wanted, writing).then(
      (lesson) => elsewhere.push(lesson),
      (error: unknown) => failed.push({ wanted, error }),
    )
  }
  const { topics } = series
  // A course moves on past refused dates, so it leaves out only topics for which no date remains.
  const leftOut = topics ? topics.length - booked.length : refused.length - elsewhere.length
  return { booked, elsewhere, failed, leftOut }
}

/** Reports the booked lessons with an offer to cancel them. Returns whether there are any. */
export function reportSeries(
  context: Context,
  { booked, elsewhere, failed, leftOut }: SeriesOutcome,
): boolean {
  const { school, t } = context
  const lessons = [...booked, ...elsewhere]
  const [first] = lessons
  if (!first || failed.length > 0) toast({ kind: 'problem', text: failureMessage(context, failed) })
  if (!first) return false
  const values = { count: lessons.length, who: studentNameOf(first, school, t) }
  const text = [t('series.booked', values), ...(leftOut > 0 ? [t('series.leftOut', { count: leftOut })] : [])]
  recordStep(
    { text: text.join(' '), label: t('step.seriesBooked', values) },
    { opposite: marking(context, lessons, 'cancelled'), place: placeOf(first, context.school) },
  )
  return true
}

/** Cancels a series' planned lessons from a lesson's day on, with an undo. Throws as `cancelSeries` does. */
export async function cancelFollowing(
  context: Context,
  lesson: Appointment,
  series_id: string,
): Promise<void> {
  const cancelled = await cancelSeries({ series_id, from: dateOf(lesson.start_at) }, context)
  const { school, t } = context
  const values = { count: cancelled.length, who: studentNameOf(lesson, school, t) }
  recordStep(
    { text: t('series.cancelled', values), label: t('step.seriesCancelled', values) },
    { opposite: marking(context, cancelled, 'planned'), place: placeOf(lesson, school) },
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

/** Returns a command that cancels lessons or plans them again. It skips refused ones and those changed by others. */
function marking(context: Context, lessons: readonly Appointment[], status: Mark): Command {
  return {
    run: async () => {
      const marked: Appointment[] = []
      const left = { refused: 0, overtaken: 0 }
      for (const lesson of lessons) {
        try {
          marked.push(await mark(context, lesson, status))
        } catch (error) {
          left[whyLeft(error)] += 1
        }
      }
      const [first] = marked
      return {
        stands: markedText(context.t, { status, count: marked.length, ...left }),
        opposite: marking(context, marked, OPPOSITE[status]),
        ...(first && { place: placeOf(first, context.school) }),
      }
    },
    explain: (error) => ({ why: problemMessage(error, context.t) }),
  }
}

type Mark = 'cancelled' | 'planned'

const OPPOSITE = { cancelled: 'planned', planned: 'cancelled' } as const

/** Changes a lesson's status. Succeeds if another user or an earlier try has already done so. */
async function mark(context: Context, lesson: Appointment, status: Mark): Promise<Appointment> {
  const copy = APPOINTMENTS.read(context.client, lesson.id)
  if (copy?.status === status) return copy
  const fields = ['status', 'instructor_id', 'student_id', 'start_at', 'end_at']
  const change = { status }
  return mergeWrite(lesson, { fields, change }, (seen) => changeAppointment({ seen, change }, context))
}

/** Returns why one of several lessons is skipped. Rethrows an error that concerns all of them. */
function whyLeft(error: unknown): 'refused' | 'overtaken' {
  if (refusalIn(error)) return 'refused'
  if (isConcurrentChange(error)) return 'overtaken'
  throw error
}

type Marked = {
  readonly status: Mark
  readonly count: number
  readonly refused: number
  readonly overtaken: number
}

function markedText(t: TFunction, { status, count, refused, overtaken }: Marked): string {
  return [
    t(status === 'cancelled' ? 'series.takenBack' : 'series.plannedAgain', { count }),
    ...(refused > 0 ? [t('series.noLongerFit', { count: refused })] : []),
    ...(overtaken > 0 ? [t('series.overtaken', { count: overtaken })] : []),
  ].join(' ')
}
