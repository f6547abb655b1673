import { id, ids } from './examples-of-school.ts'

export const minutesRow = {
  appointment_id: id(17),
  student_id: ids.student,
  lesson_type_id: ids.lessonType,
  start_at: '2026-05-04 08:00',
  end_at: '2026-05-04 09:32',
  planned_minutes: 90,
  minutes: 92,
  is_worked: true,
  is_practical: true,
  is_open: false,
}

const minutes = { planned_minutes: 90, worked_minutes: 92, practical_minutes: 92, total_minutes: 92 }

export const instructorMinutes = {
  instructor_id: ids.instructor,
  name: 'Jonas Brandt',
  number: '3',
  days: [
    {
      date: '2026-05-04',
      ...minutes,
      break_minutes: 0,
      longest_run_minutes: 92,
      first_start_at: '2026-05-04 08:00',
      last_end_at: '2026-05-04 09:32',
      limits: { practical: 495, total: 600, daily_units: 11, daily_override_units: null },
      exceeded: [],
      overrides: [],
      open: 0,
      rows: `/api/v1/minutes/rows?instructor_id=${ids.instructor}&date=2026-05-04`,
    },
  ],
  sums: { ...minutes, days: 1 },
}
