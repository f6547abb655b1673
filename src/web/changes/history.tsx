import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { historyOf } from '../data/changes.ts'
import { Details } from '../ui/details.tsx'
import { ChangeEntries } from './change-entries.tsx'

type HistoryProps = {
  readonly resource: 'appointment' | 'student' | 'instructor' | 'vehicle'
  readonly id: string
  /** The lesson's student. Changes of the student can affect the lesson. */
  readonly studentId?: string | null
}

/** The changes of one resource, fetched when opened. */
export function History(props: HistoryProps) {
  const { t } = useTranslation()
  return (
    <Details title={t('changes.history')}>
      <Entries {...props} />
    </Details>
  )
}

function Entries({ resource, id, studentId = null }: HistoryProps) {
  const { t } = useTranslation()
  const student = useInfiniteQuery({ ...historyOf('student', studentId ?? ''), enabled: studentId !== null })
  return (
    <ChangeEntries
      pages={historyOf(resource, id)}
      none={t('changes.none')}
      beside={student.data?.pages.flatMap(({ changes }) => changes) ?? []}
    />
  )
}
