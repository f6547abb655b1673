import type { Answer } from '../support/client.ts'
import { slot } from '../support/races.ts'
import { type Case, nextMonday, type PlannedOffice, week } from './plan-cases.ts'

/** The statements that book, move, delete and check lessons. */
export const casesOfBookings: readonly Case[] = [
  {
    name: 'a booking',
    status: 201,
    reads: 'appointments',
    ask: (office) => book(office, slot(nextMonday, 16 * 60)),
  },
  {
    name: 'a booking with a key',
    status: 201,
    reads: 'appointments',
    ask: (office) => book(office, slot(nextMonday, 21 * 60), 'plan'),
  },
  {
    name: 'the same booking, sent again',
    status: 201,
    reads: 'idempotency_keys',
    by: 'idempotency_keys_pkey',
    ask: (office) => book(office, slot(nextMonday, 21 * 60), 'plan'),
  },
  {
    name: 'a series',
    status: 200,
    // Alternatives for a refused lesson depend on the student's past lessons.
    ofWhole: 'student',
    reads: 'idempotency_keys',
    ask: bookSeries,
  },
  {
    name: 'the lessons of a series',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_series',
    ask: async (office) => {
      const id = await idOfSeries(office)
      return office.school.client.get(`/appointments?series_id=${id}`)
    },
  },
  {
    name: 'the cancellation of a series',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_series',
    ask: async (office) => {
      const path = `/appointments/series/${await idOfSeries(office)}/cancel`
      return office.school.client.post(path, { from: nextMonday })
    },
  },
  {
    name: 'a refused booking',
    status: 409,
    reads: 'appointments',
    ask: (office) => book(office, slot(nextMonday, 16 * 60 + 15)),
  },
  {
    name: 'a check of what is refused, with alternatives',
    status: 200,
    reads: 'appointments',
    ofWhole: 'student',
    ask: ({ school, instructors, students }) =>
      school.client.post('/appointments/check', {
        ...{ instructor_id: instructors[0], student_id: students[0] },
        lesson_type_id: school.lessonTypes.PRACTICE,
        ...slot(nextMonday, 16 * 60 + 15),
      }),
  },
  {
    name: 'free times of all instructors',
    status: 200,
    reads: 'appointments',
    ask: ({ school }) => school.client.get(`/slots?${week}&minutes=45`),
  },
  {
    name: 'free times for a student',
    status: 200,
    reads: 'appointments',
    ofWhole: 'student',
    ask: ({ school, instructors, students }) =>
      school.client.get(
        `/slots?${week}&lesson_type_id=${school.lessonTypes.PRACTICE}&student_id=${students[0]}&instructor_id=${instructors[0]}`,
      ),
  },
  {
    name: 'free times for a lesson that is moved',
    status: 200,
    reads: 'appointments',
    ofWhole: 'student',
    ask: ({ school, instructors, students, lessons }) =>
      school.client.get(
        `/slots?${week}&lesson_type_id=${school.lessonTypes.PRACTICE}&student_id=${students[0]}&instructor_id=${instructors[0]}&appointment_id=${lessons[0]}`,
      ),
  },
  {
    name: 'a change of times',
    status: 200,
    reads: 'appointments',
    ask: (office) =>
      office.school.client.patch(`/appointments/${office.lessons[0]}`, slot(nextMonday, 18 * 60)),
  },
  {
    name: 'a change of the instructor and the student',
    status: 200,
    reads: 'appointments',
    ask: (office) =>
      office.school.client.patch(`/appointments/${office.lessons[0]}`, {
        ...slot(nextMonday, 20 * 60),
        instructor_id: office.instructors[1],
        student_id: office.students[1],
      }),
  },
  {
    name: 'a change of notes',
    status: 200,
    reads: 'appointments',
    ask: (office) => office.school.client.patch(`/appointments/${office.lessons[0]}`, { notes: 'Motorway' }),
  },
  {
    name: 'a deletion',
    status: 204,
    reads: 'appointments',
    ask: (office) => office.school.client.delete(`/appointments/${office.lessons[1]}`),
  },
  {
    name: 'a restoration',
    status: 200,
    reads: 'appointments',
    ask: async ({ school, lessons, forget }) => {
      await school.client.delete(`/appointments/${lessons[2]}`)
      forget()
      return school.client.post(`/appointments/${lessons[2]}/restore`)
    },
  },
]

function book(
  { school, instructors, students }: PlannedOffice,
  times: object,
  key?: string,
): Promise<Answer> {
  const lesson = { instructor_id: instructors[0], student_id: students[0], ...times }
  return school.book(lesson, key === undefined ? {} : { 'idempotency-key': key })
}

function bookSeries({ school, instructors, students }: PlannedOffice): Promise<Answer> {
  const people = { instructor_id: instructors[6], student_id: students[8] }
  const times = slot('2045-01-02', 600)
  const appointment = { ...people, lesson_type_id: school.lessonTypes.PRACTICE, ...times }
  const body = { appointment, repeat: { every_weeks: 1, count: 3 } }
  return school.client.post('/appointments/series', body, { 'idempotency-key': 'series' })
}

/** Books the series, or repeats its request, and discards the statements recorded so far. Returns the series' id. */
async function idOfSeries(office: PlannedOffice): Promise<string> {
  const { body } = await bookSeries(office)
  office.forget()
  return body.series_id
}
