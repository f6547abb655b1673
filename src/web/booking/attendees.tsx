import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { LessonActions } from '../lessons/lesson-actions.ts'
import { Button } from '../ui/button.tsx'
import { Choices } from '../ui/dialogs/choices.tsx'
import { studentHint, studentName, useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'
import { LackingStudents } from './lacking-students.tsx'
import css from './lesson-buttons.module.css'

type AttendeesProps = { readonly lesson: Appointment; readonly actions: LessonActions }

/** The students of a group. Before it begins they can be added and removed; afterwards, added and marked as present. */
export function Attendees({ lesson, actions }: AttendeesProps) {
  const school = useSchool()
  const { students, student, lessonType, user } = school
  const { t } = useTranslation()
  const hasBegun = lesson.start_at <= useNow()
  const ofType = lessonType.get(lesson.lesson_type_id)?.seats ?? 1
  if (lesson.student_id !== null || ofType === 1) return null
  const { attendees } = lesson
  const nameFor = (id: string) => {
    const found = student.get(id)
    return found ? studentName(found, school) : t('lesson.gone')
  }
  const change = (next: Appointment['attendees']) => actions.change(lesson, { attendees: next }, 'changed')
  const known = new Map(attendees.map((one) => [one.student_id, one]))
  const chosen = attendees.map(({ student_id }) => ({ value: student_id, label: nameFor(student_id) }))
  const choose = (ids: readonly string[]) =>
    change(ids.map((student_id) => known.get(student_id) ?? { student_id, attended: null }))
  const added = (ids: readonly string[]) => choose([...known.keys(), ...ids])
  return (
    <section aria-label={t('field.attendees')} data-attendees className={css.attendees}>
      <p>{t('group.seats', { count: attendees.length, seats: lesson.seats ?? ofType })}</p>
      {hasBegun && (
        <div className={css.statuses}>
          {attendees.map(({ student_id, attended }) => (
            <Button
              key={student_id}
              look={attended ? 'chosen' : 'plain'}
              aria-pressed={attended === true}
              onClick={() =>
                change(
                  attendees.map((one) =>
                    one.student_id === student_id ? { ...one, attended: !attended } : one,
                  ),
                )
              }
            >
              {nameFor(student_id)}
            </Button>
          ))}
        </div>
      )}
      {!hasBegun && user.role !== 'instructor' && (
        <LackingStudents
          lessonTypeId={lesson.lesson_type_id}
          topic={lesson.topic ?? ''}
          chosen={[...known.keys()]}
          seats={lesson.seats ?? ofType}
          onChange={choose}
        />
      )}
      <Choices
        label={t(hasBegun ? 'group.also' : 'field.attendees')}
        placeholder={t('booking.findStudent')}
        data={students
          .filter(({ id }) => !known.has(id))
          .map((one) => ({ value: one.id, label: studentName(one, school), hint: studentHint(one, school) }))}
        chosen={hasBegun ? [] : chosen}
        onChange={hasBegun ? added : choose}
        without={(name) => t('group.without', { name })}
      />
    </section>
  )
}
