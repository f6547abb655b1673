import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/notice.tsx'

/** Explains why records were not saved; empty if there is no problem. */
export function RecordProblem({ problem }: { readonly problem: string | undefined }) {
  const { t } = useTranslation()
  if (problem === undefined) return null
  return (
    <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
      {problem}
    </Notice>
  )
}
