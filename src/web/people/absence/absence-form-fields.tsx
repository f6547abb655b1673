import { useTranslation } from 'react-i18next'
import { daysLater } from '../../../domain/local-time.ts'
import { MAX_DAYS_OF_ABSENCE, NOTES_LENGTH } from '../../../domain/ranges.ts'
import { lastDayFrom } from '../../ui/dialogs/absence-fields.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { TimeField } from '../../ui/dialogs/time-field.tsx'
import css from './absence-page.module.css'
import type { AbsenceForm } from './draft.ts'

type AbsenceFormFieldsProps = {
  readonly away: AbsenceForm
  readonly onChange: (part: Partial<AbsenceForm>) => void
}

const STEP_MINUTES = 15

/** The first and the last day, and times on them if they are not whole. */
export function AbsenceFormFields({ away, onChange }: AbsenceFormFieldsProps) {
  const { t } = useTranslation()
  const { start_date, start_time, end_date, end_time, note } = away
  return (
    <div className={css.fields}>
      <DateField
        label={t('away.first')}
        isHintHidden
        value={start_date}
        onChange={(date) => onChange({ start_date: date, end_date: lastDayFrom(date, away) })}
      />
      <TimeField
        label={t('away.firstTime')}
        step={STEP_MINUTES}
        value={start_time}
        onChange={(time) => onChange({ start_time: time })}
      />
      <DateField
        label={t('away.last')}
        isHintHidden
        autoFocus
        isFirst
        value={end_date}
        {...(start_date && { min: start_date, max: daysLater(start_date, MAX_DAYS_OF_ABSENCE) })}
        onChange={(date) => onChange({ end_date: date })}
      />
      <TimeField
        label={t('away.lastTime')}
        step={STEP_MINUTES}
        value={end_time}
        onChange={(time) => onChange({ end_time: time })}
      />
      <TextField
        label={t('away.note')}
        maxLength={NOTES_LENGTH.max}
        value={note}
        onChange={(text) => onChange({ note: text })}
      />
    </div>
  )
}
