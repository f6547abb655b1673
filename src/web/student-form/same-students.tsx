import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { type Identity, sameAmong } from '../../domain/same-person.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './same-students.module.css'

/** The action for an existing student. */
export type DuplicateAction = 'open' | 'take'

const MAX_SHOWN = 3

type SameStudentsProps = {
  readonly described: Identity
  readonly taking: DuplicateAction
  readonly onTake: (student: Student) => void
}

/** Lists existing students who are probably the described one. */
export function SameStudents({ described, taking, onTake }: SameStudentsProps) {
  const { student, tenant } = useSchool()
  const { t } = useTranslation()
  const find = useMemo(() => sameAmong([...student.values()], tenant.country), [student, tenant.country])
  const found = find(described).slice(0, MAX_SHOWN)
  if (found.length === 0) return null
  return (
    <Notice kind="warn" title={t('same.title')}>
      <ul className={css.list}>
        {found.map(({ person, likeness }) => (
          <li key={person.id}>
            <span>{t(`same.${likeness}`, { name: nameOf(person) })}</span>
            <Button onClick={() => onTake(person)}>{t(`same.${taking}`)}</Button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
