import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'
import type { comingWarningsOf } from './coming-warnings.ts'
import { misplacedFor } from './misplaced.ts'

/** Returns the words that mark a lesson; empty if nothing is wrong. */
export type MarkOf = (lesson: Appointment) => string

let load: Promise<{ readonly comingWarningsOf: typeof comingWarningsOf }> | undefined

/** Returns marks for lessons that cannot stay where they are and, once warnings are loaded, those that need attention. */
export function useMarks(): MarkOf {
  const school = useSchool()
  const { t } = useTranslation()
  const now = useNow()
  const [warn, setWarn] = useState<typeof comingWarningsOf>()
  useEffect(() => {
    load ??= import('./coming-warnings.ts')
    void load.then(
      (module) => setWarn(() => module.comingWarningsOf),
      () => {
        load = undefined
      },
    )
  }, [])
  return useMemo(
    () => (lesson) => {
      const instructor = school.instructor.get(lesson.instructor_id)
      const misplaced = instructor && misplacedFor(lesson, instructor)
      if (misplaced) return t(`board.${misplaced}`)
      for (const warning of warn?.(lesson, school, now) ?? []) {
        if (warning.code === 'class_not_taught') return t('mark.class_not_taught', warning.params)
        if (warning.code === 'not_dark') return t('mark.not_dark')
      }
      return ''
    },
    [school, t, now, warn],
  )
}
