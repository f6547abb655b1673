import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { waitText } from '../../ui/wait-text.ts'

type AttemptNoticeProps = {
  readonly error: unknown
  /** The seconds before another attempt. */
  readonly wait: number
  readonly explain?: (error: unknown, t: TFunction) => string
}

/** Shows the seconds to wait or, without any, the reason why an attempt failed. */
export function AttemptNotice({ error, wait, explain }: AttemptNoticeProps) {
  const { t } = useTranslation()
  if (wait <= 0) return <FailureNotice error={error} explain={explain} />
  return (
    <Notice kind="warn" isAnswer>
      {waitText(wait, t)}
    </Notice>
  )
}
