import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { LessonType, LessonTypeChange } from '../../contract/lesson-type.ts'
import { APPOINTMENT_MINUTES, NAME_LENGTH, SEATS } from '../../domain/ranges.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { TextField, WrappedField } from '../ui/dialogs/text-fields.tsx'
import { lengthOf } from '../ui/use-length.ts'
import css from './lesson-types.module.css'
import { useRow } from './use-row.ts'

type LessonTypeRowProps = {
  readonly type: LessonType
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Rejects if the service rejects the change. */
  readonly onChange: (change: LessonTypeChange) => Promise<unknown>
  readonly onMove: (by: -1 | 1) => void
}

/** A lesson type to edit in place. A field is saved on blur or Enter; Escape reverts it. */
export function LessonTypeRow({ type, isFirst, isLast, onChange, onMove }: LessonTypeRowProps) {
  const { t } = useTranslation()
  const { form, edit, revert, save, send } = useRow(type, { formOf, valuesOf, isWhole, onChange })
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') revert()
    if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    save()
  }
  const about = (field: string) => `${type.name}: ${field}`
  return (
    <li className={css.row} data-hidden={type.hidden} onBlur={save} onKeyDown={press}>
      <span className={css.steps}>
        <Step label={t('settings.up', { name: type.name })} isOver={isFirst} onStep={() => onMove(-1)} isUp />
        <Step label={t('settings.down', { name: type.name })} isOver={isLast} onStep={() => onMove(1)} />
      </span>
      <WrappedField
        label={about(t('field.name'))}
        value={form.name}
        onChange={(name) => edit({ name })}
        maxLength={NAME_LENGTH.max}
        error={form.name.trim() === '' && t('fault.missing')}
      />
      <NumberField
        isLabelHidden
        isMinutes
        label={about(t('lesson.duration'))}
        value={form.default_minutes}
        onChange={(default_minutes) => edit({ default_minutes })}
        {...APPOINTMENT_MINUTES}
      />
      <NumberField
        isLabelHidden
        suffix={` ${t('settings.seats', { count: form.seats || 0 })}`}
        label={about(t('field.seats'))}
        value={form.seats}
        onChange={(seats) => edit({ seats })}
        {...SEATS}
      />
      <TextField
        aria-label={about(t('field.color'))}
        type="color"
        value={form.color}
        onChange={(color) => edit({ color })}
      />
      <SwitchField
        label={t('settings.offered')}
        name={about(t('settings.offered'))}
        isOn={!type.hidden}
        onChange={(isOffered) => send({ hidden: !isOffered })}
      />
    </li>
  )
}

type Row = Pick<LessonType, 'name' | 'color'> & {
  readonly default_minutes: number | ''
  readonly seats: number | ''
}

function formOf({ name, color, default_minutes, seats }: LessonType): Row {
  return { name, color, default_minutes, seats }
}

function valuesOf({ name, color, default_minutes, seats }: Row): LessonTypeChange {
  return { name: name.trim(), color, default_minutes: Number(default_minutes), seats: Number(seats) }
}

function isWhole({ name, default_minutes, seats }: Row): boolean {
  const isNamed = name.trim() !== '' && lengthOf(name) <= NAME_LENGTH.max
  return isNamed && default_minutes !== '' && seats !== ''
}

type StepProps = {
  readonly label: string
  /** Whether the row cannot move further; the button keeps the focus. */
  readonly isOver: boolean
  readonly isUp?: boolean
  readonly onStep: () => void
}

function Step({ label, isOver, isUp = false, onStep }: StepProps) {
  return (
    <Button
      look="bare"
      icon="chevronDown"
      className={isUp ? css.up : undefined}
      aria-label={label}
      title={label}
      aria-disabled={isOver}
      onClick={() => !isOver && onStep()}
    />
  )
}
