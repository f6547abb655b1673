import { id, ids } from './examples-of-school.ts'

const plan = id(60)
const proposed = {
  id: id(61),
  student_id: ids.student,
  wish_id: id(62),
  instructor_id: ids.instructor,
  lesson_type_id: ids.lessonType,
  start_at: '2026-05-05 14:00',
  end_at: '2026-05-05 15:30',
  vehicle_ids: [],
  warnings: [],
  is_locked: false,
  score: 105,
}

export const newPlan = { from: '2026-05-04', to: '2026-05-08' }

export const draft = {
  id: plan,
  from: '2026-05-04',
  to: '2026-05-08',
  state: 'draft',
  instructor_ids: null,
  student_ids: null,
  overrides: false,
  weights: { waiting: 1, full_days: 1, own_instructor: 1 },
  effort: 3,
  seed: 1,
  proposed: [proposed],
  left_out: [
    {
      student_id: id(63),
      wish_id: null,
      lesson_type_id: ids.lessonType,
      minutes: 90,
      reason: {
        code: 'taken',
        params: { start_at: '2026-05-05 14:00', instructor_id: ids.instructor, instead_of: proposed.id },
      },
    },
  ],
  broken: [],
  figures: {
    score: 105,
    lessons: 1,
    minutes: 90,
    wished_minutes: 180,
    own_instructor_lessons: 1,
    travel_minutes: 0,
    unusable_gap_minutes: 0,
    instructors: [{ instructor_id: ids.instructor, minutes: 90, available_minutes: 2400 }],
  },
  actor: { kind: 'user', id: ids.user, name: 'Petra Lange' },
  version: 1,
  created_at: '2026-05-01T08:00:00.000Z',
  updated_at: '2026-05-01T08:00:00.000Z',
}

export const planChange = { lock: [proposed.id] }
export const replan = { effort: 5 }
export const planApplication = { as: 'booked' }
export const appliedPlan = { set_id: id(64), booked: [], offers: [], refused: [] }
