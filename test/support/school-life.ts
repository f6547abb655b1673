import { namer } from './alike.ts'
import type { TestService } from './app.ts'
import { populate } from './canary.ts'
import { type Answer, Client } from './client.ts'
import { findingsIn } from './doctor.ts'
import { erase, NUMBER, tellOf } from './erasure.ts'
import { aSchool, aUser, logIn, type Row, type School } from './factory.ts'
import { feedOf } from './links.ts'
import { bearer } from './session.ts'

/** A school in which everything is that a school can have. */
export type Life = {
  readonly school: School
  /** The login of the instructor. */
  readonly phone: Client
  readonly phoneUser: string
  readonly ids: Readonly<
    Record<
      | 'instructor'
      | 'other'
      | 'student'
      | 'moving'
      | 'gone'
      | 'lesson'
      | 'movingLesson'
      | 'deletedLesson'
      | 'retractedLesson'
      | 'series'
      | 'request'
      | 'lessonType',
      string
    >
  >
  readonly feed: string
  readonly page: string
}

/** In every text that somebody has written. */
export const WORD = 'spatz'
const KEY = { 'idempotency-key': 'the-same-in-both' }
/** Under this one something was made the day before yesterday. */
export const OLD_KEY = 'of-the-day-before-yesterday'
const FILE = Buffer.from('Vorname;Nachname;Klasse;Fahrlehrer\nNele;Neu;B;Bert Brandt').toString('base64')
const WINDOWS = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '17:00' }))

const on = (day: string, from = '08:00', to = '09:30') => ({
  start_at: `2031-03-${day} ${from}`,
  end_at: `2031-03-${day} ${to}`,
})

/** Makes one. Its coming lessons are in March 2031, of which the third is a Monday. */
export async function aLife(service: TestService): Promise<Life> {
  const school = await aSchool(service)
  const { client } = school
  const { instructor, student, series, schedule_request: request } = await populate(school, WORD)
  const templates: readonly { id: string; code: string }[] = (await client.get('/license-class-templates'))
    .body
  const car = { license_class_template_id: templates.find(({ code }) => code === 'B')?.id }
  await client.patch(`/students/${student}`, car)
  const rules = { availability_windows: WINDOWS, max_daily_units: 10, license_classes: ['B'] }
  await client.patch(`/instructors/${instructor}`, rules)
  const other = (await school.instructor({ first_name: 'Bert', availability_windows: WINDOWS })).id
  const moving = (await school.student({ first_name: 'Mia', notes: WORD })).id
  const gone = (await school.student({ first_name: 'Ole', notes: WORD })).id
  const book = async (day: string, student_id: string) =>
    (await school.lesson({ instructor_id: instructor, student_id, notes: WORD, ...on(day) })).id
  const lesson = await book('03', student)
  const movingLesson = await book('04', moving)
  await book('05', gone)
  const deletedLesson = await book('06', student)
  await client.delete(`/appointments/${deletedLesson}`)
  await client.delete(`/students/${gone}`)
  const retractedLesson = await tellOf(service, school, { student, instructor, other }, WORD)
  await school.book({ instructor_id: instructor, ...on('07'), notes: WORD }, KEY)
  await school.book({ instructor_id: instructor, ...on('14') }, { 'idempotency-key': OLD_KEY })
  const at = new Date(Date.now() - 48 * 3_600_000)
  await service.db.updateTable('idempotency_keys').set({ at }).where('key', '=', OLD_KEY).execute()
  const { id: phoneUser, email } = await aUser(service, school.tenantId, {
    name: 'Ida',
    role: 'instructor',
    instructor_id: instructor,
  })
  const phone = new Client(service, bearer((await logIn(new Client(service), email)).token))
  const { body } = await client.post(`/students/${student}/link`)
  const lessonType = school.lessonTypes.PRACTICE ?? ''
  return {
    school,
    phone,
    phoneUser,
    ids: {
      instructor,
      other,
      student,
      moving,
      gone,
      lesson,
      movingLesson,
      deletedLesson,
      retractedLesson,
      series,
      request,
      lessonType,
    },
    feed: await feedOf(school, { id: instructor } as Row, 'lesson'),
    page: `/${body.url.slice(service.url.length)}`,
  }
}

type Step = readonly [what: string, ask: () => Promise<Pick<Answer, 'status' | 'text'>>]

/** What is read in it, by the office and by the instructor. */
function reading({ school: { client }, phone, ids, feed, page }: Life): readonly Step[] {
  const { instructor, student, moving, lesson, request } = ids
  const ofEverybody = [
    '/bootstrap',
    '/students?with=progress',
    '/instructors',
    '/appointments?from=2026-01-01&to=2032-01-01',
    '/schedule-requests',
    '/lesson-types',
    '/license-class-templates',
    `/students/${student}`,
    `/students/${moving}/progress`,
    `/instructors/${instructor}/calendar-feed`,
    `/appointments/${lesson}`,
    `/schedule-requests/${request}`,
  ]
  const ofOffice = [
    `/students/${student}/progress`,
    `/students/${student}/link`,
    `/appointments?student_id=${student}`,
    '/users',
    '/changes?limit=1000',
    ...[`students/${student}`, `instructors/${instructor}`, `appointments/${lesson}`].map(
      (one) => `/${one}/history`,
    ),
    `/slots?from=2031-03-10&to=2031-03-14&lesson_type_id=${ids.lessonType}&student_id=${student}&limit=200`,
    `/slots?from=2031-03-10&to=2031-03-12&minutes=90&instructor_id=${instructor}&order=fit&limit=200`,
    '/slots?from=2031-03-10&to=2031-03-11&minutes=90&limit=200',
    '/exports/students.csv',
    '/exports/appointments.csv?from=2026-01-01&to=2032-01-01',
    '/exports/worked-time.csv?from=2026-01-01&to=2032-01-01',
  ]
  return [
    ...[...ofEverybody, ...ofOffice].map((path): Step => [`office ${path}`, () => client.get(path)]),
    ...ofEverybody.map((path): Step => [`phone ${path}`, () => phone.get(path)]),
    ...['/students', '/lesson-types', '/license-class-templates'].map(
      (path): Step => [`second page of ${path}`, () => secondOf(client, path)],
    ),
    ...[feed, page, `${page}.ics`].map((path): Step => [path.slice(0, 5), () => client.get(path)]),
  ]
}

/** The second page of a list, one of a page. */
async function secondOf(client: Client, path: string): Promise<Answer> {
  const { headers } = await client.get(`${path}?limit=1`)
  const [, next = path] = /<\/api\/v1(.*)>/.exec(headers.get('link') ?? '') ?? []
  return client.get(next)
}

/** What is written in it, in an order in which all of it can be. */
function writing({ school: { client }, phone, ids }: Life): readonly Step[] {
  const { instructor, other, student, moving, gone, lesson, movingLesson, deletedLesson, series, request } =
    ids
  const booking = { instructor_id: instructor, lesson_type_id: ids.lessonType }
  const vacations = [{ start_date: '2031-03-03', end_date: '2031-03-05', note: NUMBER }]
  return [
    ['check', () => client.post('/appointments/check', { ...booking, student_id: student, ...on('10') })],
    ['check a busy time', () => client.post('/appointments/check', { ...booking, ...on('03') })],
    ['impact', () => client.post(`/instructors/${instructor}/impact`, { vacations })],
    ['book', () => client.post('/appointments', { ...booking, student_id: student, ...on('10') })],
    ['book again', () => client.post('/appointments', { ...booking, ...on('07'), notes: WORD }, KEY)],
    [
      'book by an old key',
      () => client.post('/appointments', { ...booking, ...on('13') }, { 'idempotency-key': OLD_KEY }),
    ],
    ['move', () => client.patch(`/appointments/${lesson}`, on('11'))],
    ['note', () => phone.patch(`/appointments/${lesson}`, { practised: 'Parking.' })],
    ['hand over', () => client.patch(`/appointments/${movingLesson}`, { instructor_id: other })],
    ['a student not seen any more', () => phone.get(`/students/${moving}`)],
    ['students who are', () => phone.get('/students')],
    ['restore a lesson', () => client.post(`/appointments/${deletedLesson}/restore`)],
    ['delete a lesson', () => client.delete(`/appointments/${deletedLesson}`)],
    ['restore a student', () => client.post(`/students/${gone}/restore`)],
    ['change a student', () => client.patch(`/students/${moving}`, { phone: '1' })],
    [
      'change an instructor',
      () => client.patch(`/instructors/${instructor}`, { vacations, color: '#123456' }),
    ],
    ['retract', () => client.patch(`/appointments/${ids.retractedLesson}`, { title: 'Nobody.' })],
    ['and once more', () => client.patch(`/instructors/${other}`, { vacations: [] })],
    ['check a file', () => client.post('/student-imports/check', { file: FILE })],
    ['import a file', () => client.post('/student-imports', { file: FILE })],
    ['accept', () => client.patch(`/schedule-requests/${request}`, { status: 'accepted' })],
    ['cancel a series', () => client.post(`/appointments/series/${series}/cancel`, { from: '2026-05-12' })],
    ['no page', () => client.delete(`/students/${student}/link`)],
    ['the settings', () => client.patch('/tenant', { locale: 'en', phone: '2' })],
    ['delete a student', () => client.delete(`/students/${student}`)],
  ]
}

/** How an instructor leaves: the feed ends with the login. */
function leaving({ school: { client }, phoneUser, ids, feed }: Life): readonly Step[] {
  const address = `/instructors/${ids.instructor}/calendar-feed`
  return [
    ['end the login', () => client.patch(`/users/${phoneUser}`, { disabled: true })],
    ['the feed with it', () => client.get(feed)],
    ['another feed', () => client.post(address, { detail: 'busy' })],
    ['no feed', () => client.delete(address)],
  ]
}

/** Lives it: every answer as a line, with nothing in it that differs between two lives. */
export async function* live(service: TestService, life: Life): AsyncGenerator<string> {
  const named = namer()
  const { client, tenantId } = life.school
  const { cursor } = (await client.get('/changes/since')).body
  const following: Step = ['changes since', () => client.get(`/changes/since?cursor=${cursor}`)]
  yield* answersTo([...reading(life), ...writing(life), following], named)
  await erase(service, tenantId, life.ids.student)
  yield* answersTo([...reading(life), ...leaving(life)], named)
  yield `calendars ${await calendarsIn(service, tenantId)}`
  const findings = await findingsIn(service.db, tenantId)
  yield named('doctor', JSON.stringify(findings.filter(({ tenant_id }) => tenant_id === tenantId)))
}

async function* answersTo(steps: readonly Step[], named: ReturnType<typeof namer>): AsyncGenerator<string> {
  for (const [what, ask] of steps) {
    const { status, text } = await ask()
    yield named(`${what} ${status}`, text)
  }
}

/** How often each was locked, which no answer says. */
async function calendarsIn({ db }: TestService, tenantId: string): Promise<string> {
  const versions = db.selectFrom('calendars').select(['kind', 'version']).where('tenant_id', '=', tenantId)
  return JSON.stringify(await versions.orderBy('kind').orderBy('version').execute())
}
