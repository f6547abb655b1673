import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { changing } from '../lessons/lesson-deeds.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { deliver } from './deliver.ts'
import type { Noted } from './noted.ts'

/** Says how a lesson goes or went: at once on the screen, and to the service as soon as it can be reached. */
export type Mark = (lesson: Appointment, noted: Noted) => Promise<void>

/**
 * How lessons of the day are marked; afterwards the day is read anew. What is done shows where it is done and is taken back
 * there, so that only a failure is told.
 */
export function useOutcomes(appointments: readonly Appointment[], refetch: () => Promise<unknown>): Mark {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  return async (lesson, noted) => {
    const deed = changing({ client, school, t, appointments, deliver }, lesson, noted)
    try {
      await deed.run()
    } catch (error) {
      toast({ kind: 'problem', text: `${t('booking.notSaved')}: ${deed.explain(error).why}` })
    }
    await refetch()
  }
}
