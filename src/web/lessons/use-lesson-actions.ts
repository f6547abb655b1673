import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { MINUTES_PER_WEEK, minutesLater } from '../../domain/local-time.ts'
import {
  bookAppointment,
  changeAppointment,
  deleteAppointment,
  dropAppointment,
  restoreAppointment,
  storeAppointment,
} from '../api/appointments.ts'
import { followNow } from '../api/following.ts'
import { currentIn, problemWords, refusalIn } from '../ui/problem-words.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { expectChange, forgetChange, inTurn } from './pending.ts'
import { refusalWords, whenWords } from './refusal-words.ts'
import { studentNameOf } from './student-name.ts'

export type LessonActions = ReturnType<typeof useLessonActions>

type Told = 'moved' | 'resized' | 'cancelled' | 'changed' | 'undone'

/** What can be done to a lesson without a form: at once on the screen, taken back with the reason if refused. */
export function useLessonActions(appointments: readonly Appointment[]) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()

  return useMemo(() => {
    const what = (lesson: Appointment) => `${studentNameOf(lesson, school, t)}, ${whenWords(lesson, school)}`

    const tell = (error: unknown, about: Appointment, beginning = t('booking.notSaved')) => {
      const refusal = refusalIn(error)
      const reason = refusal
        ? refusalWords(refusal, { ...about, appointments }, school, t)
        : problemWords(error, t)
      const current = currentIn(error)
      if (current) void storeAppointment(client, current)
      else void followNow(client)
      toast({ kind: 'problem', text: `${beginning}: ${reason}` })
    }

    /** Whether the service has done it. */
    const change = async (lesson: Appointment, wanted: AppointmentChange, told: Told): Promise<boolean> => {
      expectChange(lesson.id, wanted)
      let isDone = false
      await inTurn(lesson, async (latest) => {
        try {
          const changed = await changeBesideOthers(latest, wanted)
          await storeAppointment(client, changed)
          const back = () => change(changed, valuesOf(latest, wanted), 'undone')
          const text = t(`booking.${told}`, { what: what(changed) })
          toast({ kind: 'done', text, ...(told === 'undone' ? {} : { undo: back }) })
          isDone = true
          return changed
        } catch (error) {
          tell(error, { ...latest, ...wanted })
          return latest
        } finally {
          forgetChange(lesson.id, wanted)
        }
      })
      return isDone
    }

    const restore = async (lesson: Appointment): Promise<boolean> => {
      try {
        await storeAppointment(client, await restoreAppointment(lesson))
        toast({ kind: 'done', text: t('booking.undone', { what: what(lesson) }) })
        return true
      } catch (error) {
        tell(error, lesson)
        return false
      }
    }

    const remove = async (lesson: Appointment, told: 'deleted' | 'undone' = 'deleted'): Promise<boolean> => {
      expectChange(lesson.id, 'deleted')
      let isDone = false
      await inTurn(lesson, async (latest) => {
        try {
          await deleteAppointment(latest)
          await dropAppointment(client, lesson.id)
          const text = t(`booking.${told}`, { what: what(latest) })
          toast({ kind: 'done', text, ...(told === 'undone' ? {} : { undo: () => restore(latest) }) })
          isDone = true
        } catch (error) {
          tell(error, latest)
        } finally {
          forgetChange(lesson.id, 'deleted')
        }
        return latest
      })
      return isDone
    }

    const tellBooked = (lesson: Appointment) =>
      toast({
        kind: 'done',
        text: t('booking.booked', { what: what(lesson) }),
        undo: () => remove(lesson, 'undone'),
      })

    const duplicate = async (lesson: Appointment) => {
      const { instructor_id, student_id, lesson_type_id, title, notes } = lesson
      const times = {
        start_at: minutesLater(lesson.start_at, MINUTES_PER_WEEK),
        end_at: minutesLater(lesson.end_at, MINUTES_PER_WEEK),
      }
      const copy = { instructor_id, student_id, lesson_type_id, title, notes, ...times }
      try {
        const booked = await bookAppointment(copy)
        await storeAppointment(client, booked)
        tellBooked(booked)
      } catch (error) {
        const wanted = { ...lesson, ...times }
        tell(error, wanted, `${t('booking.notSaved')}: ${what(wanted)}`)
      }
    }

    return { change, remove, duplicate, tellBooked }
  }, [appointments, client, school, t])
}

/** Where another clerk was first, but has left alone what is to be changed here, both changes hold. */
async function changeBesideOthers(seen: Appointment, wanted: AppointmentChange): Promise<Appointment> {
  try {
    return await changeAppointment(seen, wanted)
  } catch (error) {
    const current = currentIn(error)
    const touched = ['status', ...Object.keys(wanted)] as (keyof AppointmentChange)[]
    if (!current || touched.some((field) => current[field] !== seen[field])) throw error
    return changeAppointment(current, wanted)
  }
}

/** What a change takes back: the lesson's own values of the same fields. */
function valuesOf(lesson: Appointment, change: AppointmentChange): AppointmentChange {
  const fields = Object.keys(change) as (keyof AppointmentChange)[]
  return Object.fromEntries(fields.map((field) => [field, lesson[field]]))
}
