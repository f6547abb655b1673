import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordSummary } from '../../contract/record-summary.ts'
import { printRecord } from '../data/records.ts'
import { useSchool } from '../ui/school.tsx'
import { GapList } from './gap-list.tsx'
import { defectsOf } from './mending.ts'
import { PrintButton } from './print-button.tsx'
import css from './records-page.module.css'

const SIGNERS = ['school', 'student'] as const

/** A record with the number of its gaps; the gaps, the signatures and the document are shown on demand. */
export function RecordItem({ record }: { readonly record: RecordSummary }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { name, license_class, state, ends_on, gaps } = record
  const defects = defectsOf(record).length
  const notes = gaps.length - defects
  const facts = [
    license_class,
    ends_on === null ? t('records.isRunning') : t('records.endedOn', { date: format.date(ends_on) }),
    state === 'partial' && t('records.isPartial'),
  ].filter((text) => typeof text === 'string')
  return (
    <details
      className={css.record}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <strong>{name}</strong>
        <span className={css.dimmed}>{facts.join(' · ')}</span>
        {defects > 0 && <span className={css.bad}>{t('records.defects', { count: defects })}</span>}
        {notes > 0 && <span className={css.dimmed}>{t('records.notes', { count: notes })}</span>}
        {defects === 0 && state !== 'running' && <span className={css.good}>{t('records.isComplete')}</span>}
      </summary>
      {isOpen && (
        <div className={css.inside}>
          <GapList gaps={gaps} studentId={record.student_id} />
          <Signatures record={record} />
          <PrintButton text={t('records.pdf')} print={() => printRecord(record.enrolment_id)} />
        </div>
      )}
    </details>
  )
}

function Signatures({ record: { signatures, state } }: { readonly record: RecordSummary }) {
  const { t } = useTranslation()
  const shown = SIGNERS.filter((as) => state !== 'running' || signatures[as] !== null)
  if (shown.length === 0) return null
  return (
    <p className={css.dimmed}>
      {shown
        .map((as) => t(`records.signed.${signatures[as] ?? 'missing'}`, { who: t(`records.signers.${as}`) }))
        .join(' · ')}
    </p>
  )
}
