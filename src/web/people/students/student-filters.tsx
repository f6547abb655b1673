import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedStudent } from '../../../contract/student.ts'
import { Button } from '../../ui/button.tsx'
import { Folded } from '../../ui/folded.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { useSchool } from '../../ui/school.tsx'
import { isLacking } from './lacking.ts'
import { LACKS, type StudentSearch } from './student-search.ts'
import css from './students-page.module.css'

type LackFiltersProps = {
  readonly chosen: StudentSearch
  readonly trained: ReadonlyMap<string, ListedStudent> | undefined
  readonly onChange: (change: Partial<StudentSearch>) => void
}

/** `count` is the number of listed students. */
type FiltersProps = LackFiltersProps & { readonly count: number }

/** Lists other than that of the current students, of which one is shown at a time. */
const LISTS = ['missed', 'former', 'deleted'] as const
const CURRENT = { missed: undefined, former: undefined, deleted: undefined }

/** Chooses the students that are listed, and shows how many they are. */
export function StudentFilters({ count, ...filters }: FiltersProps) {
  const { chosen, onChange } = filters
  const { t } = useTranslation()
  const isOfStudents = !chosen.missed && !chosen.deleted
  return (
    <div className={css.filters}>
      <OptionSelect
        label={t('student.list')}
        value={LISTS.find((list) => chosen[list]) ?? 'current'}
        options={[
          ['current', t('student.current')],
          ...LISTS.map((list) => [list, t(`${list}.show`)] as const),
        ]}
        onChange={(list) => onChange({ ...CURRENT, ...(list !== 'current' && { [list]: true }) })}
      />
      {isOfStudents && (
        <>
          <FoldedFilters {...filters} />
          <span className={css.listed} role="status">
            {t('student.count', { count })}
          </span>
        </>
      )}
    </div>
  )
}

function FoldedFilters(filters: LackFiltersProps) {
  const { chosen, onChange } = filters
  const { t } = useTranslation()
  const count = Number(chosen.ready === true) + Number(chosen.lacks !== undefined)
  return (
    <Folded upTo={700} label={`${t('student.filter')}${count > 0 ? ` (${count})` : ''}`}>
      {() => (
        <div className={css.choices}>
          <Filter
            isChosen={chosen.ready === true}
            onChoose={(on) => onChange({ ready: on ? true : undefined })}
          >
            {t('exam.onlyReady')}
          </Filter>
          <LackFilters {...filters} />
        </div>
      )}
    </Folded>
  )
}

/** Filters the list by missing records, with the number of students who lack each. Hidden where nobody lacks anything. */
function LackFilters({ chosen, trained, onChange }: LackFiltersProps) {
  const { students } = useSchool()
  const { t } = useTranslation()
  const counted = LACKS.map((lack) => ({
    lack,
    count: students.filter((one) => isLacking(lack, one, trained?.get(one.id))).length,
  }))
  const shown = counted.filter(({ lack, count }) => count > 0 || lack === chosen.lacks)
  if (shown.length === 0) return null
  return (
    <fieldset className={css.lacks} aria-label={t('lacks.title')}>
      {shown.map(({ lack, count }) => (
        <Filter
          key={lack}
          isChosen={lack === chosen.lacks}
          onChoose={(on) => onChange({ lacks: on ? lack : undefined })}
        >
          {t(`lacks.${lack}`)} <span className={css.count}>{count}</span>
        </Filter>
      ))}
    </fieldset>
  )
}

type FilterProps = {
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
  readonly children: ReactNode
}

function Filter({ isChosen, onChoose, children }: FilterProps) {
  return (
    <Button look={isChosen ? 'chosen' : 'bare'} aria-pressed={isChosen} onClick={() => onChoose(!isChosen)}>
      {children}
    </Button>
  )
}
