import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { LessonType } from '../../contract/lesson-type.ts'
import type { TimeOfDay } from '../../domain/local-time.ts'
import { APPOINTMENT_MINUTES } from '../../domain/ranges.ts'
import { clockShiftBetween } from '../../domain/time-zone.ts'
import { unitsOf } from '../../domain/units.ts'
import type { OpenRequirement } from '../lessons/teaching.ts'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import layout from '../ui/layout.module.css'
import { nameOf, useSchool } from '../ui/school.tsx'
import { draftOf, endsOnAnotherDay, endTimeOf, isClass, type LessonForm, withEnd } from './form.ts'
import { GroupFields } from './group-fields.tsx'
import { InstructorField } from './instructor-field.tsx'
import css from './lesson-fields.module.css'
import { RareFields } from './rare-fields.tsx'
import { RequirementChoices } from './requirement-choices.tsx'
import { StudentSelect } from './student-select.tsx'
import { TypeField } from './type-field.tsx'
import { VehiclesField } from './vehicles-field.tsx'

type LessonFieldsProps = {
  readonly form: LessonForm
  readonly onChange: (form: LessonForm) => void
  readonly onType: (type: LessonType) => void
  readonly usualMinutes: number | undefined
  readonly isDayFull: boolean
  /** Shown below the times. */
  readonly finder: ReactNode
  /** The edited lesson; undefined for a new one. */
  readonly seen: Appointment | undefined
  /** The open requirements of a new lesson's student; undefined while they are loading. */
  readonly needed: readonly OpenRequirement[] | undefined
  /** Shown below the fields that the rules check. */
  readonly verdict: ReactNode
}

export function LessonFields(props: LessonFieldsProps) {
  const { form, onChange, onType, seen, needed, finder, verdict } = props
  const { lessonType, user } = useSchool()
  const set = (change: Partial<LessonForm>) => onChange({ ...form, ...change })
  return (
    <>
      {!isClass(form, lessonType) && (
        <StudentSelect
          value={form.student_id}
          was={seen?.student_id}
          onChange={(student_id) => set({ student_id })}
        />
      )}
      {needed && (
        <RequirementChoices
          key={form.student_id}
          needed={needed}
          chosen={form.lesson_type_id}
          onChoose={onType}
        />
      )}
      <div className={layout.pair}>
        <TypeField value={form.lesson_type_id} studentId={form.student_id} onChange={onType} />
        {user.role !== 'instructor' && (
          <InstructorField
            value={form.instructor_id}
            draft={draftOf(form, seen?.id)}
            isNew={seen === undefined}
            onChange={(instructor_id) => set({ instructor_id })}
          />
        )}
      </div>
      <GroupFields form={form} isNew={seen === undefined} onChange={set} />
      <VehiclesField value={form.vehicle_ids} onChange={(vehicle_ids) => set({ vehicle_ids })} />
      <TimeFields {...props} />
      <ClockNote form={form} />
      {finder}
      {verdict}
      <RareFields form={form} onChange={set} />
    </>
  )
}

type TimeFieldsProps = Pick<LessonFieldsProps, 'form' | 'seen' | 'onChange' | 'usualMinutes' | 'isDayFull'>

/** The day, start, end and length. The end and the length follow from each other. */
function TimeFields({ form, seen, usualMinutes, isDayFull, onChange }: TimeFieldsProps) {
  const { tenant, format } = useSchool()
  // An end that is typed while the start is invalid decides the length once there is a start.
  const [end, setEnd] = useState<TimeOfDay | ''>('')
  const { t } = useTranslation()
  const set = (change: Partial<LessonForm>) => onChange({ ...form, ...change })
  const units = unitsOf(form.minutes, tenant.unit_minutes)
  return (
    <div className={css.times}>
      <DateField
        label={t('field.date')}
        value={form.date}
        isFirst={seen !== undefined}
        onChange={(date) => set({ date })}
      />
      <TimeField
        label={t('field.start_at')}
        step={5}
        value={form.start}
        onChange={(start) => {
          if (start) setEnd('')
          if (start && end) onChange(withEnd({ ...form, start }, end))
          else set({ start })
        }}
      />
      <TimeField
        label={t('field.end_at')}
        description={endsOnAnotherDay(form) && t('lesson.nextDay')}
        step={5}
        value={endTimeOf(form) || end}
        onChange={(typed) => {
          if (form.start === '') setEnd(typed)
          else if (typed) onChange(withEnd(form, typed))
          else set({ minutes: 0 })
        }}
      />
      <NumberField
        isMinutes
        label={t('lesson.duration')}
        value={form.minutes || ''}
        onChange={(minutes) => {
          setEnd('')
          set({ minutes: minutes || 0 })
        }}
        min={5}
        max={APPOINTMENT_MINUTES.max}
        step={tenant.unit_minutes}
        description={form.minutes > 0 && t('lesson.units', { units: format.units(units) })}
      />
      {usualMinutes !== undefined && (
        <Button look="bare" className={css.usual} onClick={() => set({ minutes: usualMinutes })}>
          {t('lesson.usually', { count: usualMinutes })}
        </Button>
      )}
      {isDayFull && <FullDay form={form} />}
    </div>
  )
}

function FullDay({ form }: Pick<TimeFieldsProps, 'form'>) {
  const { instructor, format } = useSchool()
  const { t } = useTranslation()
  const chosen = instructor.get(form.instructor_id)
  const values = { day: format.day(form.date), count: form.minutes }
  return (
    <p className={css.full} role="status">
      {chosen ? t('lesson.fullDay', { ...values, name: nameOf(chosen) }) : t('lesson.nobodyFree', values)}
    </p>
  )
}

/** Warns if the clocks change during the lesson: its units are counted by wall-clock time. */
function ClockNote({ form }: Pick<TimeFieldsProps, 'form'>) {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const { start_at, end_at } = draftOf(form)
  if (start_at === '' || form.minutes <= 0) return null
  const shift = clockShiftBetween(start_at, end_at, tenant.timezone)
  if (shift === 0) return null
  return (
    <p className={css.clock} role="status">
      {t('date.clocks', { count: form.minutes - shift, minutes: form.minutes })}
    </p>
  )
}
