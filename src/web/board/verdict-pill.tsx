import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Icon } from '../ui/icon.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { useHover } from './hover-verdict.ts'
import { refusalWords, whenWords } from './refusal-words.ts'
import css from './verdict-pill.module.css'
import { loadWords } from './verdict-words.ts'

/** While a lesson is held: where it is, and whether it may be dropped there. */
export function VerdictPill({ lessons }: { lessons: readonly Appointment[] }) {
  const hover = useHover()
  const school = useSchool()
  const { t } = useTranslation()
  if (!hover) return null
  const { draft, verdict } = hover
  const instructor = school.instructor.get(draft.instructor_id)
  const refusal = verdict?.refusal
  return (
    <div className={css.pill} data-held data-refused={refusal ? '' : undefined} role="status">
      <Icon name={refusal ? 'alert' : 'check'} />
      <div>
        <strong>
          {whenWords(draft, school)}
          {instructor && ` · ${nameOf(instructor)}`}
        </strong>
        <br />
        {refusal
          ? refusalWords(refusal, { ...draft, appointments: lessons }, school, t)
          : verdict && `${t('verdict.allowed')} · ${loadWords(verdict, school, t).join(' · ')}`}
      </div>
    </div>
  )
}
