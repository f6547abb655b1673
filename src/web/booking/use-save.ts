import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { bookAppointment, changeAppointment, storeAppointment } from '../api/appointments.ts'
import { inTurn } from '../lessons/pending.ts'
import { whenWords } from '../lessons/refusal-words.ts'
import { studentNameOf } from '../lessons/student-name.ts'
import { currentIn } from '../ui/problem-words.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { changeOf, type LessonForm, newAppointmentOf } from './form.ts'

/** Saves the form; `theirs` is the lesson as somebody else has left it meanwhile. */
export function useSave(
  editing: Appointment | undefined,
  onBooked: (lesson: Appointment) => void,
  onDone: () => void,
) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const [seen, setSeen] = useState(editing)
  const [theirs, setTheirs] = useState<Appointment>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  const write = async (form: LessonForm, base: Appointment | undefined) => {
    if (!base) {
      const booked = await bookAppointment(newAppointmentOf(form))
      await storeAppointment(client, booked)
      onBooked(booked)
      return
    }
    const change = changeOf(form, base)
    if (Object.keys(change).length === 0) return
    const saved = await inTurn(base, (latest) => changeAppointment(latest, change))
    await storeAppointment(client, saved)
    const what = `${studentNameOf(saved, school, t)}, ${whenWords(saved, school)}`
    toast({ kind: 'done', text: t('booking.saved', { what }) })
  }

  const save = async (form: LessonForm, base = seen) => {
    setBusy(true)
    setError(undefined)
    try {
      await write(form, base)
      onDone()
    } catch (failure) {
      setError(failure)
      const current = currentIn(failure)
      setSeen(base)
      setTheirs(current)
      if (current) void storeAppointment(client, current)
    } finally {
      setBusy(false)
    }
  }

  const take = (current: Appointment) => {
    setSeen(current)
    setTheirs(undefined)
    setError(undefined)
  }

  return { seen, theirs, error, isBusy, save, take, forgetError: () => setError(undefined) }
}
