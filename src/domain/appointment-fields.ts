import { type FieldList, namesOfKind, TEXT_FIELD_KINDS } from './fields.ts'

export const APPOINTMENT_FIELDS = {
  instructor_id: { kind: 'id', about: 'The instructor who teaches.' },
  student_id: {
    kind: 'id',
    isNullable: true,
    about: 'The student; null for a theory class or blocked time.',
  },
  enrolment_id: {
    kind: 'id',
    isNullable: true,
    about:
      'The enrolment of the student that the lesson counts toward, or null for none. If it is left out, and again for another student, it is the one that is open on the day of the lesson, or if several are, the current one. No rule depends on it.',
  },
  vehicle_ids: {
    kind: 'vehicles',
    about: 'The vehicles, such as a car and a trailer; at most three, by default none.',
  },
  attendees: {
    kind: 'attendees',
    about:
      'The students of a group, for lesson types with several seats; by default none. An appointment has either these or a `student_id`.',
  },
  seats: {
    kind: 'seats',
    isNullable: true,
    about: 'The seats of a group, by default and at most those of the lesson type; null if it is no group.',
  },
  topic: {
    kind: 'topic',
    isNullable: true,
    about: 'The topic of a class, such as Thema 3; null for none. No rule depends on it.',
  },
  lesson_type_id: { kind: 'id', about: 'The kind of lesson.' },
  start_at: {
    kind: 'wall_clock',
    about: "The start on the school's wall clock, `YYYY-MM-DD HH:MM`, years 2000–2099.",
  },
  end_at: {
    kind: 'wall_clock',
    about:
      "The end on the school's wall clock, `YYYY-MM-DD HH:MM`: after `start_at`, at most 24 hours later.",
  },
  title: { kind: 'line', about: 'The title in the calendar; by default the name of the lesson type.' },
  status: {
    kind: 'status',
    about: 'The state of the lesson, by default `planned`. A cancelled one takes no time and breaks no rule.',
  },
  notes: { kind: 'text', isNullable: true, about: 'Notes on the lesson; students do not see them.' },
  pickup_place: {
    kind: 'line',
    isNullable: true,
    about: 'The place where the lesson begins, in words; null for none. No rule uses it.',
  },
  location_id: {
    kind: 'id',
    isNullable: true,
    about: 'The location where the lesson begins; null for that of the instructor. No rule uses it.',
  },
  exam_result: {
    kind: 'exam_result',
    isNullable: true,
    about:
      'The result of an exam, with the reason if it was failed; null until it is known, and again once another student gets the lesson. Every lesson type takes one, and no rule depends on it; readiness asks only types with a category that ends in `exam`.',
  },
  practised: {
    kind: 'text',
    isNullable: true,
    about: "A note on what was practised and what comes next, for the student's next lesson.",
  },
  actual_start_at: {
    kind: 'wall_clock',
    isNullable: true,
    about:
      'When it really began, at most 12 hours from `start_at`. In every sum of worked minutes the actual times win over the planned ones.',
  },
  actual_end_at: {
    kind: 'wall_clock',
    isNullable: true,
    about: 'When it really ended, at most 12 hours from `end_at`. Null together with `actual_start_at`.',
  },
} as const satisfies FieldList

/** The free texts, which may mention any person. */
export const LESSON_TEXTS = /* @__PURE__ */ namesOfKind(APPOINTMENT_FIELDS, ...TEXT_FIELD_KINDS)
export type LessonTextName = (typeof LESSON_TEXTS)[number]

/** The fields whose value is an object with a note. */
export const NOTED_FIELDS = ['cancellation', 'exam_result'] as const
export type NotedField = (typeof NOTED_FIELDS)[number]

/** The fields that record the outcome of a lesson, not its time, place and people. */
export const OUTCOME_FIELDS = [
  'status',
  'notes',
  'practised',
  'exam_result',
  'actual_start_at',
  'actual_end_at',
] as const satisfies readonly (keyof typeof APPOINTMENT_FIELDS)[]
