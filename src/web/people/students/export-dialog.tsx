import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localToday } from '../../../domain/time-zone.ts'
import { download } from '../../data/student-files.ts'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import layout from '../../ui/layout.module.css'
import { useSchool } from '../../ui/school.tsx'
import css from './export-dialog.module.css'

/** The exports, by the name in their address. */
const FILES = [
  ['students', 'files.students'],
  ['appointments', 'files.appointments'],
  ['worked-time', 'files.worked'],
  ['vehicles', 'files.vehicles'],
  ['opening-balances', 'files.balances'],
] as const
type ExportKind = (typeof FILES)[number][0]

/** Downloads students, lessons, worked time, vehicles or opening balances as a file. */
export default function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { tenant } = useSchool()
  const today = localToday(new Date(), tenant.timezone)
  const [what, setWhat] = useState<ExportKind>('students')
  const [period, setPeriod] = useState({ from: `${today.slice(0, 8)}01`, to: today })
  const { mutate, error, isPending } = useMutation({ mutationFn: download, onSuccess: onClose })
  const isOfPeriod = what === 'appointments' || what === 'worked-time'
  const { from, to } = period
  const save = () => {
    const query = isOfPeriod ? `?from=${from}&to=${to}` : ''
    const dates = isOfPeriod ? `${from}-${to}` : today
    mutate({ path: `/exports/${what}.csv${query}`, name: `${what}-${dates}.csv` })
  }
  return (
    <FormDialog
      title={t('files.exportTitle')}
      submit={t('files.download')}
      isBusy={isPending}
      isBlocked={isOfPeriod && (from === '' || to === '' || to < from)}
      onSubmit={save}
      onClose={onClose}
    >
      <p className={css.text}>{t('files.exportHint')}</p>
      <fieldset className={css.choices}>
        <legend>{t('files.what')}</legend>
        {FILES.map(([one, name]) => (
          <label key={one}>
            <input type="radio" name="what" checked={what === one} onChange={() => setWhat(one)} />
            {t(name)}
          </label>
        ))}
      </fieldset>
      {isOfPeriod && (
        <div className={layout.pair}>
          <DateField
            label={t('files.from')}
            value={from}
            kind="over"
            onChange={(day) => setPeriod({ from: day, to })}
          />
          <DateField
            label={t('files.to')}
            value={to}
            min={from}
            onChange={(day) => setPeriod({ from, to: day })}
          />
        </div>
      )}
      <FailureNotice error={error} />
    </FormDialog>
  )
}
