import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts'
import type { NewCancellation } from '../../contract/cancellation.ts'
import { dateOf } from '../../domain/local-time.ts'
import {
  bookAppointment,
  changeAppointment,
  deleteAppointment,
  restoreAppointment,
} from '../data/appointments.ts'
import { cancelAppointment } from '../data/cancellations.ts'
import { followNow } from '../data/following.ts'
import { fieldsOf, mergeWrite, queueOptimistically, Stale } from '../data/write-queue.ts'
import { problemMessage, refusalIn } from '../ui/problem-messages.ts'
import { knownLocation, type School } from '../ui/school.tsx'
import type { ShownPage } from '../ui/toasts.ts'
import type { Command, Done } from '../ui/undo/steps.ts'
import { valuesOf } from '../ui/undo/values-of.ts'
import { lessonText } from './lesson-texts.ts'
import { refusalMessage } from './refusal-messages.ts'

export type LessonContext = {
  readonly client: QueryClient
  readonly school: School
  readonly t: TFunction
  /** The appointments that refusals may refer to. */
  readonly appointments: readonly Appointment[]
  /** Opens a search for a time, if the page has one. */
  readonly find?: ((wanted: WantedLesson) => void) | undefined
}

/** The lesson as wanted, and the stored one to change; undefined for a new one. */
export type WantedLesson = { readonly like: Appointment; readonly editing?: Appointment }

export const WITHOUT_ACTUAL_TIMES = { actual_start_at: null, actual_end_at: null } as const

const CANCELLED = { status: 'cancelled' } as const

/** Returns a command that changes a lesson optimistically and merges others' changes. */
export function changeCommand(
  context: LessonContext,
  lesson: Appointment,
  wanted: AppointmentChange,
): Command {
  let seen = lesson
  return {
    run: async () => {
      const changed = await queueOptimistically(lesson, wanted, (latest) => {
        seen = latest
        const basis = { fields: ['status', ...Object.keys(wanted)], change: wanted }
        return mergeWrite(latest, basis, (before) =>
          changeAppointment({ seen: before, change: wanted }, context),
        )
      })
      return resultOf(context, changed, changingBack(context, seen, changed, wanted))
    },
    explain: (error) => whyNot(context, error, { like: { ...seen, ...wanted }, editing: seen }),
  }
}

/** Returns a command that restores the values before a change. A cancellation is recorded again as it was. */
function changingBack(
  context: LessonContext,
  { cancellation, ...before }: Appointment,
  after: Appointment,
  wanted: AppointmentChange,
): Command {
  if (cancellation === null || Object.keys(wanted).join() !== 'status')
    return changeCommand(context, after, valuesOf(before, wanted))
  const { by, reason, note, at, charged: charge } = cancellation
  return cancelling(context, after, { by, reason, note, at, charge })
}

/** Returns a command that cancels a lesson, with party, reason and fee. A redo records the same moment again. */
export function cancelling(context: LessonContext, lesson: Appointment, given: NewCancellation): Command {
  return {
    run: async () => {
      let { status } = lesson
      const cancelled = await queueOptimistically(lesson, CANCELLED, (latest) =>
        mergeWrite(latest, { fields: ['status', 'start_at'] }, (seen) => {
          status = seen.status
          return cancelAppointment({ seen, change: given }, context)
        }).catch((error) => recordedBefore(error, given)),
      )
      return resultOf(context, cancelled, changeCommand(context, cancelled, { status }))
    },
    explain: changeCommand(context, lesson, CANCELLED).explain,
  }
}

/** Returns the lesson if an earlier request has cancelled it as given and lost its response. Rethrows the error otherwise. */
function recordedBefore(
  error: unknown,
  { by, reason = null, note = null, charge }: NewCancellation,
): Appointment {
  if (!(error instanceof Stale)) throw error
  const { current } = error as Stale<Appointment>
  const { cancellation } = current
  const isAsGiven =
    cancellation?.by === by &&
    cancellation.reason === reason &&
    cancellation.note === note &&
    (charge ?? cancellation.charged) === cancellation.charged
  if (!isAsGiven) throw error
  return current
}

/** Returns a command that deletes a lesson optimistically unless somebody else has changed it. */
export function deleting(context: LessonContext, lesson: Appointment): Command {
  return {
    run: async () => {
      const deleted = await queueOptimistically(lesson, 'deleted', (latest) =>
        mergeWrite(latest, { fields: fieldsOf(latest) }, (seen) => deleteAppointment(seen, context)),
      )
      const { place: _, ...done } = resultOf(context, deleted, restoring(context, deleted))
      return done
    },
    explain: (error) => whyNot(context, error, { like: lesson, editing: lesson }),
  }
}

export function booking(context: LessonContext, like: Appointment): Command {
  const { instructor_id, student_id, vehicle_ids, lesson_type_id } = like
  const { seats, topic, title, pickup_place, notes, start_at, end_at } = like
  const location_id = knownLocation(context.school, like)
  const attendees = like.attendees.flatMap(({ student_id }) =>
    context.school.student.has(student_id) ? { student_id, attended: null } : [],
  )
  const whom = { instructor_id, student_id, vehicle_ids, lesson_type_id, attendees, seats, topic }
  const body: NewAppointment = { ...whom, title, pickup_place, location_id, notes, start_at, end_at }
  return {
    run: async () => booked(context, await bookAppointment(body, context)),
    explain: (error) => whyNot(context, error, { like }),
  }
}

export function restoring(context: LessonContext, lesson: Appointment): Command {
  return {
    run: async () => booked(context, await restoreAppointment(lesson, context)),
    explain: (error) => whyNot(context, error, { like: lesson }),
  }
}

export function booked(context: LessonContext, lesson: Appointment): Done {
  return resultOf(context, lesson, deleting(context, lesson))
}

export function changed(context: LessonContext, before: Appointment, after: Appointment): Done {
  const wanted = valuesOf(before, changeBetween(before, after))
  return resultOf(context, after, changeCommand(context, after, wanted))
}

function resultOf(context: LessonContext, lesson: Appointment, opposite: Command): Done {
  return {
    opposite,
    stands: lessonText(lesson, context.school, context.t),
    place: placeOf(lesson, context.school),
  }
}

/** Returns the page that shows a lesson: the board or, for an instructor, their day. */
export function placeOf({ id, start_at }: Appointment, { user }: Pick<School, 'user'>): ShownPage {
  const to = user.role === 'instructor' ? '/today' : '/'
  return { to, search: { date: dateOf(start_at), lesson: id } }
}

function changeBetween(before: Appointment, after: Appointment): AppointmentChange {
  const fields = [
    'instructor_id',
    'student_id',
    'vehicle_ids',
    'lesson_type_id',
    'start_at',
    'end_at',
  ] as const
  const texts = ['seats', 'topic', 'title', 'pickup_place', 'location_id', 'notes'] as const
  const others = ['status', 'exam_result', 'actual_start_at', 'actual_end_at'] as const
  const isChanged = (field: keyof Appointment) => String(before[field]) !== String(after[field])
  const changed = [...fields, ...texts, ...others].filter(isChanged)
  return Object.fromEntries(changed.map((field) => [field, after[field]]))
}

/** Returns why an action failed, and offers another search or the lesson. Refetches, because the data may be stale. */
function whyNot(
  context: LessonContext,
  error: unknown,
  wanted: WantedLesson,
): ReturnType<Command['explain']> {
  const { client, school, t, appointments, find } = context
  const refusal = refusalIn(error)
  if (!(error instanceof Stale)) void followNow(client)
  if (!refusal) return { why: problemMessage(error, t) }
  const why = refusalMessage(refusal, { ...wanted.like, appointments }, school, t)
  if (find) return { why, offers: [{ label: t('find.open'), act: () => find(wanted) }] }
  const { editing } = wanted
  return { why, offers: editing ? [{ label: t('undo.show'), place: placeOf(editing, school) }] : [] }
}
