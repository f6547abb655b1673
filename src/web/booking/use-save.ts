import { type MutationFunctionContext, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { bookAppointment, changeAppointment } from '../api/appointments.ts'
import { inOrder } from '../api/in-order.ts'
import { useLessonActions } from '../lessons/use-lesson-actions.ts'
import { currentIn } from '../ui/problem-words.ts'
import { changeOf, type LessonForm, newAppointmentOf } from './form.ts'

const NO_LESSONS = [] as const

/** The form as filled in, and the lesson that it changes as it was seen; none for a new one. */
type Saving = { readonly form: LessonForm; readonly base: Appointment | undefined }

/** Saves the form; `theirs` is the lesson as somebody else has left it meanwhile. */
export function useSave(
  editing: Appointment | undefined,
  onBooked: (lesson: Appointment) => void,
  onDone: () => void,
) {
  const { tellSaved } = useLessonActions(NO_LESSONS)
  const [seen, setSeen] = useState(editing)
  const [theirs, setTheirs] = useState<Appointment>()
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: write,
    onSuccess: (saved, { base }) => {
      if (saved && base) tellSaved(base, saved)
      if (saved && !base) onBooked(saved)
      onDone()
    },
    onError: (failure, { base }) => {
      setSeen(base)
      setTheirs(currentIn(failure))
    },
  })
  const take = (current: Appointment) => {
    setSeen(current)
    setTheirs(undefined)
    reset()
  }
  // A request that is under way would be lost sight of.
  const forgetError = () => {
    if (error) reset()
  }
  const save = (form: LessonForm, base = seen) => mutate({ form, base })
  return { seen, theirs, error, isBusy: isPending, save, take, forgetError }
}

/** Saves the form; undefined if nothing has been changed. */
async function write(
  { form, base }: Saving,
  context: MutationFunctionContext,
): Promise<Appointment | undefined> {
  if (!base) return bookAppointment(newAppointmentOf(form), context)
  const change = changeOf(form, base)
  if (Object.keys(change).length === 0) return undefined
  return inOrder(base, (seen) => changeAppointment({ seen, change }, context))
}
