import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { localNow } from '../../domain/time-zone.ts'
import { lessonsOfStudent } from '../api/appointments.ts'
import type { Draft } from '../lessons/verdict.ts'
import { warningWords } from '../lessons/warning-words.ts'
import { requirementFor, warningsOn } from '../lessons/warnings.ts'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { Reasons } from './reasons.tsx'

/** What to know before booking a complete draft, which the rules do not mind. */
export function WarningNotice({ draft }: { draft: Draft }) {
  const school = useSchool()
  const { t } = useTranslation()
  const isCounted = requirementFor(draft, school) !== undefined
  const { data: lessons } = useQuery({ ...lessonsOfStudent(draft.student_id ?? ''), enabled: isCounted })
  const now = localNow(new Date(), school.tenant.timezone)
  const words = warningsOn(draft, school, { now, lessons }).map((warning) =>
    warningWords(warning, draft.instructor_id, school, t),
  )
  if (words.length === 0) return null
  return (
    <Notice kind="warn">
      <Reasons words={words} />
    </Notice>
  )
}
