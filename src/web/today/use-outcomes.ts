import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { change } from '../lessons/lesson-actions.ts'
import { useSchool } from '../ui/school.tsx'
import { deliver } from './deliver.ts'

export type Outcome = 'planned' | 'completed' | 'no_show'

/** Says how a lesson went: at once on the screen, and to the service as soon as it can be reached. */
export type Mark = (lesson: Appointment, status: Outcome) => void

/** How lessons of the day are marked; afterwards the day is read anew. */
export function useOutcomes(appointments: readonly Appointment[], refetch: () => Promise<unknown>): Mark {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  return (lesson, status) => {
    const desk = { client, school, t, appointments, deliver, isQuiet: true }
    void change(desk, lesson, { status }, 'changed').then(refetch)
  }
}
