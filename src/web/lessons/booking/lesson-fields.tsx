import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { APPOINTMENT_MINUTES, TITLE_LENGTH } from '../../../domain/ranges.ts'
import { clockShiftBetween } from '../../../domain/time-zone.ts'
import { unitsOf } from '../../../domain/units.ts'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { LocationField } from '../../ui/dialogs/location-field.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { NotesField, TextField } from '../../ui/dialogs/text-fields.tsx'
import { TimeField } from '../../ui/dialogs/time-field.tsx'
import layout from '../../ui/layout.module.css'
import { useSchool } from '../../ui/school.tsx'
import type { OpenRequirement } from '../teaching.ts'
import { draftOf, endsOnAnotherDay, endTimeOf, type LessonForm, withEnd, withType } from './form.ts'
import { GroupFields } from './group-fields.tsx'
import { InstructorField } from './instructor-field.tsx'
import css from './lesson-fields.module.css'
import { RequirementChoices } from './requirement-choices.tsx'
import { StudentSelect } from './student-select.tsx'
import { TypeField } from './type-field.tsx'
import { VehiclesField } from './vehicles-field.tsx'

type LessonFieldsProps = {
  readonly form: LessonForm
  readonly onChange: (form: LessonForm) => void
  /** Shown below the times. */
  readonly finder: ReactNode
  /** The edited lesson; undefined for a new one. */
  readonly seen: Appointment | undefined
  /** The open requirements of a new lesson's student; undefined while they are loading. */
  readonly needed: readonly OpenRequirement[] | undefined
  /** Shown below the fields that the rules check. */
  readonly verdict: ReactNode
}

export function LessonFields({ form, onChange, seen, needed, finder, verdict }: LessonFieldsProps) {
  const { lessonType, user } = useSchool()
  const { t } = useTranslation()
  const set = (change: Partial<LessonForm>) => onChange({ ...form, ...change })
  const type = lessonType.get(form.lesson_type_id)
  return (
    <>
      <StudentSelect
        value={form.student_id}
        was={seen?.student_id}
        onChange={(student_id) => set(student_id === null ? { student_id } : { student_id, attendees: [] })}
      />
      {needed && (
        <RequirementChoices
          key={form.student_id}
          needed={needed}
          chosen={form.lesson_type_id}
          onChoose={(chosen) => onChange(withType(form, chosen, type))}
        />
      )}
      <div className={layout.pair}>
        <TypeField
          value={form.lesson_type_id}
          studentId={form.student_id}
          onChange={(chosen) => onChange(withType(form, chosen, type))}
        />
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
      <TimeFields form={form} seen={seen} onChange={onChange} />
      <ClockNote form={form} />
      {finder}
      {verdict}
      <TextField
        label={t('field.title')}
        placeholder={type?.name ?? ''}
        value={form.title}
        maxLength={TITLE_LENGTH.max}
        onChange={(title) => set({ title })}
      />
      <LocationField value={form.location_id} onChange={(location_id) => set({ location_id })} />
      <TextField
        label={t('field.pickup_place')}
        value={form.pickup_place}
        maxLength={TITLE_LENGTH.max}
        onChange={(pickup_place) => set({ pickup_place })}
      />
      <NotesField label={t('field.notes')} value={form.notes} onChange={(notes) => set({ notes })} />
    </>
  )
}

type TimeFieldsProps = Pick<LessonFieldsProps, 'form' | 'seen' | 'onChange'>

/** The day, start, end and length. The end and the length follow from each other. */
function TimeFields({ form, seen, onChange }: TimeFieldsProps) {
  const { tenant, format } = useSchool()
  const { t } = useTranslation()
  const set = (change: Partial<LessonForm>) => onChange({ ...form, ...change })
  const units = unitsOf(form.minutes, tenant.unit_minutes)
  return (
    <div className={css.times}>
      <DateField
        label={t('lesson.date')}
        value={form.date}
        isFirst={seen !== undefined}
        onChange={(date) => set({ date })}
      />
      <TimeField
        label={t('field.start_at')}
        step={5}
        value={form.start}
        onChange={(start) => set({ start })}
      />
      <TimeField
        label={t('field.end_at')}
        description={endsOnAnotherDay(form) && t('lesson.nextDay')}
        step={5}
        value={endTimeOf(form)}
        onChange={(end) => (end ? onChange(withEnd(form, end)) : set({ minutes: 0 }))}
      />
      <NumberField
        isMinutes
        label={t('lesson.duration')}
        value={form.minutes || ''}
        onChange={(minutes) => set({ minutes: minutes || 0 })}
        min={5}
        max={APPOINTMENT_MINUTES.max}
        step={tenant.unit_minutes}
        description={form.minutes > 0 && t('lesson.units', { units: format.units(units) })}
      />
    </div>
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
