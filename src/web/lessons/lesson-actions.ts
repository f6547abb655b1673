import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { MINUTES_PER_WEEK, minutesLater } from '../../domain/local-time.ts'
import {
  bookAppointment,
  changeAppointment,
  deleteAppointment,
  restoreAppointment,
} from '../api/appointments.ts'
import { followNow } from '../api/following.ts'
import { inOrder } from '../api/in-order.ts'
import { Stale } from '../api/writes.ts'
import { currentIn, problemWords, refusalIn } from '../ui/problem-words.ts'
import type { School } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { lessonWords } from './lesson-words.ts'
import { type Expected, expectChange, forgetChange } from './pending.ts'
import { refusalWords } from './refusal-words.ts'

/** What a message says has been done. */
export type Told = 'moved' | 'resized' | 'cancelled' | 'changed' | 'deleted' | 'undone'

/** At which desk somebody acts: what is read and known there, and how it is told. */
type Desk = {
  readonly client: QueryClient
  readonly school: School
  readonly t: TFunction
  /** What refusals may be about. */
  readonly appointments: readonly Appointment[]
  /** Opens a search for a time, where there is one. */
  readonly find?: ((wanted: Wanted) => void) | undefined
  /** Sends it until the service can be reached; without, it is told at once that it cannot. */
  readonly deliver?: <T>(work: () => Promise<T>) => Promise<T>
  /** Where what is done shows where it is done, and is taken back there. */
  readonly isQuiet?: boolean
}

/** A lesson as it was to be, and which stored one was to become so; none for a new one. */
export type Wanted = { readonly like: Appointment; readonly editing?: Appointment }

/** Changes a lesson at once on the screen. Whether the service has done it; if not, it is told why. */
export function change(
  desk: Desk,
  lesson: Appointment,
  wanted: AppointmentChange,
  told: Told,
): Promise<boolean> {
  return atOnce(desk, lesson, wanted, async (latest) => {
    const send = () => changeBesideOthers(desk, latest, wanted)
    const changed = await (desk.deliver?.(send) ?? send())
    if (!desk.isQuiet) {
      tellDone(desk, told, changed, () => change(desk, changed, valuesOf(latest, wanted), 'undone'))
    }
    return changed
  })
}

/** Deletes a lesson at once on the screen. Whether the service has done it; if not, it is told why. */
export function remove(desk: Desk, lesson: Appointment, told: 'deleted' | 'undone'): Promise<boolean> {
  return atOnce(desk, lesson, 'deleted', async (latest) => {
    await deleteAppointment(latest, desk)
    tellDone(desk, told, latest, () => restore(desk, latest))
    return latest
  })
}

/** Books the same lesson a week later, or tells why not. */
export async function duplicate(desk: Desk, lesson: Appointment): Promise<void> {
  const { instructor_id, student_id, lesson_type_id, title, notes } = lesson
  const times = {
    start_at: minutesLater(lesson.start_at, MINUTES_PER_WEEK),
    end_at: minutesLater(lesson.end_at, MINUTES_PER_WEEK),
  }
  const copy = { instructor_id, student_id, lesson_type_id, title, notes, ...times }
  try {
    tellBooked(desk, await bookAppointment(copy, desk))
  } catch (error) {
    const like = { ...lesson, ...times }
    tellFailure(desk, error, { like }, `: ${lessonWords(like, desk.school, desk.t)}`)
  }
}

/** Tells that a lesson has been booked, and offers to delete it. */
export function tellBooked(desk: Desk, lesson: Appointment): void {
  const { school, t } = desk
  const text = t('booking.booked', { what: lessonWords(lesson, school, t) })
  toast({ kind: 'done', text, undo: () => remove(desk, lesson, 'undone') })
}

async function restore(desk: Desk, lesson: Appointment): Promise<boolean> {
  try {
    await restoreAppointment(lesson, desk)
    tellDone(desk, 'undone', lesson)
    return true
  } catch (error) {
    tellFailure(desk, error, { like: lesson })
    return false
  }
}

/** Shows what is expected until the service has answered, which is asked when it is the lesson's turn. */
async function atOnce(
  desk: Desk,
  lesson: Appointment,
  expected: Expected,
  work: (latest: Appointment) => Promise<Appointment>,
): Promise<boolean> {
  expectChange(lesson.id, expected)
  let isDone = false
  await inOrder(lesson, async (latest) => {
    try {
      const left = await work(latest)
      isDone = true
      return left
    } catch (error) {
      tellFailure(desk, error, {
        like: expected === 'deleted' ? latest : { ...latest, ...expected },
        editing: latest,
      })
      return latest
    } finally {
      forgetChange(lesson.id, expected)
    }
  })
  return isDone
}

/** What has been undone is not undone again. */
function tellDone(desk: Desk, told: Told, lesson: Appointment, undo?: () => Promise<boolean>): void {
  const { school, t } = desk
  const text = t(`booking.${told}`, { what: lessonWords(lesson, school, t) })
  toast({ kind: 'done', text, ...(undo && told !== 'undone' ? { undo } : {}) })
}

function tellFailure(desk: Desk, error: unknown, wanted: Wanted, what = ''): void {
  const { client, school, t, appointments, find } = desk
  const refusal = refusalIn(error)
  const reason = refusal
    ? refusalWords(refusal, { ...wanted.like, appointments }, school, t)
    : problemWords(error, t)
  if (!(error instanceof Stale)) void followNow(client)
  const text = `${t('booking.notSaved')}${what}: ${reason}`
  toast({ kind: 'problem', text, ...(refusal && find ? { find: () => find(wanted) } : {}) })
}

/** Where another clerk was first, but has left alone what is to be changed here, both changes hold. */
async function changeBesideOthers(
  desk: Desk,
  seen: Appointment,
  wanted: AppointmentChange,
): Promise<Appointment> {
  try {
    return await changeAppointment({ seen, change: wanted }, desk)
  } catch (error) {
    const current = currentIn(error)
    if (!current) throw error
    const fields = Object.keys(wanted) as (keyof AppointmentChange)[]
    // An earlier request may have done it whose answer was lost.
    if (fields.every((field) => current[field] === wanted[field])) return current
    if (['status' as const, ...fields].some((field) => current[field] !== seen[field])) throw error
    return changeAppointment({ seen: current, change: wanted }, desk)
  }
}

/** What a change takes back: the lesson's own values of the same fields. */
function valuesOf(lesson: Appointment, wanted: AppointmentChange): AppointmentChange {
  const fields = Object.keys(wanted) as (keyof AppointmentChange)[]
  return Object.fromEntries(fields.map((field) => [field, lesson[field]]))
}
