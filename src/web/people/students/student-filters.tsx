import { useTranslation } from 'react-i18next'
import type { ListedStudent } from '../../../contract/student.ts'
import { Button } from '../../ui/button.tsx'
import { useSchool } from '../../ui/school.tsx'
import { isLacking } from './lacking.ts'
import { LACKS, type Lack } from './student-search.ts'
import css from './students-page.module.css'

type LackFilterProps = {
  readonly chosen: Lack | undefined
  readonly trained: ReadonlyMap<string, ListedStudent> | undefined
  readonly onChange: (lack: Lack | undefined) => void
}

/** Filters the list by missing records, with the number of students who lack each. Hidden where nobody lacks anything. */
export function LackFilter({ chosen, trained, onChange }: LackFilterProps) {
  const { students } = useSchool()
  const { t } = useTranslation()
  const counted = LACKS.map((lack) => ({
    lack,
    count: students.filter((one) => isLacking(lack, one, trained?.get(one.id))).length,
  }))
  const shown = counted.filter(({ lack, count }) => count > 0 || lack === chosen)
  if (shown.length === 0) return null
  return (
    <fieldset className={css.lacks} aria-label={t('lacks.title')}>
      {shown.map(({ lack, count }) => (
        <Button
          key={lack}
          look={lack === chosen ? 'chosen' : 'bare'}
          aria-pressed={lack === chosen}
          onClick={() => onChange(lack === chosen ? undefined : lack)}
        >
          {t(`lacks.${lack}`)} <span className={css.count}>{count}</span>
        </Button>
      ))}
    </fieldset>
  )
}
