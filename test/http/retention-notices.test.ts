import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { noteDueStudents } from '../../src/mail/retention-notices.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aDueStudent } from '../support/due-student.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'
import { entriesOf, lookAtAll, readInbox } from '../support/read-inbox.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
  await aDueStudent(school, { first_name: 'Lena', last_name: 'Vogt' })
})

const log = { error: (failure: unknown) => expect(failure).toBeUndefined() }
/** Counts the students who are due by a process whose database has this time. */
const noteAt = (time: string) =>
  noteDueStudents(service().db, { log, clock: () => sql<Date>`${time}::timestamptz` })
const notices = () => entriesOf(school.client, 'retention_due')

const ONCE = 'an owner is told once a month how many students are due, whatever the number of processes'

// Counts in all schools of the worker's database three times; the tests below cover the count itself.
it(ONCE, { tags: 'long' }, async () => {
  await Promise.all(['2098-03-01T09:00Z', '2098-03-01T09:00Z', '2098-03-01T09:01Z'].map(noteAt))
  const [notice, ...more] = await notices()
  expect(more).toEqual([])
  expect(notice).toMatchObject({ due: 1, is_new: true, actor: { kind: 'system' }, student_id: null })
  expect((await readInbox(school.client)).new).toBe(1)
  expect(JSON.stringify(notice)).not.toMatch(/Lena|Vogt/)
  await lookAtAll(school.client)
  await aDueStudent(school)
  await noteAt('2098-03-31T21:59Z')
  expect(await notices()).toEqual([{ ...notice, is_new: false }])
  // It is April at the school.
  await noteAt('2098-03-31T22:00Z')
  expect(await notices()).toMatchObject([{ due: 2, is_new: true }])
  expect((await readInbox(school.client)).new).toBe(1)
})

it('the month of one school is not that of another', async () => {
  const abroad = await aSchool(service(), { timezone: 'Pacific/Kiritimati' })
  await aDueStudent(abroad)
  await noteAt('2098-03-31T09:00Z')
  await noteAt('2098-03-31T11:00Z')
  const [notice] = await notices()
  expect(notice).toMatchObject({ at: '2098-03-31T09:00:00.000Z', due: 1 })
  expect(await entriesOf(abroad.client, 'retention_due')).toMatchObject([{ due: 1 }])
})

it('only owners are told, and only if somebody is due', async () => {
  const other = await aSchool(service())
  await other.student()
  await noteAt(new Date().toISOString())
  expect(await entriesOf(other.client, 'retention_due')).toEqual([])
  const { tenantId } = school
  const { id: instructor_id } = await school.instructor()
  for (const role of [{ role: 'office' }, { role: 'instructor', instructor_id }] as const) {
    const { client } = await enter(service(), { tenantId, user: await aUser(service(), tenantId, role) })
    expect(await entriesOf(client, 'retention_due')).toEqual([])
  }
  expect(await notices()).toHaveLength(1)
})

it('a notice has its place in the pages of the inbox', async () => {
  await noteAt('2098-03-01T09:00Z')
  const { id: instructor_id } = await school.instructor()
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
  const { client } = await enter(service(), { tenantId: school.tenantId, user })
  const asked = { instructor_id, start_date: '2099-08-03', end_date: '2099-08-14' }
  for (let count = 0; count < 2; count += 1) must(201, await client.post('/schedule-requests', asked))
  const kinds: string[] = []
  for (let query: string | undefined = '?limit=1'; query; ) {
    const page = await school.client.get(`/inbox${query}`)
    kinds.push(...must(200, page).entries.map(({ kind }: { kind: string }) => kind))
    query = /<[^?]*(\?[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  expect(kinds).toEqual(['retention_due', 'schedule_request', 'schedule_request'])
})
