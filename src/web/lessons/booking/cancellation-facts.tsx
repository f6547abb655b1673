import { useTranslation } from 'react-i18next'
import type { Cancellation } from '../../../domain/cancellation.ts'
import css from '../../ui/facts.module.css'
import { momentText } from '../../ui/moment-text.ts'
import { useSchool } from '../../ui/school.tsx'

/** Shows who cancelled a lesson, when, why, and at what fee; nothing of one by the school without reason, note and fee. */
export function CancellationFacts({ cancellation }: { readonly cancellation: Cancellation }) {
  const { by, reason, note, at, is_late, fee_percent, charged } = cancellation
  const school = useSchool()
  const { t } = useTranslation()
  if (by === 'school' && !reason && !note && !charged) return null
  const why = reason ? [t(`cancellation.because.${reason}`)] : []
  const fee = charged ? t('cancellation.fee', { percent: fee_percent }) : t('cancellation.noFee')
  return (
    <>
      <dt>{t('cancellation.one')}</dt>
      <dd>
        {[t(`cancellation.by.${by}`), momentText(at, school), ...why].join(' · ')}
        <br />
        <span className={css.dimmed}>
          {t(is_late ? 'cancellation.late' : 'cancellation.inTime')} · {fee}
        </span>
        {note && <div className={css.notes}>{note}</div>}
      </dd>
    </>
  )
}
