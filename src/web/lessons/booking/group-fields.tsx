import { useTranslation } from 'react-i18next'
import { SEATS, TOPIC_LENGTH } from '../../../domain/ranges.ts'
import { Choices } from '../../ui/dialogs/choices.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import layout from '../../ui/layout.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'
import type { LessonForm } from './form.ts'

type GroupFieldsProps = {
  readonly form: LessonForm
  /** Whether the group is not booked yet. Attendees of a booked one are edited on its card. */
  readonly isNew: boolean
  readonly onChange: (change: Partial<LessonForm>) => void
}

/** The attendees, the seats and the topic of a class; hidden for lessons of one student. */
export function GroupFields({ form, isNew, onChange }: GroupFieldsProps) {
  const { lessonType, students, student } = useSchool()
  const { t } = useTranslation()
  const ofType = lessonType.get(form.lesson_type_id)?.seats ?? 1
  if (ofType === 1 || form.student_id !== null) return null
  const seats = form.seats || ofType
  const ids = form.attendees.map(({ student_id }) => student_id)
  const isFull = ids.length >= seats
  const nameFor = (id: string) => {
    const found = student.get(id)
    return found ? nameOf(found) : t('lesson.gone')
  }
  return (
    <>
      {isNew && (
        <Choices
          label={`${t('field.attendees')} (${t('group.seats', { count: ids.length, seats })})`}
          placeholder={t('booking.findStudent')}
          data={isFull ? [] : students.map((one) => ({ value: one.id, label: nameOf(one), hint: one.phone }))}
          chosen={ids.map((value) => ({ value, label: nameFor(value) }))}
          onChange={(chosen) =>
            onChange({ attendees: chosen.map((student_id) => ({ student_id, attended: null })) })
          }
          without={(name) => t('group.without', { name })}
        />
      )}
      <div className={layout.pair}>
        <TextField
          label={t('field.topic')}
          value={form.topic}
          maxLength={TOPIC_LENGTH.max}
          onChange={(topic) => onChange({ topic })}
        />
        <NumberField
          label={t('field.seats')}
          placeholder={String(ofType)}
          value={form.seats}
          min={SEATS.min}
          max={Math.max(ofType, form.seats || 0)}
          onChange={(chosen) => onChange({ seats: chosen })}
        />
      </div>
    </>
  )
}
