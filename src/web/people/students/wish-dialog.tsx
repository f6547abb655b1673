import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localToday } from '../../../domain/time-zone.ts'
import { addWish } from '../../data/gaps.ts'
import { isChanged } from '../../ui/changed-fields.ts'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { TimeField } from '../../ui/dialogs/time-field.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import layout from '../../ui/layout.module.css'
import { nameOf, type School, useSchool } from '../../ui/school.tsx'
import css from './wishes.module.css'

const BLANK = {
  weekdays: [] as readonly number[],
  time_from: '',
  time_to: '',
  minutes: 90 as number | '',
  lesson_type_id: '',
  instructor_id: '',
  from: '',
  until: '',
}

type WishDialogProps = { readonly studentId: string; readonly onClose: () => void }

export function WishDialog({ studentId, onClose }: WishDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [form, setForm] = useState(BLANK)
  const { mutate, error, isPending } = useMutation({ mutationFn: addWish, onSuccess: onClose })
  const edit = (part: Partial<typeof BLANK>) => setForm({ ...form, ...part })
  const { minutes, weekdays, time_from, time_to, lesson_type_id, instructor_id, from, until } = form
  const types = school.lessonTypes.filter(({ hidden, needs_student }) => !hidden && needs_student)
  const instructors = school.instructors.filter(({ active }) => active)
  const add = () => {
    if (minutes === '') return
    const wish = {
      minutes,
      weekdays: weekdays.length > 0 ? [...weekdays] : null,
      time_from: time_from || null,
      time_to: time_to || null,
      lesson_type_id: lesson_type_id || null,
      instructor_id: instructor_id || null,
      from: from || null,
      until: until || null,
    }
    mutate({ studentId, wish })
  }
  return (
    <FormDialog
      title={t('wish.add')}
      submit={t('action.save')}
      size="lg"
      isBusy={isPending}
      isBlocked={minutes === ''}
      isFilled={isChanged(form, BLANK)}
      onSubmit={add}
      onClose={onClose}
    >
      <Weekdays chosen={weekdays} onChange={(days) => edit({ weekdays: days })} />
      <NumberField
        label={t('wish.minutes')}
        min={1}
        max={1440}
        value={minutes}
        onChange={(count) => edit({ minutes: count })}
      />
      <div className={layout.pair}>
        <TimeField
          label={t('wish.from')}
          step={15}
          value={time_from}
          onChange={(time) => edit({ time_from: time })}
        />
        <TimeField
          label={t('wish.to')}
          step={15}
          value={time_to}
          onChange={(time) => edit({ time_to: time })}
        />
      </div>
      <div className={layout.pair}>
        <Choice
          label={t('field.lesson_type')}
          placeholder={t('wish.any')}
          data={types.map(({ id, name }) => ({ value: id, label: name }))}
          value={lesson_type_id || null}
          onChange={(id) => edit({ lesson_type_id: id ?? '' })}
          clearable
        />
        <Choice
          label={t('field.instructor')}
          placeholder={t('wish.any')}
          data={instructors.map((one) => ({ value: one.id, label: nameOf(one) }))}
          value={instructor_id || null}
          onChange={(id) => edit({ instructor_id: id ?? '' })}
          clearable
        />
      </div>
      <div className={layout.pair}>
        {(['from', 'until'] as const).map((name) => (
          <DateField
            key={name}
            label={t(name === 'from' ? 'wish.firstDay' : 'wish.until')}
            isOptional
            kind="coming"
            min={(name === 'until' && from) || localToday(new Date(), school.tenant.timezone)}
            value={form[name]}
            onChange={(date) => edit({ [name]: date })}
          />
        ))}
      </div>
      <FailureNotice error={error} title={t('booking.notSaved')} />
    </FormDialog>
  )
}

type WeekdaysProps = {
  readonly chosen: readonly number[]
  readonly onChange: (chosen: readonly number[]) => void
}

function Weekdays({ chosen, onChange }: WeekdaysProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const toggle = (day: number) =>
    onChange(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day])
  return (
    <FieldGroup title={t('wish.days')}>
      <div className={css.days}>
        {WEEKDAYS.map((day) => (
          <label key={day}>
            <input type="checkbox" checked={chosen.includes(day)} onChange={() => toggle(day)} />
            {dayName(day, school)}
          </label>
        ))}
      </div>
    </FieldGroup>
  )
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]

export function dayName(day: number, { format }: School): string {
  return format.weekday(`2024-01-0${day}`)
}
