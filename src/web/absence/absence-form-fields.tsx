import { useTranslation } from 'react-i18next'
import { daysLater } from '../../domain/local-time.ts'
import { MAX_DAYS_OF_ABSENCE, NOTES_LENGTH } from '../../domain/ranges.ts'
import { lastDayFrom } from '../ui/dialogs/absence-fields.tsx'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import { useAtFocus } from '../ui/dialogs/use-at-focus.ts'
import css from './absence-page.module.css'
import type { AbsenceForm, UnreadableTimes } from './draft.ts'

type AbsenceFormFieldsProps = {
  /** Whether the absence need not be whole days. */
  readonly hasTimes: boolean
  readonly period: AbsenceForm
  readonly onChange: (part: Partial<AbsenceForm>) => void
  readonly unreadable: UnreadableTimes
  readonly onFault: (part: UnreadableTimes) => void
}

const STEP_MINUTES = 15

/** The first and the last day, and the times on days that are not whole. */
export function AbsenceFormFields({
  hasTimes,
  period,
  unreadable,
  onChange,
  onFault,
}: AbsenceFormFieldsProps) {
  const { t } = useTranslation()
  const { start_date, start_time, end_date, end_time, note } = period
  const { before, onFocus } = useAtFocus(period)
  return (
    <div className={css.fields}>
      <DateField
        label={t('absencePage.first')}
        isHintHidden
        value={start_date}
        onFocus={onFocus}
        onChange={(date) => onChange({ start_date: date, end_date: lastDayFrom(date, before.current) })}
      />
      {hasTimes && (
        <TimeField
          label={t('absencePage.firstTime')}
          step={STEP_MINUTES}
          value={start_time}
          onChange={(time) => onChange({ start_time: time })}
          unreadable={unreadable.start_time}
          onFault={(text) => onFault({ start_time: text })}
        />
      )}
      <DateField
        label={t('absencePage.last')}
        isHintHidden
        autoFocus
        isFirst
        value={end_date}
        {...(start_date && { min: start_date, max: daysLater(start_date, MAX_DAYS_OF_ABSENCE) })}
        onChange={(date) => onChange({ end_date: date })}
      />
      {hasTimes && (
        <TimeField
          label={t('absencePage.lastTime')}
          step={STEP_MINUTES}
          value={end_time}
          onChange={(time) => onChange({ end_time: time })}
          unreadable={unreadable.end_time}
          onFault={(text) => onFault({ end_time: text })}
        />
      )}
      <TextField
        label={t('absencePage.note')}
        maxLength={NOTES_LENGTH.max}
        value={note}
        onChange={(text) => onChange({ note: text })}
      />
    </div>
  )
}
