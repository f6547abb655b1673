import { useTranslation } from 'react-i18next'
import type { Vacation } from '../../domain/agenda.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { NOTES_LENGTH } from '../../domain/ranges.ts'
import { DateField } from '../dialogs/date-field.tsx'
import { Button } from '../ui/button.tsx'
import field from '../ui/field.module.css'
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
    <fieldset className={css.group}>
      <legend>{t('instructor.vacations')}</legend>
      <ul className={css.rows}>
        {vacations.map((vacation, index) => (
          <VacationRow
            // biome-ignore lint/suspicious/noArrayIndexKey: two vacations may be equal while they are filled in
            key={index}
            vacation={vacation}
            onChange={(part) =>
              onChange(vacations.map((one, at) => (at === index ? { ...one, ...part } : one)))
            }
            onRemove={() => onChange(vacations.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      <Button onClick={() => onChange([...vacations, { start_date: today, end_date: today, note: null }])}>
        {t('instructor.addVacation')}
      </Button>
    </fieldset>
  )
}

type VacationRowProps = {
  readonly vacation: Vacation
  readonly onChange: (part: Partial<Vacation>) => void
  readonly onRemove: () => void
}

function VacationRow({ vacation: { start_date, end_date, note }, onChange, onRemove }: VacationRowProps) {
  const { t } = useTranslation()
  return (
    <li>
      <DateField
        aria-label={t('instructor.firstDay')}
        value={start_date}
        onChange={(date) => onChange({ start_date: date, end_date: laterOf(date, end_date) })}
      />
      <DateField
        aria-label={t('instructor.lastDay')}
        value={end_date}
        onChange={(date) => onChange({ end_date: date })}
      />
      <input
        className={field.field}
        aria-label={t('instructor.note')}
        placeholder={t('instructor.note')}
        value={note ?? ''}
        maxLength={NOTES_LENGTH.max}
        onChange={({ target }) => onChange({ note: target.value })}
      />
      <Button
        look="bare"
        icon="close"
        aria-label={t('instructor.removeVacation', { dates: `${start_date}–${end_date}` })}
        onClick={onRemove}
      />
    </li>
  )
}

function laterOf(a: LocalDate, b: LocalDate): LocalDate {
  return a > b ? a : b
}
