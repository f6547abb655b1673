import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { SCHOOL_TABLES } from '../../src/doctor/references.ts'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, PASSWORD, type Row } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let office: EnrolmentOffice
const WORD = 'gartenzwerg'
const CONTACT = { email: `${WORD}@mail.example`, phone: '030 5550145', pickup_place: WORD, notes: WORD }
const KEPT = { birth_date: '2007-05-04', address: 'Ringstr. 5\n01099 Dresden' }

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
})

const prove = async () => must(204, await office.school.client.post('/auth/proof', { password: PASSWORD }))
/** Lets the proof of the login expire. */
const forgetProof = () =>
  sql`update token_families set proved_at = proved_at - interval '6 minutes'
    where user_id = ${office.school.user.id}`.execute(service().db)
const erase = ({ id }: Row, body: object = { reason: 'asked' }) =>
  office.school.client.post(`/students/${id}/erasure`, body)
const driven = async (student: Row, day: string, fields: object = {}) => {
  const { id } = await office.drive(student, day)
  const outcome = { status: 'completed', notes: WORD, practised: 'Parken', title: WORD, ...fields }
  must(200, await office.school.client.patch(`/appointments/${id}`, outcome))
}
const asClerk = async () => {
  const { tenantId } = office.school
  const user = await aUser(service(), tenantId, { role: 'office' })
  return (await enter(service(), { tenantId, user })).client
}
const aLearner = async (fields: object = {}) =>
  office.school.student({ ...CONTACT, ...KEPT, license_class_template_id: office.classes.B, ...fields })
const list = async (query: string): Promise<Row[]> =>
  must(200, await office.school.client.get(`/students?${query}`))
const statusOf = async (answer: Promise<Answer>) => (await answer).status

/** Returns the tables of the school in which a row has the text. */
async function tablesNaming(text: string): Promise<readonly string[]> {
  const { tenantId } = office.school
  const found = await Promise.all(
    SCHOOL_TABLES.map(async (table) => {
      const { rows } = await sql`select from ${sql.table(table)} one
        where tenant_id = ${tenantId} and one::text ilike ${`%${text}%`} limit 1`.execute(service().db)
      return rows.length > 0 ? [table] : []
    }),
  )
  return found.flat()
}

/** Drives with a student, and ends the enrolment, if any. */
async function trained(student: Row, day: string): Promise<void> {
  await driven(student, day)
  for (const enrolment of await office.enrolments(student))
    must(200, await office.change(enrolment, { outcome: 'stopped', ends_on: TODAY }))
}

it('a student without a record is erased by an owner who has proved it, deleted before or not', async () => {
  const lena = await aLearner({ license_class_template_id: null })
  const coming = await office.drive(lena, '2030-06-03', { notes: WORD })
  await forgetProof()
  expect((await erase(lena)).body.code).toBe('proof_required')
  expect(await statusOf((await asClerk()).post(`/students/${lena.id}/erasure`, { reason: 'x' }))).toBe(403)
  await prove()
  expect(must(200, await erase(lena))).toEqual({ state: 'erased', until: null })
  expect(must(200, await office.school.client.get(`/appointments/${coming.id}`))).toMatchObject({
    student_id: null,
    status: 'cancelled',
    notes: null,
  })
  expect([...(await tablesNaming(WORD)), ...(await tablesNaming('5550145'))]).toEqual([])
  expect((await list('deleted=true')).map(({ id }) => id)).not.toContain(lena.id)
  expect(await statusOf(erase(lena))).toBe(404)
})

it('while an enrolment is open, only the record stays, and only owners see that it does', async () => {
  const lena = await aLearner()
  await driven(lena, '2030-04-01', { pickup_place: WORD })
  const { client } = office.school
  must(201, await client.post(`/students/${lena.id}/wishes`, { minutes: 90 }))
  must(200, await client.post(`/students/${lena.id}/link`))
  await prove()
  expect(must(200, await erase(lena, { reason: 'by letter' }))).toEqual({ state: 'restricted', until: null })
  expect([...(await tablesNaming(WORD)), ...(await tablesNaming('5550145'))]).toEqual([])
  const [listed] = await list('restricted=true')
  const { first_name, last_name } = lena
  expect(listed).toMatchObject({ id: lena.id, first_name, last_name, ...KEPT, phone: null, email: null })
  expect(listed?.restriction).toMatchObject({ until: null, reason: 'by letter' })
  expect(await tablesNaming('Parken')).toEqual(['appointments', 'changes'])
  expect(await statusOf((await asClerk()).get('/students?restricted=true'))).toBe(403)
  for (const query of ['', 'deleted=true']) expect(await list(query)).toEqual([])
  for (const path of ['', '/wishes', '/enrolments', '/progress'])
    expect([path, await statusOf(client.get(`/students/${lena.id}${path}`))]).toEqual([path, 404])
  expect(await statusOf(client.post(`/students/${lena.id}/restore`))).toBe(404)
})

it.each([
  ['2029-12-31', '2034-12-31'],
  ['2030-01-01', '2035-12-31'],
])('the record of a training that ended with a drive on %s is kept until %s', async (day, until) => {
  const lena = await aLearner()
  await trained(lena, day)
  await prove()
  expect(must(200, await erase(lena))).toEqual({ state: 'restricted', until })
})

it('a drive that was cancelled or missed, and an exam, do not prolong the time', async () => {
  const lena = await aLearner()
  await driven(lena, '2030-02-01', { status: 'no_show' })
  await driven(lena, '2030-02-02', { lesson_type_id: office.school.lessonTypes.PRACTICAL_EXAM })
  await trained(lena, '2029-03-01')
  await prove()
  expect(must(200, await erase(lena))).toEqual({ state: 'restricted', until: '2034-12-31' })
})

it('a training whose time is over is erased, and a restricted student once it is', async () => {
  const lena = await aLearner()
  await trained(lena, '2024-12-30')
  const mia = await aLearner({ first_name: 'Mia' })
  await trained(mia, '2025-01-02')
  await prove()
  expect(must(200, await erase(lena))).toEqual({ state: 'erased', until: null })
  expect(must(200, await erase(mia))).toEqual({ state: 'restricted', until: '2030-12-31' })
  expect(must(200, await erase(mia))).toEqual({ state: 'restricted', until: '2030-12-31' })
  expect((await list('restricted=true')).map(({ id }) => id)).toEqual([mia.id])
})

it('a restriction that ends leaves a deleted student, who can be restored without what was erased', async () => {
  const lena = await aLearner()
  await trained(lena, '2030-03-01')
  await prove()
  must(200, await erase(lena))
  const { client } = office.school
  must(204, await client.delete(`/students/${lena.id}/erasure`))
  expect(await statusOf(client.delete(`/students/${lena.id}/erasure`))).toBe(404)
  expect((await list('deleted=true')).map(({ id }) => id)).toEqual([lena.id])
  const { student } = must(200, await client.post(`/students/${lena.id}/restore`))
  expect(student).toMatchObject({ ...KEPT, phone: null, email: null, notes: null, pickup_place: null })
})

it('the undo of the deletion does not bring a restricted student back', async () => {
  const lena = await aLearner()
  const { client } = office.school
  const deletion = await client.delete(`/students/${lena.id}`)
  await prove()
  must(200, await erase(lena))
  const set = deletion.headers.get('x-request-id')
  const { refused } = must(200, await client.post(`/changes/sets/${set}/undo`))
  expect(refused).toMatchObject([{ code: 'erased' }])
  expect(await list('')).toEqual([])
})

it('texts about others are listed before they are changed, but contact data in them goes with a restriction', async () => {
  const lena = await aLearner({ license_class_template_id: null, first_name: 'Lena', last_name: 'Vogtland' })
  const notes = `Lena Vogtland, ${CONTACT.phone}, drives along`
  const mia = await office.school.student({ first_name: 'Mia', notes })
  const notesOf = async () => must(200, await office.school.client.get(`/students/${mia.id}`)).notes
  await prove()
  const { code, params } = must(409, await erase(lena))
  expect([code, params]).toMatchObject([
    'mentioned_elsewhere',
    { texts: [{ resource: 'student', resource_id: mia.id, field: 'notes', text: notes }] },
  ])
  expect([await statusOf(office.school.client.get(`/students/${lena.id}`)), await notesOf()]).toEqual([
    200,
    notes,
  ])
  expect(must(200, await erase(lena, { reason: 'asked', agreed: true })).state).toBe('erased')
  expect(await notesOf()).toBe('…, …, drives along')
  const lenaAgain = await aLearner({ first_name: 'Lena', last_name: 'Vogtland' })
  must(200, await office.school.client.patch(`/students/${mia.id}`, { notes }))
  expect(must(200, await erase(lenaAgain)).state).toBe('restricted')
  expect(await notesOf()).toBe('Lena Vogtland, …, drives along')
})

it.each([{}, { reason: '' }, { reason: 'x'.repeat(201) }, { reason: 'x', agreed: 1 }])(
  'an erasure with %j is an invalid request',
  async (body) => {
    const lena = await aLearner()
    await prove()
    expect(await statusOf(erase(lena, body))).toBe(400)
    expect(await statusOf(office.school.client.get(`/students/${lena.id}`))).toBe(200)
  },
)

it('an erasure of an unknown student, or of another school, is 404 and changes nothing', async () => {
  const lena = await aLearner()
  await prove()
  must(200, await erase(lena))
  const other = await aSchool(service())
  for (const id of [lena.id, randomUUID(), 'x', '%00']) {
    const path = `/students/${id}/erasure`
    const statuses = [statusOf(other.client.post(path, { reason: 'x' })), statusOf(other.client.delete(path))]
    expect([id, await Promise.all(statuses)]).toEqual([id, [404, 404]])
  }
  expect(must(200, await other.client.get('/students?restricted=true'))).toEqual([])
  expect((await list('restricted=true')).map(({ id }) => id)).toEqual([lena.id])
})

it('two erasures at the same time erase once', async () => {
  const lena = await aLearner({ license_class_template_id: null })
  await prove()
  const statuses = await Promise.all([1, 2, 3, 4].map(() => statusOf(erase(lena))))
  expect(statuses.toSorted()).toEqual([200, 404, 404, 404])
})

it('a drive booked while its student is erased has no erased student', async () => {
  const lena = await aLearner({ license_class_template_id: null })
  await prove()
  const { id: instructor_id } = await office.school.instructor()
  const book = (day: string) =>
    office.school.client.post('/appointments', {
      instructor_id,
      student_id: lena.id,
      lesson_type_id: office.school.lessonTypes.RURAL,
      ...at('10:00', '11:30', day),
    })
  const days = ['2030-06-03', '2030-06-04', '2030-06-05', '2030-06-06']
  const [erasure, ...bookings] = await Promise.all([erase(lena), ...days.map(book)])
  expect(must(200, erasure).state).toBe('erased')
  for (const { status, body } of bookings) {
    expect([201, 404]).toContain(status)
    if (status === 201)
      expect(must(200, await office.school.client.get(`/appointments/${body.id}`)).student_id).toBeNull()
  }
})
