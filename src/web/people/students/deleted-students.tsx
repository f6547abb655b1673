import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedStudent } from '../../../contract/student.ts'
import { RestoreDeleted } from '../../changes/restore-button.tsx'
import { deletedStudents, endRestriction, restrictedStudents } from '../../data/students.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { searchPeople } from '../../ui/find-people.ts'
import { momentText } from '../../ui/moment-text.ts'
import list from '../../ui/people-list.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './deleted-students.module.css'

const loadErasing = () => import('./erase-student.tsx')

/** The deleted students that match the search, to restore or, by an owner, to erase. */
export function DeletedStudents({ q }: { readonly q: string }) {
  const school = useSchool()
  const { user } = school
  const { t } = useTranslation()
  const [erased, setErased] = useState<ListedStudent>()
  const isOwner = user.role === 'owner'
  const { data, error, isError, refetch } = useQuery(deletedStudents)
  const { data: restricted = [] } = useQuery({ ...restrictedStudents, enabled: isOwner })
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const found = searchPeople(data, school)(q)
  const records = searchPeople(restricted, school)(q)
  return (
    <>
      {found.length + records.length === 0 && (
        <Empty text={t(data.length > 0 ? 'student.none' : 'deleted.none')} />
      )}
      {found.length > 0 && (
        <div className={list.table}>
          <p className={css.hint}>{t('deleted.hint')}</p>
          <ul aria-label={t('deleted.title')}>
            {found.map((student) => (
              <Row key={student.id} student={student} onErase={isOwner ? setErased : undefined} />
            ))}
          </ul>
        </div>
      )}
      {records.length > 0 && <Restricted students={records} />}
      {erased && (
        <Deferred load={loadErasing} props={{ student: erased, onClose: () => setErased(undefined) }} />
      )}
    </>
  )
}

type RowProps = {
  readonly student: ListedStudent
  readonly onErase: ((student: ListedStudent) => void) | undefined
}

function Row({ student, onErase }: RowProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { birth_date, phone, email, deleted_at } = student
  return (
    <li className={css.row}>
      <span className={css.name}>{nameOf(student)}</span>
      <span className={css.about}>
        {[birth_date && school.format.date(birth_date), phone, email].filter(Boolean).join(' · ')}
      </span>
      <span className={css.about}>
        {deleted_at && t('deleted.since', { when: momentText(deleted_at, school) })}
      </span>
      <span className={css.acts}>
        <RestoreDeleted student={student} />
        {onErase && (
          <Button
            onClick={() => onErase(student)}
            aria-label={t('deleted.eraseWhom', { name: nameOf(student) })}
          >
            {t('deleted.erase')}
          </Button>
        )}
      </span>
    </li>
  )
}

/** The students of whom only the training record is left. */
function Restricted({ students }: { readonly students: readonly ListedStudent[] }) {
  const { t } = useTranslation()
  return (
    <section className={list.table} aria-labelledby="records-kept">
      <h2 id="records-kept" className={css.hint}>
        {t('deleted.records')}
      </h2>
      <ul>
        {students.map((student) => (
          <RestrictedRow key={student.id} student={student} />
        ))}
      </ul>
    </section>
  )
}

function RestrictedRow({ student }: { readonly student: ListedStudent }) {
  const client = useQueryClient()
  const { format } = useSchool()
  const { t } = useTranslation()
  const { birth_date, restriction } = student
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => endRestriction(student.id),
    onSuccess: () => {
      toast({ kind: 'done', text: t('deleted.revealed', { name: nameOf(student) }) })
      void client.invalidateQueries()
    },
  })
  const until = restriction?.until
  return (
    <li className={css.row}>
      <span className={css.name}>{nameOf(student)}</span>
      <span className={css.about}>
        {[birth_date && format.date(birth_date), restriction?.reason].filter(Boolean).join(' · ')}
      </span>
      <span className={css.about}>
        {until ? t('deleted.keptUntil', { day: format.date(until) }) : t('deleted.keptOpen')}
      </span>
      <Button isBusy={isPending} onClick={() => mutate()}>
        {t('deleted.reveal')}
      </Button>
      <FailureNotice error={error} />
    </li>
  )
}
