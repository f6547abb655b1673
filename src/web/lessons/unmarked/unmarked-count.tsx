import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { dateOf, daysLater, type LocalDateTime } from '../../../domain/local-time.ts'
import { plannedLessons } from '../../data/appointments.ts'
import { usePendingWrites, withExpected } from '../../data/pending-writes.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { useNow } from '../../ui/use-now.ts'
import css from './unmarked-count.module.css'

const DAYS_BACK = 60

const loadDialog = () => import('./unmarked-dialog.tsx')

/** The number of past lessons that are still planned, with a link to their list. */
export default function UnmarkedCount() {
  const { t } = useTranslation()
  const now = useNow()
  const today = dateOf(now)
  const expected = usePendingWrites()
  const { data = [] } = useQuery(plannedLessons(daysLater(today, -DAYS_BACK), today))
  const [isOpen, setOpen] = useState(false)
  const lessons = withExpected(data, expected).filter((lesson) => isUnmarked(lesson, now))
  const label = t('unmarked.count', { count: lessons.length })
  return (
    <>
      {lessons.length > 0 && (
        <Button
          className={css.count}
          icon="clock"
          aria-label={label}
          title={label}
          onClick={() => setOpen(true)}
        >
          {lessons.length}
          <span className={css.word}>{t('unmarked.word')}</span>
        </Button>
      )}
      {isOpen && <Deferred load={loadDialog} props={{ lessons, onClose: () => setOpen(false) }} />}
    </>
  )
}

function isUnmarked({ status, student_id, end_at }: Appointment, now: LocalDateTime): boolean {
  return status === 'planned' && student_id !== null && end_at <= now
}
