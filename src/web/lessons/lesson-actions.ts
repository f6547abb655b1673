import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { MINUTES_PER_WEEK, minutesLater } from '../../domain/local-time.ts'
import { isFarFromActualTimes } from '../ui/problem-messages.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { act, type Done, recordStep, type WantedLesson } from '../ui/undo/steps.ts'
import {
  booking,
  changeCommand,
  deleting,
  feeCommand,
  type LessonContext,
  lessonStep,
  WITHOUT_ACTUAL_TIMES,
} from './lesson-commands.ts'
import { type LessonStepKind, lessonText, newVehicleNames, stepText } from './lesson-texts.ts'

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
        {
          run,
          explain: async (error) => ({
            ...(await explain(error)),
            ...(isFarFromActualTimes(error) && { offers }),
          }),
        },
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
      /** Charges the fee of a cancellation, or waives it. */
      decideFee: (lesson: Appointment, charge: boolean) =>
        act(feeCommand(context, lesson, charge), {
          message: ({ stands }) => ({
            text: t('booking.changed', { what: stands }),
            label: stepText('changed', lesson, context),
          }),
          failed,
        }),
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
      reportBooked: async (lesson: Appointment, sets: readonly string[]) => {
        const done = await lessonStep(context, sets, { undone: [], done: [lesson] })
        recordStep(messageAs('booked', lesson)(done), done)
      },
      /** Reports a lesson changed by a form, with undo. */
      reportSaved: async (before: Appointment, lesson: Appointment, sets: readonly string[]) => {
        const done = await lessonStep(context, sets, { undone: [before], done: [lesson] })
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
