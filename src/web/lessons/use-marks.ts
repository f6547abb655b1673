import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'
import type { markFor } from './marks.ts'

/** A function that returns the text that marks a lesson; empty if nothing is wrong. */
export type MarkOf = (lesson: Appointment) => string

let load: Promise<{ readonly markFor: typeof markFor }> | undefined

/** Returns a function that marks lessons which cannot stay where they are or need attention, once the rules are loaded. */
export function useMarks(): MarkOf {
  const school = useSchool()
  const { t } = useTranslation()
  const now = useNow()
  const [mark, setMark] = useState<typeof markFor>()
  useEffect(() => {
    load ??= import('./marks.ts')
    void load.then(
      (module) => setMark(() => module.markFor),
      () => {
        load = undefined
      },
    )
  }, [])
  return useMemo(() => (lesson) => mark?.(lesson, school, now, t) ?? '', [school, t, now, mark])
}
