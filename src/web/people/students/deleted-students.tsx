import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ListedStudent } from '../../../contract/student.ts'
import { RestoreDeleted } from '../../changes/restore-button.tsx'
import { deletedStudents } from '../../data/students.ts'
import { searchPeople } from '../../ui/find-people.ts'
import { momentText } from '../../ui/moment-text.ts'
import list from '../../ui/people-list.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import css from './deleted-students.module.css'

/** The deleted students that match the search, to restore. */
export function DeletedStudents({ q }: { readonly q: string }) {
  const { tenant, user } = useSchool()
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(deletedStudents)
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const found = searchPeople(data, tenant.country)(q)
  if (found.length === 0) return <Empty text={t(data.length > 0 ? 'student.none' : 'deleted.none')} />
  return (
    <div className={list.table}>
      <p className={css.hint}>
        {t('deleted.hint')} {user.role === 'owner' && t('deleted.erase')}
      </p>
      <ul aria-label={t('deleted.title')}>
        {found.map((student) => (
          <Row key={student.id} student={student} />
        ))}
      </ul>
    </div>
  )
}

function Row({ student }: { readonly student: ListedStudent }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { phone, email, deleted_at } = student
  return (
    <li className={css.row}>
      <span className={css.name}>{nameOf(student)}</span>
      <span className={css.about}>{[phone, email].filter(Boolean).join(' · ')}</span>
      <span className={css.about}>
        {deleted_at && t('deleted.since', { when: momentText(deleted_at, school) })}
      </span>
      <RestoreDeleted student={student} />
    </li>
  )
}
