import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts'
import { dateOf, MINUTES_PER_WEEK, minutesLater } from '../../domain/local-time.ts'
import {
  bookAppointment,
  changeAppointment,
  deleteAppointment,
  restoreAppointment,
} from '../data/appointments.ts'
import { followNow } from '../data/following.ts'
import { fieldsOf, mergeWrite, queueOptimistically, Stale } from '../data/write-queue.ts'
import { isFarFromActualTimes, problemMessage, refusalIn } from '../ui/problem-messages.ts'
import { knownLocation, nameOf, type School, useSchool } from '../ui/school.tsx'
import type { ShownPage } from '../ui/toasts.ts'
import { act, type Command, type Done, recordStep } from '../ui/undo/steps.ts'
import { valuesOf } from '../ui/undo/values-of.ts'
import { type LessonStepKind, lessonText, newVehicleNames, stepText } from './lesson-texts.ts'
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

export type LessonActions = ReturnType<typeof useLessonActions>

/**
 * Returns the actions on a lesson that need no form. They are shown at once, and reverted with a reason if refused.
 * Writing actions resolve to whether they succeeded. After a refusal, `find` can search for another time.
 */
export function useLessonActions(
  appointments: readonly Appointment[],
  find?: (wanted: WantedLesson) => void,
) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const isHere = useIsHere()
  return useMemo(() => {
    /** Changes a lesson. If its actual times prevent that, offers to clear them. */
    const change = (
      lesson: Appointment,
      wanted: AppointmentChange,
      kind: LessonStepKind,
    ): Promise<boolean> => {
      const { run, explain } = changeCommand(context, lesson, wanted)
      const withoutActual = () => void change(lesson, { ...wanted, ...WITHOUT_ACTUAL_TIMES }, kind)
      const offers = [{ label: t('booking.withoutActual'), act: withoutActual }]
      return act(
        { run, explain: (error) => ({ ...explain(error), ...(isFarFromActualTimes(error) && { offers }) }) },
        {
          message: ({ stands }) => ({
            text: t(`booking.${kind}`, { what: withNewPlace(stands, context, lesson, wanted) }),
            label: stepText(kind, { ...lesson, ...wanted }, context, lesson),
          }),
          failed,
        },
      )
    }
    const context = {
      ...{ client, school, t, appointments },
      get find() {
        return isHere.current ? find : undefined
      },
    }
    const failed = (why: string) => `${t('booking.notSaved')}: ${why}`
    const messageAs = (kind: 'booked' | 'deleted', lesson: Appointment) => (done: Done) => ({
      text: t(`booking.${kind}`, { what: done.stands }),
      label: stepText(kind, lesson, context),
    })
    return {
      change,
      remove: (lesson: Appointment) =>
        act(deleting(context, lesson), { message: messageAs('deleted', lesson), failed }),
      /** Books the same lesson a week later. */
      duplicate: (lesson: Appointment) => {
        const start_at = minutesLater(lesson.start_at, MINUTES_PER_WEEK)
        const like = { ...lesson, start_at, end_at: minutesLater(lesson.end_at, MINUTES_PER_WEEK) }
        return act(booking(context, like), {
          message: messageAs('booked', like),
          failed: (why) => failed(`${lessonText(like, school, t)}: ${why}`),
        })
      },
      /** Reports a lesson booked by a form, with undo. */
      reportBooked: (lesson: Appointment) => {
        const done = booked(context, lesson)
        recordStep(messageAs('booked', lesson)(done), done)
      },
      /** Reports a lesson changed by a form, with undo. */
      reportSaved: (before: Appointment, lesson: Appointment) => {
        const done = changed(context, before, lesson)
        const text = t('booking.saved', { what: withNewPlace(done.stands, context, before, lesson) })
        recordStep({ text, label: stepText('changed', lesson, context) }, done)
      },
      find,
    }
  }, [appointments, client, school, t, find, isHere])
}

/** Returns a ref to whether the component is mounted: its actions can be undone later, on any page. */
function useIsHere() {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}

/** Appends the instructor and the vehicles to the text if they have changed. */
function withNewPlace(
  stands: string | undefined,
  { school }: LessonContext,
  before: Appointment,
  { instructor_id = before.instructor_id, vehicle_ids = before.vehicle_ids }: AppointmentChange,
): string {
  const instructor = instructor_id === before.instructor_id ? undefined : school.instructor.get(instructor_id)
  const vehicles = newVehicleNames(before, vehicle_ids, school)
  return [stands, instructor && nameOf(instructor), ...vehicles].filter(Boolean).join(' · ')
}

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
      return resultOf(context, changed, changeCommand(context, changed, valuesOf(seen, wanted)))
    },
    explain: (error) => whyNot(context, error, { like: { ...seen, ...wanted }, editing: seen }),
  }
}

/** Returns a command that deletes a lesson optimistically unless somebody else has changed it. */
function deleting(context: LessonContext, lesson: Appointment): Command {
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

function booking(context: LessonContext, like: Appointment): Command {
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

function booked(context: LessonContext, lesson: Appointment): Done {
  return resultOf(context, lesson, deleting(context, lesson))
}

function changed(context: LessonContext, before: Appointment, after: Appointment): Done {
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
