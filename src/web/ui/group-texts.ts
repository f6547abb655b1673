import type { Appointment } from '../../contract/appointment.ts'
import { type Fields, NOTHING, personIn, text } from './field-kinds.ts'

type Group = Pick<Appointment, 'student_id' | 'attendees' | 'seats' | 'topic'>

/** The student of a lesson, or the group. */
export const GROUP = {
  student_id: {
    label: 'lesson.student',
    words: (id, school, t) => [
      id === null ? t('lesson.noStudent') : (personIn(school.student, id) ?? t('lesson.gone')),
    ],
  },
  attendees: {
    label: 'field.attendees',
    words: (attendees, school, t) =>
      attendees.map(({ student_id, attended }) => {
        const mark = attended === null ? '' : attended ? ' ✓' : ' –'
        return (personIn(school.student, student_id) ?? t('lesson.gone')) + mark
      }),
  },
  seats: {
    label: 'field.seats',
    words: (seats) => [seats === null ? NOTHING : String(seats)],
  },
  topic: text('field.topic'),
} satisfies Fields<Group>
