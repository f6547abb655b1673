import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { useSchool } from '../ui/school.tsx'
import { change, duplicate, remove, tellBooked, tellSaved } from './lesson-actions.ts'
import type { Wanted } from './lesson-deeds.ts'
import type { Change } from './step-words.ts'

export type LessonActions = ReturnType<typeof useLessonActions>

/**
 * Returns the actions on a lesson that need no form: optimistic, reverted with the reason if refused. `find` may offer other times.
 */
export function useLessonActions(appointments: readonly Appointment[], find?: (wanted: Wanted) => void) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const isHere = useIsHere()
  return useMemo(() => {
    const desk = {
      ...{ client, school, t, appointments },
      get find() {
        return isHere.current ? find : undefined
      },
    }
    return {
      change: (lesson: Appointment, wanted: AppointmentChange, kind: Change) =>
        change(desk, lesson, wanted, kind),
      remove: (lesson: Appointment) => remove(desk, lesson),
      duplicate: (lesson: Appointment) => duplicate(desk, lesson),
      tellBooked: (lesson: Appointment) => tellBooked(desk, lesson),
      tellSaved: (before: Appointment, lesson: Appointment) => tellSaved(desk, before, lesson),
      find,
    }
  }, [appointments, client, school, t, find, isHere])
}

/** Whether the component still stands: what was done there may be taken back anywhere. */
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
