import { useTranslation } from 'react-i18next'
import { SEATS } from '../../domain/ranges.ts'
import { Choices } from '../ui/dialogs/choices.tsx'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import layout from '../ui/layout.module.css'
import { studentHint, studentName, useSchool } from '../ui/school.tsx'
import type { LessonForm } from './form.ts'
import { LackingStudents } from './lacking-students.tsx'
import { TopicField } from './topic-field.tsx'

type GroupFieldsProps = {
  readonly form: LessonForm
  /** Whether the group is not booked yet. Attendees of a booked one are edited on its card. */
  readonly isNew: boolean
  readonly onChange: (change: Partial<LessonForm>) => void
}

/** The topic, the seats and the attendees of a class; hidden for lessons of one student. */
export function GroupFields({ form, isNew, onChange }: GroupFieldsProps) {
  const school = useSchool()
  const { lessonType, students, student, user } = school
  const { t } = useTranslation()
  const ofType = lessonType.get(form.lesson_type_id)?.seats ?? 1
  if (ofType === 1 || form.student_id !== null) return null
  const seats = form.seats || ofType
  const ids = form.attendees.map(({ student_id }) => student_id)
  const isFull = ids.length >= seats
  const nameFor = (id: string) => {
    const found = student.get(id)
    return found ? studentName(found, school) : t('lesson.gone')
  }
  const choose = (chosen: readonly string[]) =>
    onChange({ attendees: chosen.map((student_id) => ({ student_id, attended: null })) })
  return (
    <>
      <div className={layout.pair}>
        <TopicField
          key={form.lesson_type_id}
          lessonTypeId={form.lesson_type_id}
          value={form.topic}
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
      {isNew && user.role !== 'instructor' && (
        <LackingStudents
          lessonTypeId={form.lesson_type_id}
          topic={form.topic.trim()}
          chosen={ids}
          seats={seats}
          onChange={choose}
        />
      )}
      {isNew && (
        <Choices
          label={`${t('field.attendees')} (${t('group.seats', { count: ids.length, seats })})`}
          placeholder={t('booking.findStudent')}
          data={
            isFull
              ? []
              : students.map((one) => ({
                  value: one.id,
                  label: studentName(one, school),
                  hint: studentHint(one, school),
                }))
          }
          chosen={ids.map((value) => ({ value, label: nameFor(value) }))}
          onChange={choose}
          without={(name) => t('group.without', { name })}
        />
      )}
    </>
  )
}
