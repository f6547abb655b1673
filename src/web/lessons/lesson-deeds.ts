import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts'
import { dateOf } from '../../domain/local-time.ts'
import {
  bookAppointment,
  changeAppointment,
  deleteAppointment,
  restoreAppointment,
} from '../api/appointments.ts'
import { followNow } from '../api/following.ts'
import { inOrder } from '../api/in-order.ts'
import { besideOthers, fieldsOf, Stale } from '../api/writes.ts'
import { changedFields } from '../ui/changed-fields.ts'
import { currentIn, problemWords, refusalIn } from '../ui/problem-words.ts'
import type { School } from '../ui/school.tsx'
import type { Place } from '../ui/toasts.ts'
import type { Deed, Done } from '../undo/steps.ts'
import { valuesOf } from '../undo/values-of.ts'
import { lessonWords } from './lesson-words.ts'
import { type Expected, expectChange, forgetChange } from './pending.ts'
import { refusalWords } from './refusal-words.ts'

/** At which desk somebody acts: what is read and known there, and how it is told. */
export type Desk = {
  readonly client: QueryClient
  readonly school: School
  readonly t: TFunction
  /** The appointments that refusals may refer to. */
  readonly appointments: readonly Appointment[]
  /** Opens a search for a time, while there is a board that can. */
  readonly find?: ((wanted: Wanted) => void) | undefined
}

/** A lesson as it was to be, and which stored one was to become so; none for a new one. */
export type Wanted = { readonly like: Appointment; readonly editing?: Appointment }

/** Changes a lesson, at once on the screen, and beside what others have changed of it. */
export function changing(desk: Desk, lesson: Appointment, wanted: AppointmentChange): Deed {
  let seen = lesson
  return {
    run: async () => {
      const changed = await atOnce(lesson, wanted, (latest) => {
        seen = latest
        const fields = ['status', ...Object.keys(wanted)]
        return besideOthers(latest, fields, (before) => writeOnce(desk, before, wanted))
      })
      return standing(desk, changed, changing(desk, changed, valuesOf(seen, wanted)))
    },
    explain: (error) => whyNot(desk, error, { like: { ...seen, ...wanted }, editing: seen }),
  }
}

/** An earlier request may have done it whose answer was lost: then the lesson as it stands. */
async function writeOnce(desk: Desk, seen: Appointment, wanted: AppointmentChange): Promise<Appointment> {
  try {
    return await changeAppointment({ seen, change: wanted }, desk)
  } catch (error) {
    const current = currentIn(error)
    if (current && Object.keys(changedFields(wanted, current)).length === 0) return current
    throw error
  }
}

/** Deletes a lesson, at once on the screen, unless somebody else has changed it. */
export function deleting(desk: Desk, lesson: Appointment): Deed {
  return {
    run: async () => {
      const deleted = await atOnce(lesson, 'deleted', (latest) =>
        besideOthers(latest, fieldsOf(latest), async (seen) => {
          await deleteAppointment(seen, desk)
          return seen
        }),
      )
      const { place: _, ...done } = standing(desk, deleted, restoring(desk, deleted))
      return done
    },
    explain: (error) => whyNot(desk, error, { like: lesson, editing: lesson }),
  }
}

/** Books a lesson; `like` is what it would be. */
export function booking(desk: Desk, like: Appointment): Deed {
  const { instructor_id, student_id, lesson_type_id, title, notes, start_at, end_at } = like
  const body: NewAppointment = { instructor_id, student_id, lesson_type_id, title, notes, start_at, end_at }
  return {
    run: async () => booked(desk, await bookAppointment(body, desk)),
    explain: (error) => whyNot(desk, error, { like }),
  }
}

/** A lesson that has been booked. */
export function booked(desk: Desk, lesson: Appointment): Done {
  return standing(desk, lesson, deleting(desk, lesson))
}

/** A lesson that has been changed, as it was and as it is. */
export function changed(desk: Desk, before: Appointment, after: Appointment): Done {
  const wanted = valuesOf(before, changeBetween(before, after))
  return standing(desk, after, changing(desk, after, wanted))
}

/** Returns the place where a lesson is shown. */
export function placeOf({ id, start_at }: Appointment): Place {
  return { to: '/', search: { date: dateOf(start_at), lesson: id } }
}

/** Takes the deletion of a lesson back. */
export function restoring(desk: Desk, lesson: Appointment): Deed {
  return {
    run: async () => booked(desk, await restoreAppointment(lesson, desk)),
    explain: (error) => whyNot(desk, error, { like: lesson }),
  }
}

function standing(desk: Desk, lesson: Appointment, opposite: Deed): Done {
  return { opposite, stands: lessonWords(lesson, desk.school, desk.t), place: placeOf(lesson) }
}

/** Returns the fields of a lesson that somebody has changed, with their current values. */
function changeBetween(before: Appointment, after: Appointment): AppointmentChange {
  const fields = ['instructor_id', 'student_id', 'lesson_type_id', 'start_at', 'end_at'] as const
  const others = ['title', 'status', 'notes'] as const
  const changed = [...fields, ...others].filter((field) => before[field] !== after[field])
  return Object.fromEntries(changed.map((field) => [field, after[field]]))
}

/** Shows what is expected until the service has answered, which is asked when it is the lesson's turn. */
async function atOnce(
  lesson: Appointment,
  expected: Expected,
  work: (latest: Appointment) => Promise<Appointment>,
): Promise<Appointment> {
  expectChange(lesson.id, expected)
  try {
    return await inOrder(lesson, work)
  } finally {
    forgetChange(lesson.id, expected)
  }
}

/** Why a lesson is not as it was to be, and a search for where it could be. What is shown may be old then, and is read. */
function whyNot(desk: Desk, error: unknown, wanted: Wanted): ReturnType<Deed['explain']> {
  const { client, school, t, appointments, find } = desk
  const refusal = refusalIn(error)
  if (!(error instanceof Stale)) void followNow(client)
  if (!refusal) return { why: problemWords(error, t) }
  const why = refusalWords(refusal, { ...wanted.like, appointments }, school, t)
  if (find) return { why, offers: [{ words: t('find.open'), act: () => find(wanted) }] }
  const { editing } = wanted
  return { why, offers: editing ? [{ words: t('undo.show'), place: placeOf(editing) }] : [] }
}
