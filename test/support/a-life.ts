import type { TestService } from './app.ts'
import { populate } from './canary.ts'
import { Client } from './client.ts'
import { mentionStudent, NUMBER } from './erasure.ts'
import { aSchool, aUser, logIn, type Row, type School } from './factory.ts'
import { feedOf } from './links.ts'
import { plantProvider } from './planted-provider.ts'
import { bearer } from './session.ts'
import { makeNews } from './student-news.ts'

/** A school with every kind of resource that a school can have. */
export type Life = {
  readonly school: School
  /** The login of the instructor. */
  readonly phone: Client
  readonly phoneUser: string
  readonly ids: People &
    Lessons &
    Readonly<
      Record<'series' | 'request' | 'lessonType' | 'location' | 'invited' | 'template' | 'enquiry', string>
    >
  /** The secret links of the instructor and the student, of an inactive instructor and of a deleted student. */
  readonly links: Readonly<Record<'instructor' | 'student' | 'idle' | 'gone', string>>
}

type People = Readonly<
  Record<'instructor' | 'other' | 'idle' | 'student' | 'moving' | 'gone' | 'unrelated', string>
>
type Lessons = Readonly<Record<'lesson' | 'movingLesson' | 'deletedLesson' | 'retractedLesson', string>>

/** The word in every text that a user has entered. */
export const WORD = 'spatz'
export const KEY = { 'idempotency-key': 'the-same-in-both' }
/** The key of a request from the day before yesterday. */
export const OLD_KEY = { 'idempotency-key': 'of-the-day-before-yesterday' }
const WINDOWS = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '17:00' }))
/** A day that is within the range of a calendar feed. */
const SOON = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

/** Returns times on a day in March 2031. The third is a Monday. */
export function on(day: string, from = '08:00', to = '09:30') {
  return { start_at: `2031-03-${day} ${from}`, end_at: `2031-03-${day} ${to}` }
}

/** Makes such a school. All but one of its future lessons are in March 2031. */
export async function aLife(service: TestService): Promise<Life> {
  const school = await aSchool(service)
  const { client } = school
  const { instructor, student, series, schedule_request: request, ...made } = await populate(school, WORD)
  const people = { instructor, student, ...(await morePeople(school)) }
  await giveRules(school, people)
  const links = await linksOf(service, school, people)
  const lessons = await lessonsOf(school, people)
  await makeNews(service, school, { ...people, page: links.student })
  await client.delete(`/appointments/${lessons.deletedLesson}`)
  await client.delete(`/students/${people.gone}`)
  await client.patch(`/instructors/${people.idle}`, { active: false })
  const retractedLesson = await mentionStudent(service, school, people, WORD)
  await bookWithKeys(service, school, people)
  const { id: phoneUser, email } = await aUser(service, school.tenantId, {
    name: 'Ida',
    role: 'instructor',
    instructor_id: instructor,
  })
  await plantProvider(service, school.tenantId, phoneUser)
  const phone = new Client(service, bearer((await logIn(new Client(service), email)).token))
  const lessonType = school.lessonTypes.PRACTICE ?? ''
  const { location, user: invited, license_class_template: template } = made
  const ids = {
    ...{ ...people, ...lessons, retractedLesson, series, request, lessonType },
    ...{ location, invited, template, enquiry: made.enquiry },
  }
  return { school, phone, phoneUser, ids, links }
}

async function morePeople(school: School) {
  return {
    other: (await school.instructor({ first_name: 'Bert', availability_windows: WINDOWS })).id,
    idle: (await school.instructor({ first_name: 'Cleo', availability_windows: WINDOWS })).id,
    moving: (await school.student({ first_name: 'Mia', notes: WORD })).id,
    gone: (await school.student({ first_name: 'Ole', notes: WORD })).id,
    unrelated: (await school.student({ first_name: 'Ann', notes: WORD })).id,
  }
}

async function giveRules({ client }: School, { instructor, student }: People): Promise<void> {
  const templates: readonly { id: string; code: string }[] = (await client.get('/license-class-templates'))
    .body
  const car = { license_class_template_id: templates.find(({ code }) => code === 'B')?.id }
  await client.patch(`/students/${student}`, car)
  const rules = { availability_windows: WINDOWS, max_daily_units: 10, license_classes: ['B'] }
  await client.patch(`/instructors/${instructor}`, rules)
}

async function linksOf(
  service: TestService,
  school: School,
  { instructor, idle, student, gone }: People,
): Promise<Life['links']> {
  const pageOf = async (id: string) => {
    const { body } = await school.client.post(`/students/${id}/link`)
    return `/${body.url.slice(service.url.length)}`
  }
  return {
    instructor: await feedOf(school, { id: instructor } as Row, 'lesson'),
    student: await pageOf(student),
    idle: await feedOf(school, { id: idle } as Row, 'lesson'),
    gone: await pageOf(gone),
  }
}

async function lessonsOf(
  school: School,
  { instructor: instructor_id, student, moving, gone }: People,
): Promise<Omit<Lessons, 'retractedLesson'>> {
  const book = async (student_id: string, at: object) =>
    (await school.lesson({ instructor_id, student_id, notes: WORD, ...at })).id
  await bookSoon(school, { instructor_id, student_id: gone })
  const lessons = {
    lesson: await book(student, on('03')),
    movingLesson: await book(moving, { ...on('04'), lesson_type_id: school.lessonTypes.PRACTICAL_EXAM }),
    deletedLesson: await book(student, on('06')),
  }
  await book(gone, on('05'))
  await school.client.patch(`/appointments/${lessons.movingLesson}`, {
    exam_result: { passed: false, note: NUMBER },
  })
  const { RURAL, MOTORWAY } = school.lessonTypes
  // More units than the class requires, and fewer.
  await book(student, { lesson_type_id: RURAL, ...past('06', '12:30') })
  await book(student, { lesson_type_id: MOTORWAY, ...past('07', '09:30') })
  return lessons
}

/** Books a lesson on `SOON`. Lifts the instructor's hours and vacations meanwhile, as that day may be outside them. */
async function bookSoon(
  school: School,
  who: { readonly instructor_id: string; readonly student_id: string },
): Promise<void> {
  const rule = (rules: object) => school.client.patch(`/instructors/${who.instructor_id}`, rules)
  await rule({ availability_windows: [], vacations: [] })
  await school.lesson({ ...who, start_at: `${SOON} 08:00`, end_at: `${SOON} 09:30` })
  const vacations = [{ start_date: '2031-12-24', end_date: '2031-12-26', note: WORD }]
  await rule({ availability_windows: WINDOWS, vacations })
}

function past(day: string, to: string) {
  return { start_at: `2026-05-${day} 08:00`, end_at: `2026-05-${day} ${to}` }
}

async function bookWithKeys(
  { db }: TestService,
  school: School,
  { instructor: instructor_id, student: student_id }: People,
): Promise<void> {
  await school.book({ instructor_id, student_id, ...on('07'), notes: WORD }, KEY)
  await school.book({ instructor_id, ...on('14'), notes: NUMBER }, OLD_KEY)
  const at = new Date(Date.now() - 48 * 3_600_000)
  await db.updateTable('idempotency_keys').set({ at }).where('key', '=', OLD_KEY['idempotency-key']).execute()
}
