import { useTranslation } from 'react-i18next'
import { whenText } from '../lessons/lesson-texts.ts'
import { loadText } from '../lessons/verdict-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { useHover } from './use-moves.ts'
import { usePlaceNearby } from './use-place-nearby.ts'
import css from './verdict-pill.module.css'

/** Shows the position of a held lesson and whether it may be dropped there. */
export function VerdictPill() {
  const hover = useHover()
  const pill = usePlaceNearby(hover)
  const school = useSchool()
  const { t } = useTranslation()
  if (!hover) return null
  const { draft, objections, warnings, verdict } = hover
  const instructor = school.instructor.get(draft.instructor_id)
  const isRefused = objections.length > 0
  const text = verdict
    ? [t('verdict.allowed'), ...loadText(verdict, school, t)].join(' · ')
    : t('booking.unchecked')
  return (
    <div ref={pill} className={css.pill} data-held data-refused={isRefused ? '' : undefined} role="status">
      <Icon name={isRefused ? 'alert' : 'check'} />
      <div>
        <strong>
          {whenText(draft, school)}
          {instructor && ` · ${nameOf(instructor)}`}
        </strong>
        {(isRefused ? objections : [text]).map((line) => (
          <div key={line}>{line}</div>
        ))}
        {warnings.map((line) => (
          <div key={line} className={css.warning}>
            {line}
          </div>
        ))}
      </div>
    </div>
  )
}
