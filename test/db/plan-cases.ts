import type { TestService } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { logIn, PASSWORD } from '../support/factory.ts'
import { thisMonday } from '../support/history.ts'
import { addLessons, addStudents, YEAR_OF_MANY } from '../support/long-list.ts'
import type { Office } from '../support/office.ts'
import { dateAfter, slot } from '../support/races.ts'
import { bearer } from '../support/session.ts'

/** An office, and what plans are asked with. */
export type PlannedOffice = Office & {
  readonly service: TestService
  /** Somebody without credentials. */
  readonly visitor: () => Client
  /** Forgets what was sent until now. */
  readonly forget: () => void
}

const monday = thisMonday()
export const nextMonday = dateAfter(monday, 7)
const week = `from=${monday}&to=${dateAfter(monday, 6)}`

/** What is asked, how it is answered, and a table that must have been read for it: else nothing was examined. */
export type Case = {
  readonly name: string
  readonly status: number
  readonly reads: string
  readonly ask: (office: PlannedOffice) => Promise<Answer>
  /** An index by which it must have been read, where another would do as well today and read more every day. */
  readonly by?: string
  /** It asks for all lessons of a student: those are few. */
  readonly ofWholeStudent?: boolean
}

export const cases: readonly Case[] = [
  {
    name: 'a login',
    status: 200,
    reads: 'users',
    ask: ({ school, visitor }) =>
      visitor().post('/auth/login', { email: school.user.email, password: PASSWORD }),
  },
  {
    name: 'a failed login',
    status: 401,
    reads: 'login_failures',
    ask: ({ school, visitor }) =>
      visitor().post('/auth/login', { email: school.user.email, password: 'wrong' }),
  },
  {
    name: 'the first request of a session',
    status: 200,
    reads: 'token_families',
    ask: async (office) => {
      const { token } = await aSession(office)
      return office.visitor().get('/auth/me', bearer(token))
    },
  },
  {
    name: 'a refresh',
    status: 200,
    reads: 'refresh_tokens',
    ask: async (office) => {
      const { refresh_token } = await aSession(office)
      return office.visitor().post('/auth/refresh', { refresh_token })
    },
  },
  { name: 'bootstrap', status: 200, reads: 'students', ask: ({ school }) => school.client.get('/bootstrap') },
  {
    name: "a week's list",
    status: 200,
    reads: 'appointments',
    ask: (office) => office.school.client.get(`/appointments?${week}`),
  },
  {
    name: "a page of a week's list and the next",
    status: 200,
    reads: 'appointments',
    ask: async (office) => {
      const first = await office.school.client.get(`/appointments?${week}&limit=10`)
      const next = /<([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
      return office.school.client.get(next.replace('/api/v1', ''))
    },
  },
  {
    name: "an instructor's week",
    status: 200,
    reads: 'appointments',
    ask: (office) => office.school.client.get(`/appointments?${week}&instructor_id=${office.instructors[0]}`),
  },
  {
    name: "a student's week",
    status: 200,
    reads: 'appointments',
    ask: (office) => office.school.client.get(`/appointments?${week}&student_id=${office.students[0]}`),
  },
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
    // Alternatives for a refused lesson ask what the student has had.
    ofWholeStudent: true,
    reads: 'idempotency_keys',
    ask: (office) => bookSeries(office, slot('2045-01-02', 600), 'series'),
  },
  {
    name: 'the lessons of a series',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_series',
    ask: async (office) => {
      const { body } = await bookSeries(office, slot('2045-01-02', 600), 'series')
      office.forget()
      return office.school.client.get(`/appointments?series_id=${body.series_id}`)
    },
  },
  {
    name: 'the cancellation of a series',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_series',
    ask: async (office) => {
      const { body } = await bookSeries(office, slot('2045-01-02', 600), 'series')
      office.forget()
      const path = `/appointments/series/${body.series_id}/cancel`
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
    ofWholeStudent: true,
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
    ofWholeStudent: true,
    ask: ({ school, instructors, students }) =>
      school.client.get(
        `/slots?${week}&lesson_type_id=${school.lessonTypes.PRACTICE}&student_id=${students[0]}&instructor_id=${instructors[0]}`,
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
  {
    name: 'a change of a student',
    status: 200,
    reads: 'students',
    ask: ({ school, students }) => school.client.patch(`/students/${students[2]}`, { phone: '112' }),
  },
  {
    name: 'a deletion of a student',
    status: 204,
    ofWholeStudent: true,
    reads: 'appointments',
    ask: ({ school, students }) => school.client.delete(`/students/${students[3]}`),
  },
  {
    name: 'a restoration of a student with a lesson',
    status: 200,
    ofWholeStudent: true,
    reads: 'appointments',
    ask: async ({ school, students, instructors, forget }) => {
      const time = slot(nextMonday, 20 * 60)
      await school.lesson({ instructor_id: instructors[4], student_id: students[4], ...time })
      await school.client.delete(`/students/${students[4]}`)
      forget()
      return school.client.post(`/students/${students[4]}/restore`)
    },
  },
  {
    name: 'a change of an instructor',
    status: 200,
    reads: 'instructors',
    ask: ({ school, instructors }) =>
      school.client.patch(`/instructors/${instructors[5]}`, {
        max_daily_units: 7,
        availability_windows: [{ weekday: 1, start: '06:00', end: '22:00' }],
        vacations: [],
      }),
  },
  {
    name: 'a list of more than a page',
    status: 200,
    reads: 'appointments',
    ask: async (office) => {
      await addLessons(office.service, office, 1001)
      return office.school.client.get(`/appointments?${YEAR_OF_MANY}`)
    },
  },
  {
    name: 'the same of one student',
    status: 200,
    reads: 'appointments',
    ask: ({ school, students }) =>
      school.client.get(`/appointments?${YEAR_OF_MANY}&student_id=${students[0]}`),
  },
  {
    name: 'a bootstrap of more than a page',
    status: 200,
    reads: 'students',
    ask: async ({ service, school }) => {
      await addStudents(service, school, 1001)
      return school.client.get('/bootstrap')
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

function bookSeries(
  { school, instructors, students }: PlannedOffice,
  times: object,
  key: string,
): Promise<Answer> {
  const people = { instructor_id: instructors[6], student_id: students[8] }
  const appointment = { ...people, lesson_type_id: school.lessonTypes.PRACTICE, ...times }
  const body = { appointment, repeat: { every_weeks: 1, count: 3 } }
  return school.client.post('/appointments/series', body, { 'idempotency-key': key })
}

/** A new session; only what follows is of interest. */
async function aSession({ school, visitor, forget }: PlannedOffice) {
  const tokens = await logIn(visitor(), school.user.email)
  forget()
  return tokens
}
