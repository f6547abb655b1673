import { KEY, type Life, OLD_KEY, on, WORD } from './a-life.ts'
import { normalizer } from './alike.ts'
import type { TestService } from './app.ts'
import type { Answer, Client } from './client.ts'
import { findingsIn } from './doctor.ts'
import { erase, NUMBER } from './erasure.ts'
import { leavingSso, readingSso } from './sso-life.ts'
import { troubledDays } from './troubled-days.ts'

const FILE = Buffer.from('Vorname;Nachname;Klasse;Fahrlehrer\nNele;Neu;B;Bert Brandt').toString('base64')
const VEHICLES = Buffer.from('Name;Art;Kennzeichen\nPolo;car;B-FS 7').toString('base64')
const BALANCES = Buffer.from(
  'Nachname;Vorname;Art;Einheiten;Stand;Quelle\nNeu;Nele;PRACTICE;2;31.01.2026;Nord',
).toString('base64')

export type Step = readonly [what: string, ask: () => Promise<Pick<Answer, 'status' | 'text'>>]

/** Returns the reads of the office and the instructor. */
function reading(life: Life): readonly Step[] {
  const { phone, ids, links } = life
  const { client, lessonTypes } = life.school
  const { instructor, student, moving, lesson, request } = ids
  const ofEverybody = [
    '/bootstrap',
    '/students?with=progress',
    '/students?with=topics',
    '/students?state=current',
    '/instructors',
    '/appointments?from=2026-01-01&to=2032-01-01',
    '/schedule-requests',
    '/inbox',
    '/lesson-types',
    '/locations',
    '/offers',
    '/vehicles',
    '/license-class-templates',
    '/closures',
    '/holidays?from=2031-01-01&to=2031-12-31',
    `/students/${student}`,
    `/students/${moving}/progress`,
    `/students/${moving}/opening-balance`,
    `/instructors/${instructor}/calendar-feed`,
    `/appointments/${lesson}`,
    `/schedule-requests/${request}`,
  ]
  const ofOffice = [
    `/students/${student}/progress`,
    `/students/${student}/topics`,
    `/students/${student}/link`,
    `/appointments?student_id=${student}`,
    '/users',
    '/webhooks',
    '/messages',
    '/enquiries',
    '/enquiries?state=new',
    '/students?deleted=true',
    '/changes?limit=1000',
    ...[`students/${student}`, `instructors/${instructor}`, `appointments/${lesson}`].map(
      (one) => `/${one}/history`,
    ),
    `/slots?from=2031-03-10&to=2031-03-14&lesson_type_id=${ids.lessonType}&student_id=${student}&limit=200`,
    `/slots?from=2031-03-10&to=2031-03-12&minutes=90&instructor_id=${instructor}&order=fit&limit=200`,
    '/slots?from=2031-03-10&to=2031-03-11&minutes=90&limit=200',
    '/slots?from=2031-03-10&to=2031-03-10&minutes=90&vehicle=any&limit=200',
    '/slots?from=2031-03-10&to=2031-03-10&minutes=90&vehicle=usual&limit=200',
    ...['RURAL', 'MOTORWAY'].map(
      (code) =>
        `/slots?from=2031-03-10&to=2031-03-10&lesson_type_id=${lessonTypes[code]}&student_id=${student}`,
    ),
    '/exports/students.csv',
    '/exports/vehicles.csv',
    '/exports/opening-balances.csv',
    '/exports/appointments.csv?from=2026-01-01&to=2032-01-01',
    '/exports/worked-time.csv?from=2026-01-01&to=2032-01-01',
  ]
  return [
    ...[...ofEverybody, ...ofOffice].map((path): Step => [`office ${path}`, () => client.get(path)]),
    ...ofEverybody.map((path): Step => [`phone ${path}`, () => phone.get(path)]),
    ...['/students', '/lesson-types', '/license-class-templates', '/inbox'].map(
      (path): Step => [`second page of ${path}`, () => secondOf(client, path)],
    ),
    ...Object.entries(links).map(([whose, path]): Step => [`link of ${whose}`, () => client.get(path)]),
    ...readingSso(life),
    // No country pack has Turkish names of lesson types.
    ...['?lang=tr', '.ics'].map(
      (rest): Step => [`page ${rest}`, () => client.get(`${links.student}${rest}`)],
    ),
  ]
}

/** Returns the second page of a list, with one row per page. */
async function secondOf(client: Client, path: string): Promise<Answer> {
  const { headers } = await client.get(`${path}?limit=1`)
  const [, next = path] = /<\/api\/v1(.*)>/.exec(headers.get('link') ?? '') ?? []
  return client.get(next)
}

/** Returns the writes in a possible order. */
function writing(service: TestService, life: Life): readonly Step[] {
  const { phone, ids } = life
  const { client } = life.school
  const { instructor, other, student, moving, gone, lesson, movingLesson, deletedLesson, series, request } =
    ids
  const booking = { instructor_id: instructor, lesson_type_id: ids.lessonType }
  const vacations = [{ start_date: '2031-03-03', end_date: '2031-03-05', note: NUMBER }]
  const brought = [{ lesson_type_id: ids.lessonType, units: 2, date: '2026-01-31', source: WORD }]
  const longer = { vacations: [{ start_date: '2031-03-03', end_date: '2031-03-14' }] }
  return [
    ['tell by telephone', () => told(client)],
    ['send a message again', () => resent(client)],
    ['look at the news', () => phone.post('/inbox/seen', { until: new Date().toISOString() })],
    ['enrol an enquiry', () => undone(client, () => client.post(`/enquiries/${ids.enquiry}/enrol`))],
    ['close an enquiry', () => undone(client, () => client.post(`/enquiries/${ids.enquiry}/close`))],
    ['check', () => client.post('/appointments/check', { ...booking, student_id: student, ...on('10') })],
    ['check a busy time', () => client.post('/appointments/check', { ...booking, ...on('03') })],
    ['impact', () => client.post(`/instructors/${instructor}/impact`, longer)],
    ['book', () => client.post('/appointments', { ...booking, student_id: student, ...on('10') })],
    [
      'book again',
      () => client.post('/appointments', { ...booking, student_id: student, ...on('07'), notes: WORD }, KEY),
    ],
    ['book by an old key', () => client.post('/appointments', { ...booking, ...on('13') }, OLD_KEY)],
    ['move', () => client.patch(`/appointments/${lesson}`, on('11'))],
    ['note', () => phone.patch(`/appointments/${lesson}`, { practised: 'Parking.' })],
    ['hand over', () => client.patch(`/appointments/${movingLesson}`, { instructor_id: other })],
    ['a student not seen any more', () => phone.get(`/students/${moving}`)],
    ['students who are', () => phone.get('/students')],
    ['restore a lesson', () => client.post(`/appointments/${deletedLesson}/restore`)],
    ['undo a deletion', () => undone(client, () => client.delete(`/appointments/${deletedLesson}`))],
    ['undo a deleted student', () => undone(client, () => client.delete(`/students/${moving}`))],
    ['delete a lesson', () => client.delete(`/appointments/${deletedLesson}`)],
    ['restore a student', () => client.post(`/students/${gone}/restore`)],
    ['put away a student', () => client.patch(`/students/${student}`, { archived: true })],
    ['change a student', () => client.patch(`/students/${moving}`, { phone: '1' })],
    ['enter what a student brings', () => client.put(`/students/${moving}/opening-balance`, brought)],
    [
      'change an instructor',
      () => client.patch(`/instructors/${instructor}`, { vacations, color: '#123456' }),
    ],
    ['retract', () => client.patch(`/appointments/${ids.retractedLesson}`, { title: 'Nobody.' })],
    ['and once more', () => client.patch(`/instructors/${other}`, { vacations: [] })],
    ['check a file', () => client.post('/student-imports/check', { file: FILE })],
    ['import a file', () => client.post('/student-imports', { file: FILE })],
    ['check vehicles', () => client.post('/vehicle-imports/check', { file: VEHICLES })],
    ['import vehicles', () => client.post('/vehicle-imports', { file: VEHICLES })],
    ['check balances', () => client.post('/opening-balance-imports/check', { file: BALANCES })],
    ['import balances', () => client.post('/opening-balance-imports', { file: BALANCES })],
    ['accept', () => client.patch(`/schedule-requests/${request}`, { status: 'accepted' })],
    [
      'change a series',
      () =>
        client.post(`/appointments/series/${series}/change`, {
          ...{ from: '2026-05-05', change: { title: 'Later', minutes: 45 }, on_refusal: 'skip' },
        }),
    ],
    ['cancel a series', () => client.post(`/appointments/series/${series}/cancel`, { from: '2026-05-12' })],
    [
      'close the school',
      () => client.post('/closures', { start_date: '2032-01-01', end_date: '2032-01-02', note: WORD }),
    ],
    [
      'undo that',
      () =>
        undone(client, () => client.post('/closures', { start_date: '2032-02-01', end_date: '2032-02-02' })),
    ],
    ...troubledDays(service, life),
    ['no page', () => client.delete(`/students/${student}/link`)],
    ['the settings', () => client.patch('/tenant', { locale: 'en', phone: '2' })],
    [
      'undo a merge',
      () => undone(client, () => client.post(`/students/${moving}/merge`, { other_id: student })),
    ],
    ['merge', () => client.post(`/students/${student}/merge`, { other_id: moving })],
    ['delete a student', () => client.delete(`/students/${student}`)],
  ]
}

/** Sends the newest message again that reached nobody. */
async function resent(client: Client): Promise<Answer> {
  const { entries } = (await client.get('/inbox')).body
  const { id } = entries.find(({ message }: { message: unknown }) => message)
  return client.post(`/messages/${id}/resend`)
}

/** Marks the oldest message that reached nobody as told. */
async function told(client: Client): Promise<Answer> {
  const { entries } = (await client.get('/inbox')).body
  const { id } = entries.findLast(({ message }: { message: unknown }) => message)
  return client.post(`/messages/${id}/told`)
}

/** Does something, undoes it, redoes it and undoes it again. */
async function undone(client: Client, act: () => Promise<Answer>): Promise<Answer> {
  const undo = ({ headers }: Answer) => client.post(`/changes/sets/${headers.get('x-request-id')}/undo`)
  return undo(await undo(await act())).then(undo)
}

/** Returns the requests that end the logins at the issuer, disable an instructor's login, which ends the feed, and then make and end another feed. */
function leaving(life: Life): readonly Step[] {
  const { phoneUser, ids, links } = life
  const { client } = life.school
  const address = `/instructors/${ids.instructor}/calendar-feed`
  return [
    ...leavingSso(life),
    ['end the login', () => client.patch(`/users/${phoneUser}`, { disabled: true })],
    ['the feed with it', () => client.get(links.instructor)],
    ['another feed', () => client.post(address, { detail: 'busy' })],
    ['no feed', () => client.delete(address)],
  ]
}

/** Returns the responses to all reads and the doctor's findings, as lines that stay equal while nothing changes. */
export async function readEverything(service: TestService, life: Life): Promise<readonly string[]> {
  const named = normalizer()
  const lines: string[] = []
  for await (const line of answersTo(reading(life), named)) lines.push(line)
  return [...lines, named('doctor', JSON.stringify(await findingsOf(service, life)))]
}

/** Sends all requests. Yields each response as a line without anything that differs between two schools. */
export async function* live(service: TestService, life: Life): AsyncGenerator<string> {
  const named = normalizer()
  const { client, tenantId } = life.school
  const { cursor } = (await client.get('/changes/since')).body
  const following: Step = ['changes since', () => client.get(`/changes/since?cursor=${cursor}`)]
  yield* answersTo([...reading(life), ...writing(service, life), following], named)
  yield `erasure ${await erase(service, tenantId, life.ids.student)}`
  yield* answersTo([...reading(life), ...leaving(life)], named)
  yield `calendars ${await calendarsIn(service, tenantId)}`
  yield named('doctor', JSON.stringify(await findingsOf(service, life)))
}

async function findingsOf({ db }: TestService, { school: { tenantId } }: Life) {
  return (await findingsIn(db, tenantId)).filter(({ tenant_id }) => tenant_id === tenantId)
}

async function* answersTo(
  steps: readonly Step[],
  named: ReturnType<typeof normalizer>,
): AsyncGenerator<string> {
  for (const [what, ask] of steps) {
    const { status, text } = await ask()
    yield named(`${what} ${status}`, text)
  }
}

/** Returns the versions of the calendars, which no response contains. */
async function calendarsIn({ db }: TestService, tenantId: string): Promise<string> {
  const versions = db.selectFrom('calendars').select(['kind', 'version']).where('tenant_id', '=', tenantId)
  return JSON.stringify(await versions.orderBy('kind').orderBy('version').execute())
}
