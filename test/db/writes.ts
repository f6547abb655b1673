import type { TestService } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { dateAfter, slot } from '../support/races.ts'

export const MONDAY = '2041-01-07'
/** A time at which everybody is free. */
export const FREE = slot(dateAfter(MONDAY, 1), 600)

/** A school with rows to write to. */
export type Scene = {
  readonly school: School
  readonly client: Client
  readonly instructors: readonly string[]
  readonly student: string
  readonly lesson: string
  readonly deletedLesson: string
  readonly deletedStudent: string
  readonly series: string
  /** The sets of changes that deleted the lesson and the student. */
  readonly sets: readonly [lesson: string, student: string]
}

/** A write, and the tables whose row locks it waits for. Locks on other tables do not affect it. */
type Write = {
  readonly needs: readonly string[]
  readonly send: (scene: Scene) => Promise<Answer>
}

/** The writes of the API, by description. */
export const WRITES: Readonly<Record<string, Write>> = {
  'book a lesson': {
    needs: ['calendars', 'students', 'instructors'],
    send: ({ school, instructors: [instructor_id], student }) =>
      school.book({ instructor_id, student_id: student, ...FREE }),
  },
  'book a lesson with a key': {
    needs: ['calendars', 'students', 'instructors'],
    send: ({ school, instructors: [instructor_id], student }) =>
      school.book(
        { instructor_id, student_id: student, ...FREE },
        { 'idempotency-key': crypto.randomUUID() },
      ),
  },
  'book a series': {
    needs: ['calendars', 'students', 'instructors'],
    send: ({ school, instructors: [instructor_id], student }) => {
      const people = { instructor_id, student_id: student }
      const appointment = { ...people, lesson_type_id: school.lessonTypes.PRACTICE, ...FREE }
      return school.client.post('/appointments/series', {
        appointment,
        repeat: { every_weeks: 1, count: 2 },
      })
    },
  },
  'book a batch': {
    needs: ['calendars', 'students', 'instructors'],
    send: ({ school, instructors: [instructor_id], student }) => {
      const people = { instructor_id, student_id: student }
      const appointment = { ...people, lesson_type_id: school.lessonTypes.PRACTICE, ...FREE }
      return school.client.post('/appointments/batch', { appointments: [appointment] })
    },
  },
  'cancel a series': {
    needs: ['appointments'],
    send: ({ client, series }) => client.post(`/appointments/series/${series}/cancel`, { from: MONDAY }),
  },
  'move a lesson': {
    needs: ['calendars', 'appointments'],
    send: ({ client, lesson }) => client.patch(`/appointments/${lesson}`, FREE),
  },
  'give a lesson to another instructor': {
    needs: ['calendars', 'instructors', 'appointments'],
    send: ({ client, lesson, instructors: [, instructor_id] }) =>
      client.patch(`/appointments/${lesson}`, { instructor_id }),
  },
  'note something of a lesson': {
    needs: ['appointments'],
    send: ({ client, lesson }) => client.patch(`/appointments/${lesson}`, { notes: 'parking' }),
  },
  'delete a lesson': {
    needs: ['appointments'],
    send: ({ client, lesson }) => client.delete(`/appointments/${lesson}`),
  },
  'restore a lesson': {
    needs: ['calendars', 'appointments'],
    send: ({ client, deletedLesson }) => client.post(`/appointments/${deletedLesson}/restore`),
  },
  'enrol a student': {
    needs: ['instructors', 'tenants'],
    send: ({ client, instructors: [preferred_instructor_id] }) =>
      client.post('/students', { first_name: 'Mia', last_name: 'Busch', preferred_instructor_id }),
  },
  'change a student': {
    needs: ['students'],
    send: ({ client, student }) => client.patch(`/students/${student}`, { phone: '112' }),
  },
  'enter what a student brings': {
    needs: ['students'],
    send: ({ client, school, student }) =>
      client.put(`/students/${student}/opening-balance`, [
        { lesson_type_id: school.lessonTypes.RURAL, units: 2, date: '2026-01-31', source: 'Fahrschule Nord' },
      ]),
  },
  'delete a student': {
    needs: ['calendars', 'students', 'appointments'],
    send: ({ client, student }) => client.delete(`/students/${student}`),
  },
  'restore a student': {
    needs: ['calendars', 'students', 'appointments'],
    send: ({ client, deletedStudent }) => client.post(`/students/${deletedStudent}/restore`),
  },
  'hire an instructor': {
    needs: ['tenants'],
    send: ({ client }) => client.post('/instructors', { first_name: 'Jonas', last_name: 'Brandt' }),
  },
  'change an instructor': {
    needs: ['calendars', 'instructors'],
    send: ({ client, instructors: [id] }) => client.patch(`/instructors/${id}`, { phone: '112' }),
  },
  "undo a lesson's deletion": {
    needs: ['calendars', 'appointments'],
    send: ({ client, sets: [set] }) => client.post(`/changes/sets/${set}/undo`),
  },
  "undo a student's deletion": {
    needs: ['calendars', 'students', 'appointments'],
    send: ({ client, sets: [, set] }) => client.post(`/changes/sets/${set}/undo`),
  },
  'close the school': {
    needs: ['calendars', 'closures', 'tenants'],
    send: ({ client }) => client.post('/closures', { start_date: '2031-08-04', end_date: '2031-08-06' }),
  },
  'change a lesson type': {
    needs: ['lesson_types'],
    send: ({ client, school }) =>
      client.patch(`/tenant/lesson-types/${school.lessonTypes.RURAL}`, { position: 0 }),
  },
  'log in': {
    needs: ['users'],
    send: ({ client, school: { user } }) =>
      client.post('/auth/login', { email: user.email, password: PASSWORD }),
  },
  'change the password': {
    needs: ['users'],
    send: ({ client }) =>
      client.post('/auth/password', { current_password: PASSWORD, new_password: 'another horse' }),
  },
}

/** Makes a school with two instructors, lessons, and a deleted lesson and student. */
export async function aScene(service: TestService): Promise<Scene> {
  const school = await aSchool(service)
  const { client } = school
  const [first, second] = [await school.instructor(), await school.instructor()]
  const [student, deletedStudent] = [await school.student(), await school.student()]
  const lesson = (student_id: string, minutes: number) =>
    school.lesson({ instructor_id: first.id, student_id, ...slot(MONDAY, minutes) })
  const scene = {
    school,
    client,
    instructors: [first.id, second.id],
    student: student.id,
    lesson: (await lesson(student.id, 480)).id,
    deletedLesson: (await lesson(student.id, 600)).id,
    deletedStudent: deletedStudent.id,
    series: await aSeries(school, first.id),
  }
  await lesson(deletedStudent.id, 720)
  const lessonGone = await client.delete(`/appointments/${scene.deletedLesson}`)
  const studentGone = await client.delete(`/students/${scene.deletedStudent}`)
  return { ...scene, sets: [setOf(lessonGone), setOf(studentGone)] }
}

/** Returns the id of the set of changes that a request made. */
function setOf({ headers }: Answer): string {
  return headers.get('x-request-id') ?? ''
}

/** Books a series later than all other lessons. Returns its id. */
async function aSeries({ client, lessonTypes }: School, instructor_id: string): Promise<string> {
  const times = slot(dateAfter(MONDAY, 21), 480)
  const appointment = { instructor_id, lesson_type_id: lessonTypes.PRACTICE, ...times }
  const answer = await client.post('/appointments/series', {
    appointment,
    repeat: { every_weeks: 1, count: 2 },
  })
  return answer.body.series_id
}
