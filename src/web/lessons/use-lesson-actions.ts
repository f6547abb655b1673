import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { useSchool } from '../ui/school.tsx'
import { change, duplicate, remove, type Told, tellBooked, type Wanted } from './lesson-actions.ts'

export type LessonActions = ReturnType<typeof useLessonActions>

/** What can be done to a lesson without a form: at once on the screen, taken back with the reason if refused, which `find` may mend. */
export function useLessonActions(appointments: readonly Appointment[], find?: (wanted: Wanted) => void) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  return useMemo(() => {
    const desk = { client, school, t, appointments, find }
    return {
      change: (lesson: Appointment, wanted: AppointmentChange, told: Told) =>
        change(desk, lesson, wanted, told),
      remove: (lesson: Appointment) => remove(desk, lesson, 'deleted'),
      duplicate: (lesson: Appointment) => duplicate(desk, lesson),
      tellBooked: (lesson: Appointment) => tellBooked(desk, lesson),
      find,
    }
  }, [appointments, client, school, t, find])
}
