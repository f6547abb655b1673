import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Vacation } from '../../../domain/agenda.ts'
import type { LocalDate } from '../../../domain/local-time.ts'
import { NOTES_LENGTH } from '../../../domain/ranges.ts'
import { Button } from '../../ui/button.tsx'
import { lastDayFrom } from '../../ui/dialogs/absence-fields.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import field from '../../ui/field.module.css'
import group from '../../ui/group.module.css'
import { useLength } from '../../ui/use-length.ts'
import css from './instructor-dialog.module.css'

type VacationFieldsProps = {
  readonly vacations: readonly Vacation[]
  readonly today: LocalDate
  readonly onChange: (vacations: readonly Vacation[]) => void
}

/** Days off, by first and last day. */
export function VacationFields({ vacations, today, onChange }: VacationFieldsProps) {
  const { t } = useTranslation()
  const [added, setAdded] = useState<number>()
  const add = () => {
    setAdded(vacations.length)
    onChange([...vacations, { start_date: today, end_date: today, note: null }])
  }
  return (
    <fieldset className={group.group}>
      <legend>{t('field.vacations')}</legend>
      <ul className={css.rows}>
        {vacations.map((vacation, index) => (
          <VacationRow
            // biome-ignore lint/suspicious/noArrayIndexKey: two vacations may be equal while they are filled in
            key={index}
            vacation={vacation}
            isNew={index === added}
            onChange={(part) =>
              onChange(vacations.map((one, at) => (at === index ? { ...one, ...part } : one)))
            }
            onRemove={() => onChange(vacations.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      <Button onClick={add}>{t('instructor.addVacation')}</Button>
    </fieldset>
  )
}

type VacationRowProps = {
  readonly vacation: Vacation
  /** Whether it was just added. */
  readonly isNew: boolean
  readonly onChange: (part: Partial<Vacation>) => void
  readonly onRemove: () => void
}

function VacationRow({ vacation, isNew, onChange, onRemove }: VacationRowProps) {
  const { start_date, end_date, note } = vacation
  const { t } = useTranslation()
  const length = useLength<HTMLInputElement>(note ?? '', NOTES_LENGTH.max)
  // A half-typed day may parse as another: the last day follows from the value before.
  const before = useRef(vacation)
  return (
    <li>
      <DateField
        label={t('instructor.firstDay')}
        isLabelHidden
        value={start_date}
        autoFocus={isNew}
        onFocus={() => {
          before.current = vacation
        }}
        onChange={(date) => onChange({ start_date: date, end_date: lastDayFrom(date, before.current) })}
      />
      <DateField
        label={t('instructor.lastDay')}
        isLabelHidden
        value={end_date}
        min={start_date}
        onChange={(date) => onChange({ end_date: date })}
      />
      <input
        className={field.field}
        aria-label={t('instructor.note')}
        placeholder={t('instructor.note')}
        value={note ?? ''}
        ref={length.field}
        aria-invalid={length.fault !== undefined}
        title={length.fault}
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
