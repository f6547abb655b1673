import { type TSchema, Type } from 'typebox'
import * as example from './examples-of-numbers.ts'
import * as field from './fields.ts'

const Count = Type.Integer({ minimum: 0 })
const Days = Type.Number({ description: 'Days.' })
const Rows = Type.String({
  description:
    'The address of the rows, which add up to the number; with `.csv` before the query it is their file.',
})

/** The ISO weeks of 2000 to 2099. */
export const Week = Type.String({
  pattern: '^20[0-9]{2}-W(0[1-9]|[1-4][0-9]|5[0-3])$',
  examples: ['2026-W05'],
  description: 'The ISO week.',
})

const instructor_id = field.described(field.Id, 'The instructor.')
const lesson_type_id = field.described(field.Id, 'The lesson type.')
const license_class = field.described(field.LicenseClass, 'The class of the enrolment.')
const test = Type.Enum(['theory', 'practical'], { description: 'The test.' })
const attempt = Type.Enum(['first', 'repeat'], {
  description: '`first` is the first result of that test in the enrolment, `repeat` every later one.',
})
const kind = Type.Enum(['no_show', 'cancelled_late', 'cancelled_in_time', 'by_school'], {
  description:
    "Why it did not take place: `no_show` by its status; a student's cancellation is `cancelled_late` if its `is_late` is true, else `cancelled_in_time`; every other cancellation is `by_school`, also one without a party.",
})

/** The filters of rows. */
export const numbersFilters = {
  instructor_id,
  week: Week,
  lesson_type_id,
  kind,
  license_class,
  test,
  attempt,
}

const worked_minutes = field.described(
  Count,
  'The elapsed minutes of completed appointments that start on these days, by their actual times if known, as in `worked_minutes` of `GET /minutes`.',
)
const missed = {
  no_show: field.described(Count, 'Appointments with this status.'),
  cancelled_late: field.described(Count, 'Cancellations of students whose `is_late` is true.'),
  cancelled_in_time: field.described(Count, 'The other cancellations of students.'),
  by_school: field.described(Count, 'All other cancellations.'),
}

function listed(description: string) {
  return field.closed({ count: field.described(Count, 'The number of rows.'), rows: Rows }, { description })
}

const lists = {
  no_lesson: listed(
    'Students whose open current enrolment began three weeks ago or earlier, with no completed lesson since and none planned.',
  ),
  special_owed: listed(
    'Students who have a valid passed theory test or a planned practical one, and special drives that are neither done nor planned.',
  ),
  ready: listed('Students whose `readiness.ready` is true and who have no practical test planned.'),
}

const listOf = (properties: Record<string, TSchema>, description: string) =>
  Type.Array(field.closed(properties), { description })

export const NumbersSchema = field.closed(
  {
    from: field.described(field.LocalDate, 'The first day.'),
    to: field.described(field.LocalDate, 'The last day.'),
    use: listOf(
      {
        instructor_id,
        week: Week,
        worked_minutes,
        available_minutes: field.described(
          field.nullable(Count),
          "The working hours of these days without vacations, absences, the school's closures and, if it refuses bookings on them, public holidays; null for an instructor without working hours.",
        ),
        rows: Rows,
      },
      'The use of working hours by instructor and ISO week, cut at the ends of the period. Inactive instructors have the weeks in which they worked.',
    ),
    free: listOf(
      {
        week: Week,
        instructor_id,
        minutes: field.described(Count, 'The free minutes.'),
        rows: Rows,
      },
      'The free working hours of the 28 days from today on, whatever the period: from now on, without appointments, at most what the limits of the day and the week leave without an override. Active instructors with working hours only.',
    ),
    by_type: listOf(
      {
        lesson_type_id,
        count: field.described(Count, 'The completed appointments; a group is one.'),
        minutes: field.described(Count, 'Their elapsed minutes.'),
        rows: Rows,
      },
      'The completed appointments by lesson type.',
    ),
    missed: field.closed(
      {
        ...missed,
        rows: field.closed(
          { no_show: Rows, cancelled_late: Rows, cancelled_in_time: Rows, by_school: Rows },
          { description: 'The addresses of the rows.' },
        ),
      },
      { description: 'The appointments of the period that did not take place.' },
    ),
    to_test: listOf(
      {
        license_class,
        test,
        n: field.described(Count, 'The first passed tests in the period.'),
        median_days: field.described(
          field.nullable(Days),
          'The median of the days from `begins_on` to the first passed test; null without one.',
        ),
        quarter_days: Type.Unsafe<readonly [number, number] | null>({
          type: ['array', 'null'],
          items: { type: 'number' },
          minItems: 2,
          maxItems: 2,
          description: 'The first and third quartile, interpolated; null without one.',
        }),
        rows: Rows,
      },
      'The time from enrolment to test. Enrolments with units from elsewhere, which began there, are left out.',
    ),
    passed: listOf(
      {
        license_class,
        test,
        attempt,
        taken: field.described(Count, 'The results.'),
        passed: field.described(Count, 'The results passed.'),
        rows: Rows,
      },
      'The results of tests, by the day of the test.',
    ),
    lists: field.closed(lists, { description: 'The students to act on, as of now.' }),
  },
  {
    $id: 'Numbers',
    description: 'The numbers of a school in a period, each with the address of its rows.',
    examples: [example.numbers],
  },
)

const instructor = Type.String({ description: 'The name of the instructor.' })
const Student = field.nullable(Type.String())
const person = {
  student_id: field.described(
    field.nullable(field.Id),
    'The student; null without one, for a group, and after an erasure.',
  ),
  student: field.described(Student, 'The name; null also while only the training record is kept.'),
}
const lesson = {
  appointment_id: field.described(field.Id, 'The appointment.'),
  start_at: field.described(field.LocalDateTime, 'The actual start if known, or else the planned one.'),
  end_at: field.described(field.LocalDateTime, 'The actual end if known, or else the planned one.'),
  instructor_id,
  instructor,
  ...person,
  lesson_type_id,
  lesson_type: Type.String({ description: 'The name of the lesson type.' }),
}

export const NumbersLessonSchema = field.closed(
  { ...lesson, minutes: field.described(Count, 'The elapsed minutes from start to end.') },
  {
    $id: 'NumbersLesson',
    description: 'A completed appointment behind a number.',
    examples: [example.numbersLesson],
  },
)

export const NumbersMissedSchema = field.closed(
  {
    ...lesson,
    kind,
    notice_minutes: field.described(
      field.nullable(Type.Integer()),
      'Whole minutes from the cancellation to the start; null for a no-show, and where it is unknown.',
    ),
  },
  {
    $id: 'NumbersMissed',
    description: 'An appointment that did not take place.',
    examples: [example.numbersMissed],
  },
)

export const NumbersFreeDaySchema = field.closed(
  {
    date: field.described(field.LocalDate, 'The day.'),
    week: Week,
    instructor_id,
    instructor,
    minutes: field.described(Count, 'The free minutes of the day.'),
  },
  {
    $id: 'NumbersFreeDay',
    description: 'A day on which an instructor has free working hours.',
    examples: [example.numbersFreeDay],
  },
)

const ofEnrolment = {
  enrolment_id: field.described(field.Id, 'The enrolment.'),
  license_class,
  student_id: field.described(field.Id, 'The student.'),
  student: field.described(Student, 'The name; null while only the training record is kept.'),
}

export const NumbersPassSchema = field.closed(
  {
    ...ofEnrolment,
    test,
    begins_on: field.described(field.LocalDate, 'The first day of the training.'),
    passed_on: field.described(field.LocalDate, 'The day of the first passed test.'),
    days: field.described(Type.Integer(), 'The days between them.'),
  },
  {
    $id: 'NumbersPass',
    description: 'The way of a student from the enrolment to the first passed test.',
    examples: [example.numbersPass],
  },
)

export const NumbersTestSchema = field.closed(
  {
    appointment_id: field.described(field.Id, 'The appointment.'),
    ...ofEnrolment,
    test,
    attempt,
    date: field.described(field.LocalDate, 'The day of the test.'),
    passed: Type.Boolean({ description: 'Whether it was passed.' }),
  },
  { $id: 'NumbersTest', description: 'The result of a test.', examples: [example.numbersTest] },
)

const listedStudent = {
  ...ofEnrolment,
  student: Type.String({ description: 'The name.' }),
}

export const NumbersIdleStudentSchema = field.closed(
  {
    ...listedStudent,
    begins_on: field.described(field.LocalDate, 'The first day of the training.'),
    last_lesson_on: field.described(
      field.nullable(field.LocalDate),
      'The day of the last completed lesson; null if there was none.',
    ),
  },
  {
    $id: 'NumbersIdleStudent',
    description: 'A student without a lesson for weeks.',
    examples: [example.numbersIdleStudent],
  },
)

export const NumbersOwedStudentSchema = field.closed(
  {
    ...listedStudent,
    units: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description: 'The units that are neither done nor planned, by code of the lesson type.',
    }),
    exam_on: field.described(
      field.nullable(field.LocalDate),
      'The day of the planned practical test; null if there is none.',
    ),
  },
  {
    $id: 'NumbersOwedStudent',
    description: 'A student who owes special drives before the practical test.',
    examples: [example.numbersOwedStudent],
  },
)

export const NumbersReadyStudentSchema = field.closed(
  {
    ...listedStudent,
    ready_since: field.described(field.LocalDate, 'The day on which the last missing thing was met.'),
  },
  {
    $id: 'NumbersReadyStudent',
    description: 'A student who is ready for the practical test.',
    examples: [example.numbersReadyStudent],
  },
)
