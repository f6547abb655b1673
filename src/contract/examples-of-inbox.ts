import { id, ids } from './examples-of-school.ts'

const time = { instructor_id: ids.instructor, start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' }

export const entry = {
  id: id(71),
  at: '2026-05-02T19:12:07.000Z',
  kind: 'student_cancelled',
  is_new: true,
  actor: { kind: 'student', id: ids.student, name: 'Lena Vogt' },
  student_id: ids.student,
  instructor_id: ids.instructor,
  lesson: { appointment_id: id(72), lesson_type_id: ids.lessonType, ...time },
  was: null,
  freed: time,
  fee_percent: 0,
  due: null,
  calendar: null,
  enquiry: null,
  wish: null,
  request: null,
  message: null,
}
