import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { backgroundCode } from '../ui/background-code.ts'
import { useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'

/** A function that returns the text that marks a lesson; empty if nothing is wrong. */
export type MarkOf = (lesson: Appointment) => string

const marks = backgroundCode(() => import('./marks.ts'))

/** Fetches the code of `useMarks` ahead. */
export const loadMarks = marks.load

/**
 * Returns a function that marks lessons which cannot stay where they are or need attention, once the rules are loaded.
 * Limits count `lessons` only: without the rest of the week no lesson is over that of the week.
 */
export function useMarks(lessons: readonly Appointment[]): MarkOf {
  const school = useSchool()
  const { t } = useTranslation()
  const now = useNow()
  const code = marks.use()
  return useMemo(
    () => code?.marksAmong(lessons, school, now, t) ?? (() => ''),
    [lessons, school, t, now, code],
  )
}
