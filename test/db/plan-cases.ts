import type { TestService } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { aUser, logIn, PASSWORD } from '../support/factory.ts'
import { thisMonday } from '../support/history.ts'
import { addLessons, addStudents, YEAR_OF_MANY } from '../support/long-list.ts'
import type { Office } from '../support/office.ts'
import { dateAfter } from '../support/races.ts'
import { bearer } from '../support/session.ts'

/** An office with the helpers of the plan tests. */
export type PlannedOffice = Office & {
  readonly service: TestService
  /** Makes a client without credentials. */
  readonly visitor: () => Client
  /** Discards the statements recorded so far. */
  readonly forget: () => void
}

const monday = thisMonday()
export const nextMonday = dateAfter(monday, 7)
export const week = `from=${monday}&to=${dateAfter(monday, 6)}`

/** A request, its status, and a table that it must read: otherwise the test has examined nothing. */
export type Case = {
  readonly name: string
  readonly status: number
  readonly reads: string
  readonly ask: (office: PlannedOffice) => Promise<Answer>
  /** The index to read it by, if another would do today but read more rows every day. */
  readonly by?: string
  /** The kind of person all of whose lessons the request may read, all papers of a school, or whatever is the school's. */
  readonly ofWhole?: 'student' | 'instructor' | 'papers' | 'school'
}

/** The statements on sessions and lists. */
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
  ...['/bootstrap', '/students', '/students?with=progress', `/appointments?${week}`].map((path) => ({
    name: `an instructor's ${path}`,
    status: 200,
    reads: 'appointments',
    ofWhole: 'instructor' as const,
    ask: async (office: PlannedOffice) => (await anInstructor(office)).get(path),
  })),
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
    name: 'a list of more than a page',
    status: 200,
    reads: 'appointments',
    ask: async (office) => {
      await addLessons(office.service, office, 1001)
      office.forget()
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
    ask: async ({ service, school, forget }) => {
      await addStudents(service, school, 1001)
      forget()
      return school.client.get('/bootstrap')
    },
  },
]

/** Logs in as an instructor of the office and discards the statements recorded so far. Returns the client. */
async function anInstructor({
  service,
  school,
  instructors,
  visitor,
  forget,
}: PlannedOffice): Promise<Client> {
  const user = await aUser(service, school.tenantId, {
    role: 'instructor',
    instructor_id: instructors[0] ?? '',
  })
  const { token } = await logIn(visitor(), user.email)
  forget()
  return visitor().with(bearer(token))
}

/** Logs in and discards the statements recorded so far. Returns the tokens. */
async function aSession({ school, visitor, forget }: PlannedOffice) {
  const tokens = await logIn(visitor(), school.user.email)
  forget()
  return tokens
}
