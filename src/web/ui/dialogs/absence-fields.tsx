import { useTranslation } from 'react-i18next'
import type { LocalDate } from '../../../domain/local-time.ts'
import { type AbsenceEntry, absenceOf } from '../absence-entries.ts'
import { absenceText } from '../absence-text.ts'
import { FieldGroup } from '../field-group.tsx'
import { RemoveButton } from '../remove-button.tsx'
import { useSchool } from '../school.tsx'
import css from './absence-fields.module.css'
import { DateField } from './date-field.tsx'
import { ListFields, type RowProps } from './list-fields.tsx'
import { NoteField } from './note-field.tsx'
import { TimeField } from './time-field.tsx'
import { useAtFocus } from './use-at-focus.ts'

type AbsenceFieldsProps = {
  readonly legend: string
  readonly hint: string
  readonly add: string
  readonly entries: readonly AbsenceEntry[]
  readonly today: LocalDate
  readonly onChange: (entries: readonly AbsenceEntry[]) => void
}

/** Times off, each from one date and time to another. */
export function AbsenceFields({ legend, hint, add, entries, today, onChange }: AbsenceFieldsProps) {
  const times = { start_time: '08:00', end_time: '12:00' }
  const added = { start_date: today, end_date: today, ...times, note: '' }
  return (
    <FieldGroup title={legend} hint={hint}>
      <ListFields
        values={entries}
        className={css.rows}
        add={add}
        added={added}
        row={AbsenceRow}
        onChange={onChange}
      />
    </FieldGroup>
  )
}

const STEP_MINUTES = 15

function AbsenceRow({ value: entry, isNew, onChange, onRemove }: RowProps<AbsenceEntry>) {
  const { start_date, start_time, end_date, end_time, note } = entry
  const { format } = useSchool()
  const { t } = useTranslation()
  const { before, onFocus } = useAtFocus(entry)
  const isBackward = start_date !== '' && start_date === end_date && end_time !== '' && end_time <= start_time
  const isFilledIn = start_date !== '' && end_date !== ''
  const times = isFilledIn ? absenceText(absenceOf({ ...entry, note: '' }), format) : ''
  return (
    <li>
      <div className={css.startDate}>
        <DateField
          label={t('absence.firstDay')}
          isLabelHidden
          value={start_date}
          autoFocus={isNew}
          onFocus={onFocus}
          onChange={(date) => onChange({ start_date: date, end_date: lastDayFrom(date, before.current) })}
        />
      </div>
      <div className={css.startTime}>
        <TimeField
          label={t('absence.from')}
          isLabelHidden
          step={STEP_MINUTES}
          value={start_time}
          onChange={(time) => onChange({ start_time: time })}
        />
      </div>
      <div className={css.endDate}>
        <DateField
          label={t('absence.lastDay')}
          isLabelHidden
          value={end_date}
          {...(start_date !== '' && { min: start_date })}
          onChange={(date) => onChange({ end_date: date })}
        />
      </div>
      <div className={css.endTime}>
        <TimeField
          label={t('absence.to')}
          isLabelHidden
          step={STEP_MINUTES}
          value={end_time}
          onChange={(time) => onChange({ end_time: time })}
        />
      </div>
      <NoteField
        label={t('absence.note')}
        value={note}
        className={css.note}
        onChange={(text) => onChange({ note: text })}
      />
      <RemoveButton label={t('absence.remove', { times })} className={css.remove} onClick={onRemove} />
      {isBackward && (
        <p className={css.fault} role="alert">
          {t('booking.missing.wrong_order')}
        </p>
      )}
    </li>
  )
}

/** Returns the last day after a change of the first: one day stays one day; a longer time keeps its last day if it can. */
export function lastDayFrom(
  first: LocalDate,
  { start_date, end_date }: Pick<AbsenceEntry, 'start_date' | 'end_date'>,
): LocalDate {
  return start_date === end_date || first > end_date ? first : end_date
}
