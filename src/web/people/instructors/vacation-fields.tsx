import { useTranslation } from 'react-i18next'
import type { Vacation } from '../../../domain/agenda.ts'
import type { LocalDate } from '../../../domain/local-time.ts'
import { lastDayFrom } from '../../ui/dialogs/absence-fields.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { ListFields, type RowProps } from '../../ui/dialogs/list-fields.tsx'
import { NoteField } from '../../ui/dialogs/note-field.tsx'
import { useAtFocus } from '../../ui/dialogs/use-at-focus.ts'
import { FieldGroup } from '../../ui/field-group.tsx'
import { RemoveButton } from '../../ui/remove-button.tsx'
import css from './instructor-dialog.module.css'

type VacationFieldsProps = {
  readonly vacations: readonly Vacation[]
  readonly today: LocalDate
  readonly onChange: (vacations: readonly Vacation[]) => void
}

/** Days off, by first and last day. */
export function VacationFields({ vacations, today, onChange }: VacationFieldsProps) {
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('field.vacations')}>
      <ListFields
        values={vacations}
        className={css.rows}
        add={t('instructor.addVacation')}
        added={{ start_date: today, end_date: today, note: null }}
        row={VacationRow}
        onChange={onChange}
      />
    </FieldGroup>
  )
}

function VacationRow({ value: vacation, isNew, onChange, onRemove }: RowProps<Vacation>) {
  const { start_date, end_date, note } = vacation
  const { t } = useTranslation()
  const { before, onFocus } = useAtFocus(vacation)
  return (
    <li>
      <DateField
        label={t('instructor.firstDay')}
        isLabelHidden
        value={start_date}
        autoFocus={isNew}
        onFocus={onFocus}
        onChange={(date) => onChange({ start_date: date, end_date: lastDayFrom(date, before.current) })}
      />
      <DateField
        label={t('instructor.lastDay')}
        isLabelHidden
        value={end_date}
        min={start_date}
        onChange={(date) => onChange({ end_date: date })}
      />
      <NoteField
        label={t('instructor.note')}
        value={note ?? ''}
        onChange={(text) => onChange({ note: text })}
      />
      <RemoveButton
        label={t('instructor.removeVacation', { dates: `${start_date}–${end_date}` })}
        onClick={onRemove}
      />
    </li>
  )
}
