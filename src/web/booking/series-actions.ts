import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment, NewAppointment } from '../../contract/appointment.ts'
import type { NewSeries } from '../../contract/series.ts'
import type { Slot } from '../../contract/slot.ts'
import { dateOf, type LocalDateTime } from '../../domain/local-time.ts'
import { APPOINTMENTS, bookAppointment, changeAppointment } from '../api/appointments.ts'
import { bookSeries, cancelSeries } from '../api/series.ts'
import type { Writing } from '../api/writes.ts'
import { studentNameOf, whenWords } from '../lessons/lesson-words.ts'
import { refusalWords } from '../lessons/refusal-words.ts'
import { problemWords, refusalIn } from '../ui/problem-words.ts'
import type { School } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'

/** The times that are taken instead, by the starts that are refused. */
export type Taken = ReadonlyMap<LocalDateTime, Slot>

type Desk = { readonly client: QueryClient; readonly school: School; readonly t: TFunction }

type Failed = { readonly wanted: NewAppointment; readonly error: unknown }

/** What has become of a series and of the times that were taken instead. */
type Gone = {
  readonly series_id: string
  readonly booked: readonly Appointment[]
  readonly elsewhere: readonly Appointment[]
  readonly failed: readonly Failed[]
  readonly leftOut: number
}

/**
 * Books a series, and then each lesson that it refuses at the time that was taken for it. What becomes of these is told and
 * never thrown: the series stands. Throws `ApiProblem` or `Unreachable` where nobody knows what stands.
 */
export async function bookAll(
  { series, taken }: { readonly series: NewSeries; readonly taken: Taken },
  writing: Writing,
): Promise<Gone> {
  const { series_id, booked, refused } = await bookSeries(series, writing)
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
  return { series_id, booked, elsewhere, failed, leftOut: refused.length - elsewhere.length }
}

/** Tells how many lessons have been booked, and offers to cancel them. Whether there are any. */
export function tellSeries(desk: Desk, { series_id, booked, elsewhere, failed, leftOut }: Gone): boolean {
  const { school, t } = desk
  const lessons = [...booked, ...elsewhere]
  const [first] = lessons
  if (!first || failed.length > 0) toast({ kind: 'problem', text: failureWords(desk, failed) })
  if (!first) return false
  const words = [t('series.booked', { count: lessons.length, who: studentNameOf(first, school, t) })]
  if (leftOut > 0) words.push(t('series.leftOut', { count: leftOut }))
  toast({ kind: 'done', text: words.join(' '), undo: () => takeBack(desk, { series_id, booked, elsewhere }) })
  return true
}

/** Cancels what is planned of a lesson's series from its day on, and offers to plan it again. Throws as the request does. */
export async function cancelFollowing(desk: Desk, lesson: Appointment, series_id: string): Promise<void> {
  const cancelled = await cancelSeries({ series_id, from: dateOf(lesson.start_at) }, desk)
  const { school, t } = desk
  const told = { count: cancelled.length, who: studentNameOf(lesson, school, t) }
  toast({ kind: 'done', text: t('series.cancelled', told), undo: () => planAgain(desk, cancelled) })
}

/** Why a series is not booked at all, or not all that was to be booked beside it. */
function failureWords({ school, t }: Desk, failed: readonly Failed[]): string {
  if (failed.length === 0) return t('series.noneBooked')
  const reasons = failed.map(({ wanted, error }) => {
    const about = { student_id: null, ...wanted, appointments: [] }
    const refusal = refusalIn(error)
    const why = refusal ? refusalWords(refusal, about, school, t) : problemWords(error, t)
    return `${whenWords(wanted, school)}: ${why}`
  })
  return `${t('booking.notSaved')}: ${reasons.join(' ')}`
}

/** Cancels a series and what was booked beside it. Whether it could. */
function takeBack(
  desk: Desk,
  { series_id, booked, elsewhere }: Pick<Gone, 'series_id' | 'booked' | 'elsewhere'>,
): Promise<boolean> {
  const [first] = booked
  return unlessItFails(desk, async () => {
    const cancelled = first ? await cancelSeries({ series_id, from: dateOf(first.start_at) }, desk) : []
    for (const lesson of elsewhere) await mark(desk, lesson, 'cancelled')
    return desk.t('series.takenBack', { count: cancelled.length + elsewhere.length })
  })
}

/** Plans again what was cancelled, as far as the rules still allow it. Whether everything has been tried. */
function planAgain(desk: Desk, cancelled: readonly Appointment[]): Promise<boolean> {
  const { t } = desk
  return unlessItFails(desk, async () => {
    let refused = 0
    for (const lesson of cancelled) {
      await mark(desk, lesson, 'planned').catch((error: unknown) => {
        if (!refusalIn(error)) throw error
        refused += 1
      })
    }
    const planned = t('series.plannedAgain', { count: cancelled.length - refused })
    return refused === 0 ? planned : `${planned} ${t('series.noLongerFit', { count: refused })}`
  })
}

async function unlessItFails({ t }: Desk, work: () => Promise<string>): Promise<boolean> {
  try {
    toast({ kind: 'done', text: await work() })
    return true
  } catch (error) {
    toast({ kind: 'problem', text: `${t('booking.notSaved')}: ${problemWords(error, t)}` })
    return false
  }
}

/** What a first try has done already is not done again. */
async function mark(desk: Desk, lesson: Appointment, status: Appointment['status']): Promise<void> {
  const seen = APPOINTMENTS.read(desk.client, lesson.id) ?? lesson
  if (seen.status !== status) await changeAppointment({ seen, change: { status } }, desk)
}
