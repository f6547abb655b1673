import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { APPOINTMENT_MINUTES, TITLE_LENGTH } from '../../domain/ranges.ts'
import { unitsOf } from '../../domain/units.ts'
import { Choice } from '../dialogs/choice.tsx'
import { DateField } from '../dialogs/date-field.tsx'
import { NumberField } from '../dialogs/number-field.tsx'
import { NotesField, TextField } from '../dialogs/text-fields.tsx'
import { TimeField } from '../dialogs/time-field.tsx'
import layout from '../ui/layout.module.css'
import { nameOf, useSchool } from '../ui/school.tsx'
import { endOf, endsLater, type LessonForm, withEnd, withType } from './form.ts'
import css from './lesson-fields.module.css'
import { StillNeeded } from './still-needed.tsx'
import { StudentSelect } from './student-select.tsx'

type LessonFieldsProps = {
  readonly form: LessonForm
  readonly onChange: (form: LessonForm) => void
  /** Stands below the times. */
  readonly finder: ReactNode
  /** A lesson that is booked already is of a type that was needed. */
  readonly isNew: boolean
  /** Stands below what the rules ask about. */
  readonly verdict: ReactNode
}

export function LessonFields({ form, onChange, isNew, finder, verdict }: LessonFieldsProps) {
  const { instructors, lessonTypes, lessonType } = useSchool()
  const { t } = useTranslation()
  const set = (change: Partial<LessonForm>) => onChange({ ...form, ...change })
  const type = lessonType.get(form.lesson_type_id)
  const bookable = instructors.filter(({ active, id }) => active || id === form.instructor_id)
  return (
    <>
      <StudentSelect value={form.student_id} onChange={(student_id) => set({ student_id })} />
      {isNew && form.student_id !== null && (
        <StillNeeded
          key={form.student_id}
          studentId={form.student_id}
          chosen={form.lesson_type_id}
          onChoose={(chosen) => onChange(withType(form, chosen, type))}
        />
      )}
      <div className={layout.pair}>
        <Choice
          label={t('lesson.type')}
          data={lessonTypes.map(({ id, name }) => ({ value: id, label: name }))}
          value={form.lesson_type_id || null}
          onChange={(id) => {
            const chosen = lessonType.get(id ?? '')
            if (chosen) onChange(withType(form, chosen, type))
          }}
        />
        <Choice
          label={t('lesson.instructor')}
          data={bookable.map((instructor) => ({ value: instructor.id, label: nameOf(instructor) }))}
          value={form.instructor_id || null}
          onChange={(instructor_id) => set({ instructor_id: instructor_id ?? '' })}
        />
      </div>
      <TimeFields form={form} onChange={onChange} />
      {finder}
      {verdict}
      <TextField
        label={t('lesson.title')}
        placeholder={type?.name ?? ''}
        value={form.title}
        maxLength={TITLE_LENGTH.max}
        onChange={(title) => set({ title })}
      />
      <NotesField label={t('lesson.notes')} value={form.notes} onChange={(notes) => set({ notes })} />
    </>
  )
}

/** Day, start and end or length: two of the three say the third. */
function TimeFields({ form, onChange }: Pick<LessonFieldsProps, 'form' | 'onChange'>) {
  const { tenant, format } = useSchool()
  const { t } = useTranslation()
  const set = (change: Partial<LessonForm>) => onChange({ ...form, ...change })
  return (
    <div className={css.times}>
      <DateField label={t('lesson.date')} value={form.date} onChange={(date) => set({ date })} />
      <TimeField label={t('lesson.start')} step={5} value={form.start} onChange={(start) => set({ start })} />
      <TimeField
        label={t('lesson.end')}
        description={endsLater(form) && t('lesson.nextDay')}
        step={5}
        value={endOf(form)}
        onChange={(end) => end && onChange(withEnd(form, end))}
      />
      <NumberField
        isMinutes
        label={t('lesson.duration')}
        value={form.minutes}
        onChange={(minutes) => set({ minutes: minutes || 0 })}
        min={5}
        max={APPOINTMENT_MINUTES.max}
        step={tenant.unit_minutes}
        description={t('lesson.units', {
          units: format.units(unitsOf(form.minutes, tenant.unit_minutes)),
        })}
      />
    </div>
  )
}
