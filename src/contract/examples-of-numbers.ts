import { id, ids } from './examples-of-school.ts'

const address = (path: string) => `/api/v1/numbers/${path}`
const period = 'from=2026-01-01&to=2026-03-31'
const student = { student_id: ids.student, student: 'Lena Vogt' }
const instructor = { instructor_id: ids.instructor, instructor: 'Jonas Brandt' }
const enrolment = { enrolment_id: id(31), license_class: 'B', ...student }

const lesson = {
  appointment_id: id(17),
  start_at: '2026-02-02 08:00',
  end_at: '2026-02-02 09:30',
  ...instructor,
  ...student,
  lesson_type_id: ids.lessonType,
  lesson_type: 'Practice',
}

export const numbersLesson = { ...lesson, minutes: 90 }
export const numbersMissed = { ...lesson, kind: 'cancelled_late', notice_minutes: 240 }
export const numbersFreeDay = { date: '2026-04-07', week: '2026-W15', ...instructor, minutes: 135 }
export const numbersPass = {
  ...enrolment,
  test: 'practical',
  begins_on: '2025-10-06',
  passed_on: '2026-02-27',
  days: 144,
}
export const numbersTest = {
  appointment_id: id(18),
  ...enrolment,
  test: 'practical',
  attempt: 'first',
  date: '2026-02-27',
  passed: true,
}
export const numbersIdleStudent = { ...enrolment, begins_on: '2025-10-06', last_lesson_on: '2026-03-02' }
export const numbersOwedStudent = { ...enrolment, units: { NIGHT: 2 }, exam_on: '2026-04-21' }
export const numbersReadyStudent = { ...enrolment, ready_since: '2026-03-18' }

const missedRows = (kind: string) => address(`missed?${period}&kind=${kind}`)

export const numbers = {
  from: '2026-01-01',
  to: '2026-03-31',
  use: [
    {
      instructor_id: ids.instructor,
      week: '2026-W06',
      worked_minutes: 1440,
      available_minutes: 2400,
      rows: address(`use?${period}&instructor_id=${ids.instructor}&week=2026-W06`),
    },
  ],
  free: [
    {
      week: '2026-W15',
      instructor_id: ids.instructor,
      minutes: 405,
      rows: address(`free?instructor_id=${ids.instructor}&week=2026-W15`),
    },
  ],
  by_type: [
    {
      lesson_type_id: ids.lessonType,
      count: 212,
      minutes: 19_080,
      rows: address(`by_type?${period}&lesson_type_id=${ids.lessonType}`),
    },
  ],
  missed: {
    no_show: 3,
    cancelled_late: 5,
    cancelled_in_time: 11,
    by_school: 4,
    rows: {
      no_show: missedRows('no_show'),
      cancelled_late: missedRows('cancelled_late'),
      cancelled_in_time: missedRows('cancelled_in_time'),
      by_school: missedRows('by_school'),
    },
  },
  to_test: [
    {
      license_class: 'B',
      test: 'practical',
      n: 9,
      median_days: 144,
      quarter_days: [121.5, 170],
      rows: address(`to_test?${period}&license_class=B&test=practical`),
    },
  ],
  passed: [
    {
      license_class: 'B',
      test: 'practical',
      attempt: 'first',
      taken: 12,
      passed: 9,
      rows: address(`passed?${period}&license_class=B&test=practical&attempt=first`),
    },
  ],
  lists: {
    no_lesson: { count: 4, rows: address('no_lesson') },
    special_owed: { count: 2, rows: address('special_owed') },
    ready: { count: 3, rows: address('ready') },
  },
}
