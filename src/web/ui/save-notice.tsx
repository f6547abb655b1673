import { useTranslation } from 'react-i18next'
import { Stale } from '../data/write-queue.ts'
import { Notice } from './notice.tsx'
import { problemMessage } from './problem-messages.ts'

export function SaveNotice({ error }: { error: Error | null }) {
  const { t } = useTranslation()
  if (!error) return null
  return (
    <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
      {error instanceof Stale ? t('student.stale') : problemMessage(error, t)}
    </Notice>
  )
}
