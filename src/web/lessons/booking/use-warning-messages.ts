import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { skyOf } from '../../../domain/daylight.ts'
import { lessonsOfStudent } from '../../data/appointments.ts'
import { openingBalanceOf } from '../../data/opening-balance.ts'
import { useSchool } from '../../ui/school.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { Draft } from '../verdict.ts'
import { warningMessages } from '../warning-messages.ts'
import { requirementFor, warningsOn } from '../warnings.ts'

const NONE: readonly string[] = []

/** Returns the warnings about a draft; empty while it is incomplete. */
export function useWarningMessages(draft: Draft, isComplete: boolean): readonly string[] {
  const school = useSchool()
  const { t } = useTranslation()
  const isCounted = isComplete && requirementFor(draft, school) !== undefined
  const { data: lessons } = useQuery({ ...lessonsOfStudent(draft.student_id ?? ''), enabled: isCounted })
  const { data: opening } = useQuery({ ...openingBalanceOf(draft.student_id ?? ''), enabled: isCounted })
  const now = useNow()
  if (!isComplete) return NONE
  return warningsOn(draft, school, { now, lessons, opening, sky: skyOf(school.tenant) }).map((warning) =>
    warningMessages(warning, draft, school, t),
  )
}
