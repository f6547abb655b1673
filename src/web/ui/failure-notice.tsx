import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Stale } from '../data/write-queue.ts'
import { Notice } from './notice.tsx'
import { problemMessage } from './problem-messages.ts'

type FailureNoticeProps = {
  readonly error: unknown
  readonly title?: string
  /** A message for this failure in place of the usual one. */
  readonly text?: string | false
  readonly explain?: (error: unknown, t: TFunction) => string
}

/** Explains why a request failed; empty if it did not. */
export function FailureNotice({ error, title, text, explain = problemMessage }: FailureNoticeProps) {
  const { t } = useTranslation()
  if (!error) return null
  return (
    <Notice kind="bad" title={title} isAnswer>
      {text || explain(error, t)}
    </Notice>
  )
}

type SaveNoticeProps = {
  readonly error: unknown
  /** The message if somebody else has changed what the form shows; a person by default. */
  readonly stale?: string
}

/** Explains why a form was not saved; empty if there is no error. */
export function SaveNotice({ error, stale }: SaveNoticeProps) {
  const { t } = useTranslation()
  const text = error instanceof Stale && (stale ?? t('student.stale'))
  return <FailureNotice error={error} title={t('booking.notSaved')} text={text} />
}
