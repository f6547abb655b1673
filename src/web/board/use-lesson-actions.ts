import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { localDateTimeFor, MINUTES_PER_DAY, minuteOf } from '../../domain/local-time.ts'
import {
  bookAppointment,
  changeAppointment,
  deleteAppointment,
  dropAppointment,
  restoreAppointment,
  storeAppointment,
} from '../api/appointments.ts'
import { currentIn, problemWords, refusalIn } from '../ui/problem-words.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { inTurn } from './in-turn.ts'
import { studentNameOf } from './lesson-event.ts'
import { expectChange, forgetChange } from './optimistic.ts'
import { refusalWords, whenWords } from './refusal-words.ts'

export type LessonActions = ReturnType<typeof useLessonActions>

type Told = 'moved' | 'resized' | 'cancelled' | 'changed' | 'undone'

/** What can be done to a lesson without a form: at once on the screen, taken back with the reason if refused. */
export function useLessonActions(appointments: readonly Appointment[]) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()

  return useMemo(() => {
    const what = (lesson: Appointment) => `${studentNameOf(lesson, school, t)}, ${whenWords(lesson, school)}`

    const tell = (error: unknown, about: Appointment) => {
      const refusal = refusalIn(error)
      const reason = refusal
        ? refusalWords(refusal, { ...about, appointments }, school, t)
        : problemWords(error, t)
      const current = currentIn(error)
      if (current) void storeAppointment(client, current)
      else void client.invalidateQueries({ queryKey: ['appointments'] })
      toast({ kind: 'problem', text: `${t('booking.notSaved')}: ${reason}` })
    }

    const change = (lesson: Appointment, wanted: AppointmentChange, told: Told) => {
      expectChange(lesson.id, wanted)
      return inTurn(lesson, async (latest) => {
        try {
          const changed = await changeAppointment(latest, wanted)
          await storeAppointment(client, changed)
          toast({
            kind: 'done',
            text: t(`booking.${told}`, { what: what(changed) }),
            ...(told === 'undone' ? {} : { undo: () => change(changed, valuesOf(lesson, wanted), 'undone') }),
          })
          return changed
        } catch (error) {
          tell(error, { ...latest, ...wanted })
          return latest
        } finally {
          forgetChange(lesson.id, wanted)
        }
      })
    }

    const restore = async (lesson: Appointment) => {
      try {
        await storeAppointment(client, await restoreAppointment(lesson))
        toast({ kind: 'done', text: t('booking.undone', { what: what(lesson) }) })
      } catch (error) {
        tell(error, lesson)
      }
    }

    const remove = (lesson: Appointment, told: 'deleted' | 'undone' = 'deleted') => {
      expectChange(lesson.id, 'deleted')
      return inTurn(lesson, async (latest) => {
        try {
          await deleteAppointment(latest)
          await dropAppointment(client, lesson.id)
          toast({
            kind: 'done',
            text: t(`booking.${told}`, { what: what(latest) }),
            ...(told === 'deleted' ? { undo: () => restore(latest) } : {}),
          })
        } catch (error) {
          tell(error, latest)
        } finally {
          forgetChange(lesson.id, 'deleted')
        }
        return latest
      })
    }

    const tellBooked = (lesson: Appointment) =>
      toast({
        kind: 'done',
        text: t('booking.booked', { what: what(lesson) }),
        undo: () => remove(lesson, 'undone'),
      })

    const duplicate = async (lesson: Appointment) => {
      const { instructor_id, student_id, lesson_type_id, title, notes } = lesson
      const times = { start_at: weekLater(lesson.start_at), end_at: weekLater(lesson.end_at) }
      const copy = { instructor_id, student_id, lesson_type_id, title, notes, ...times }
      try {
        const booked = await bookAppointment(copy)
        await storeAppointment(client, booked)
        tellBooked(booked)
      } catch (error) {
        tell(error, { ...lesson, ...times })
      }
    }

    return { change, remove, duplicate, tellBooked }
  }, [appointments, client, school, t])
}

/** What a change takes back: the lesson's own values of the same fields. */
function valuesOf(lesson: Appointment, change: AppointmentChange): AppointmentChange {
  const fields = Object.keys(change) as (keyof AppointmentChange)[]
  return Object.fromEntries(fields.map((field) => [field, lesson[field]]))
}

function weekLater(local: string): string {
  return localDateTimeFor(minuteOf(local) + 7 * MINUTES_PER_DAY)
}
