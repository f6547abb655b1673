import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts'
import { dateOf } from '../../domain/local-time.ts'
import {
  bookAppointment,
  changeAppointment,
  deleteAppointment,
  restoreAppointment,
} from '../data/appointments.ts'
import { decideFee } from '../data/cancellations.ts'
import { followNow } from '../data/following.ts'
import { fieldsOf, mergeWrite, queueOptimistically, Stale, type WriteContext } from '../data/write-queue.ts'
import { lazily } from '../ui/lazily.ts'
import { problemMessage, refusalIn } from '../ui/problem-messages.ts'
import { knownLocation, type School } from '../ui/school.tsx'
import type { ShownPage, ToastAction } from '../ui/toasts.ts'
import {
  type Command,
  type Done,
  type Reason,
  type Side,
  setsOf,
  type WantedLesson,
} from '../ui/undo/steps.ts'
import { lessonText } from './lesson-texts.ts'

export type LessonContext = {
  readonly client: QueryClient
  readonly school: School
  readonly t: TFunction
  /** The appointments that refusals may refer to. */
  readonly appointments: readonly Appointment[]
  readonly find?: ((wanted: WantedLesson) => void) | undefined
}

/** The texts of refusals, which the first page does not wait for. */
const refusals = lazily(() => import('./refusal-messages.ts'))

export const WITHOUT_ACTUAL_TIMES = { actual_start_at: null, actual_end_at: null } as const

/** Returns a command that changes a lesson optimistically and merges others' changes. */
export function changeCommand(
  context: LessonContext,
  lesson: Appointment,
  wanted: AppointmentChange,
): Command {
  const basis = { fields: ['status', ...Object.keys(wanted)], change: wanted }
  return writeCommand(context, lesson, wanted, (latest, send) =>
    mergeWrite(latest, basis, (seen) => send(seen, (to) => changeAppointment({ seen, change: wanted }, to))),
  )
}

/** Returns a command that charges the fee of a cancellation, or waives it. */
export function feeCommand(context: LessonContext, lesson: Appointment, charge: boolean): Command {
  return writeCommand(context, lesson, {}, (seen, send) =>
    send(seen, (to) => decideFee({ seen, change: { charge } }, to)),
  )
}

type Send = (
  seen: Appointment,
  request: (writing: WriteContext) => Promise<Appointment>,
) => Promise<Appointment>

/** Returns a command that writes a lesson in turn with its other writes, and shows the wanted fields at once. */
export function writeCommand(
  context: LessonContext,
  lesson: Appointment,
  wanted: AppointmentChange,
  write: (latest: Appointment, send: Send) => Promise<Appointment>,
): Command {
  let before = lesson
  const sets: string[] = []
  const send: Send = (seen, request) => {
    before = seen
    return request({ client: context.client, sets })
  }
  return {
    run: async () => {
      const after = await queueOptimistically(lesson, wanted, (latest) => {
        before = latest
        return write(latest, send)
      })
      return lessonStep(context, sets, { undone: [before], done: [after] })
    },
    explain: (error) => whyNot(context, error, { like: { ...before, ...wanted }, editing: before }),
  }
}

/** Returns a command that deletes a lesson optimistically unless somebody else has changed it. */
export function deleting(context: LessonContext, lesson: Appointment): Command {
  const sets: string[] = []
  return {
    run: async () => {
      const deleted = await queueOptimistically(lesson, 'deleted', (latest) =>
        mergeWrite(latest, { fields: fieldsOf(latest) }, (seen) =>
          deleteAppointment(seen, { client: context.client, sets }),
        ),
      )
      return lessonStep(context, sets, { undone: [deleted], done: [] })
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
  return creating(context, like, (to) => bookAppointment(body, to))
}

export function restoring(context: LessonContext, lesson: Appointment): Command {
  return creating(context, lesson, (to) => restoreAppointment(lesson, to))
}

function creating(
  context: LessonContext,
  like: Appointment,
  create: (writing: WriteContext) => Promise<Appointment>,
): Command {
  const sets: string[] = []
  return {
    run: async () => {
      const created = await create({ client: context.client, sets })
      return lessonStep(context, sets, { undone: [], done: [created] })
    },
    explain: (error) => whyNot(context, error, { like }),
  }
}

type Lessons = Readonly<Record<Side, readonly Appointment[]>>

/** Returns the step of lessons, given as they are when it is undone and when it is done. Names a single one. */
export async function lessonStep(
  context: LessonContext,
  sets: readonly string[],
  on: Lessons,
): Promise<Done> {
  const { school, t } = context
  const [only, ...others] = on.done.length > 0 ? on.done : on.undone
  const rows = { kind: 'appointments' as const, on }
  return {
    context,
    sets: await setsOf(sets, context, rows),
    rows,
    ...(only && others.length === 0 && { stands: lessonText(only, school, t) }),
    ...(on.done[0] && { place: placeOf(on.done[0], school) }),
  }
}

/** Returns the page that shows a lesson: the board or, for an instructor, their day. */
export function placeOf({ id, start_at }: Appointment, { user }: Pick<School, 'user'>): ShownPage {
  const to = user.role === 'instructor' ? '/today' : '/'
  return { to, search: { date: dateOf(start_at), lesson: id } }
}

/** Returns why an action failed, and offers another search or the lesson. Refetches, because the data may be stale. */
async function whyNot(context: LessonContext, error: unknown, wanted: WantedLesson): Promise<Reason> {
  const { client, school, t, appointments } = context
  const refusal = refusalIn(error)
  if (!(error instanceof Stale)) void followNow(client)
  if (!refusal) return { why: problemMessage(error, t) }
  const texts = await refusals.load().catch(() => undefined)
  const why =
    texts?.refusalMessage(refusal, { ...wanted.like, appointments }, school, t) ?? problemMessage(error, t)
  return { why, offers: remediesFor(context, wanted) }
}

/** Returns what to offer if a rule forbids a lesson: another search, or a link to the stored one. */
export function remediesFor(
  { find, school, t }: Done['context'],
  wanted: WantedLesson,
): readonly ToastAction[] {
  if (find) return [{ label: t('find.open'), act: () => find(wanted) }]
  const { editing } = wanted
  return editing ? [{ label: t('undo.show'), place: placeOf(editing, school) }] : []
}
