import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { historyOf } from '../data/changes.ts'
import { ChangeEntries } from './change-entries.tsx'
import css from './history.module.css'

type HistoryProps = {
  readonly resource: 'appointment' | 'student' | 'instructor' | 'vehicle'
  readonly id: string
  /** The student of a lesson, whose changes may have changed it. */
  readonly studentId?: string | null
}

/** The changes of one resource, fetched when opened. */
export function History({ resource, id, studentId = null }: HistoryProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const student = useInfiniteQuery({
    ...historyOf('student', studentId ?? ''),
    enabled: isOpen && studentId !== null,
  })
  return (
    <details className={css.history} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('changes.history')}</summary>
      {isOpen && (
        <ChangeEntries
          pages={historyOf(resource, id)}
          none={t('changes.none')}
          beside={student.data?.pages.flatMap(({ changes }) => changes) ?? []}
        />
      )}
    </details>
  )
}
