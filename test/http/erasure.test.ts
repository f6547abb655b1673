import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { useService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { findingsIn } from '../support/doctor.ts'
import { erase as eraseAsOwner } from '../support/erasure.ts'
import { aSchool, aUser, type Row, type School } from '../support/factory.ts'
import { placesOf } from '../support/places-of-words.ts'

const service = useService()

const erase = ({ tenantId }: School, id: string) => eraseAsOwner(service(), tenantId, id)

/** A word of letters that stands nowhere else. */
function aWord(): string {
  return `canary${randomUUID().replace(/\d|-/g, '')}`
}

/** A student, the name that she had before, and a text that tells of her without naming her. */
type Canary = {
  readonly id: string
  readonly name: string
  readonly reversed: string
  readonly email: string
  readonly phone: string
  readonly secret: string
  readonly words: readonly string[]
}

async function aCanary({ client }: School): Promise<Canary> {
  const [first_name, maiden, last_name, secret, mailbox] = [aWord(), aWord(), aWord(), aWord(), aWord()]
  const digits = `30${String(Math.random()).slice(2, 12)}`
  const [email, phone] = [`${mailbox}@mail.example`, `+49 ${digits}`]
  const fields = { first_name, last_name: maiden, email, phone, birth_date: '2008-02-29', notes: secret }
  const { body } = await client.post('/students', fields, { 'idempotency-key': randomUUID() })
  await client.patch(`/students/${body.id}`, { last_name, notes: `${secret}, ${first_name}` })
  return {
    id: body.id,
    name: `${first_name} ${maiden}`,
    reversed: `${last_name}, ${first_name}`,
    email,
    phone: `0${digits}`,
    secret,
    words: [maiden, last_name, secret, mailbox, digits],
  }
}

type Planted = Readonly<
  Record<'own' | 'series' | 'moved' | 'foreign' | 'friend' | 'request' | 'instructor', string>
>

/** Tells of the student wherever somebody can write. */
async function plantEverywhere(school: School, canary: Canary): Promise<Planted> {
  const { client, lessonTypes } = school
  const { id, name, reversed, email, phone, secret } = canary
  const instructor = await school.instructor()
  const friend = await school.student({ first_name: 'Mia', last_name: 'Sommer', notes: `Cousin of ${name}` })
  const day = (date: string) => ({ start_at: `${date} 08:00`, end_at: `${date} 09:30` })
  const book = (fields: object) =>
    school.lesson({ instructor_id: instructor.id, student_id: id, title: secret, notes: secret, ...fields })
  const own = await book(day('2026-05-04'))
  await client.patch(`/appointments/${own.id}`, { status: 'completed', practised: secret })
  const moved = await book(day('2026-05-05'))
  await client.patch(`/appointments/${moved.id}`, { practised: secret })
  await client.patch(`/appointments/${moved.id}`, { student_id: friend.id, notes: 'taken over' })
  const foreign = await book({ ...day('2026-05-06'), student_id: null, title: name, notes: `Ring ${phone}` })
  const told = {
    ...day('2026-05-08'),
    instructor_id: instructor.id,
    notes: `Ring\n${name.replace(' ', '\n')}`,
  }
  await school.book(told, { 'idempotency-key': randomUUID() })
  const deleted = await book(day('2026-05-07'))
  await client.delete(`/appointments/${deleted.id}`)
  const appointment = { instructor_id: instructor.id, student_id: id, lesson_type_id: lessonTypes.PRACTICE }
  const repeat = { every_weeks: 1, count: 2 }
  const series = await client.post(
    '/appointments/series',
    { appointment: { ...appointment, title: secret, notes: secret, ...day('2098-05-12') }, repeat },
    { 'idempotency-key': randomUUID() },
  )
  const asked = { instructor_id: instructor.id, start_date: '2098-08-03', end_date: '2098-08-04' }
  const request = await client.post('/schedule-requests', { ...asked, note: `Not ${reversed}` })
  await client.patch(`/schedule-requests/${request.body.id}`, { status: 'declined', answer: `${email} asks` })
  const vacations = [{ start_date: '2098-12-24', end_date: '2098-12-25', note: `Trip\n${name}` }]
  await client.patch(`/instructors/${instructor.id}`, { vacations })
  expect((await client.post(`/students/${id}/link`)).status).toBe(200)
  await client.post('/auth/login', { email, password: 'not the one' })
  await client.post('/auth/password-resets', { email })
  return {
    own: own.id,
    series: series.body.booked[0].id,
    moved: moved.id,
    foreign: foreign.id,
    friend: friend.id,
    request: request.body.id,
    instructor: instructor.id,
  }
}

describe('an erased student', () => {
  it('is in no column of any table, whatever has been written', async () => {
    const school = await aSchool(service())
    const canary = await aCanary(school)
    const planted = await plantEverywhere(school, canary)
    expect(await placesOf(service(), canary.words)).toEqual(
      [
        'appointments.notes',
        'appointments.practised',
        'appointments.title',
        'changes.after',
        'changes.before',
        'idempotency_keys.body',
        'login_failures.account',
        'schedule_requests.answer',
        'schedule_requests.note',
        'students.email',
        'students.last_name',
        'students.notes',
        'students.phone',
        'vacations.note',
      ].toSorted(),
    )
    const { client } = school
    await client.delete(`/students/${canary.id}`)
    const addresses = {
      own: `/appointments/${planted.own}`,
      moved: `/appointments/${planted.moved}`,
      foreign: `/appointments/${planted.foreign}`,
      friend: `/students/${planted.friend}`,
      request: `/schedule-requests/${planted.request}`,
      instructor: `/instructors/${planted.instructor}`,
    }
    const read = async () => {
      const answers = Object.entries(addresses).map(async ([name, path]) => {
        const { body, headers } = await client.get(path)
        return [name, { body, tag: headers.get('etag') }] as const
      })
      return Object.fromEntries(await Promise.all(answers))
    }
    const before = await read()
    const { cursor } = (await client.get('/changes/since')).body

    expect(await erase(school, canary.id)).toBe('erased')

    expect(await placesOf(service(), canary.words)).toEqual([])
    const after = await read()
    // The lesson that somebody took over keeps what was written then, the others' texts all but the name.
    expect(after.own?.body).toMatchObject({ student_id: null, notes: null, practised: null })
    expect(after.moved?.body).toMatchObject({
      student_id: planted.friend,
      notes: 'taken over',
      practised: null,
    })
    expect(after.foreign?.body).toMatchObject({ title: '…', notes: 'Ring …' })
    expect(after.friend?.body.notes).toBe('Cousin of …')
    expect(after.request?.body).toMatchObject({ note: 'Not …', answer: '… asks' })
    expect(after.instructor?.body.vacations).toMatchObject([{ note: 'Trip\n…' }])
    // Every copy that somebody holds is known to be old, and who follows is told.
    for (const name of Object.keys(addresses)) {
      expect(after[name]?.body.version, name).toBe(before[name]?.body.version + 1)
      expect(after[name]?.tag, name).not.toBe(before[name]?.tag)
    }
    const { changes } = (await client.get(`/changes/since?cursor=${cursor}`)).body
    const told = new Set(changes.map(({ resource_id }: Change) => resource_id))
    for (const id of [...Object.values(planted), canary.id]) expect(told).toContain(id)
    const taken = changes.findLast(
      ({ resource_id, after }: Change) => resource_id === planted.moved && after?.practised === null,
    )
    expect(taken?.actor.name).toBe('test')
    expect(await asOwner(service(), (owner) => findingsIn(owner, school.tenantId))).toEqual([])
  })

  it('leaves lessons that say when and how long, and of what kind', async () => {
    const school = await aSchool(service())
    const canary = await aCanary(school)
    const { own } = await plantEverywhere(school, canary)
    const { client } = school
    await client.delete(`/students/${canary.id}`)
    const { body: before } = await client.get(`/appointments/${own}`)
    await erase(school, canary.id)
    const { body: after } = await client.get(`/appointments/${own}`)
    expect(after).toEqual({
      ...before,
      student_id: null,
      title: 'Übungsfahrt (Grundausbildung)',
      notes: null,
      practised: null,
      version: before.version + 1,
      updated_at: after.updated_at,
    })
  })

  it('leaves others with the same first name, a longer name or the same number untouched', async () => {
    const school = await aSchool(service())
    const lena = { first_name: 'Lena', last_name: 'Vogt', phone: '030 5550145' }
    const { id } = await school.student(lena)
    const sister: Row = await school.student({ ...lena, first_name: 'Mia', notes: 'Lena Vogts, Lena' })
    await school.client.delete(`/students/${id}`)
    await erase(school, id)
    expect((await school.client.get(`/students/${sister.id}`)).body).toEqual(sister)
    const [made] = (await school.client.get(`/students/${sister.id}/history`)).body
    expect(made.after).toMatchObject({ ...lena, first_name: 'Mia', notes: 'Lena Vogts, Lena' })
  })

  it('leaves the failed logins of a user with the same address', async () => {
    const school = await aSchool(service())
    const { email } = await aUser(service(), school.tenantId)
    const { id } = await school.student({ email })
    await school.client.post('/auth/login', { email, password: 'not the one' })
    await school.client.delete(`/students/${id}`)
    await erase(school, id)
    const failures = service().db.selectFrom('login_failures').select('account').where('account', '=', email)
    expect(await failures.execute()).toHaveLength(1)
  })

  it('is erased once, only after a deletion, and only by its own school', async () => {
    const [school, other] = [await aSchool(service()), await aSchool(service())]
    const { id } = await school.student()
    expect(await erase(school, id)).toBe('not_deleted')
    await school.client.delete(`/students/${id}`)
    expect(await erase(other, id)).toBe('unknown')
    expect(await erase(school, id)).toBe('erased')
    expect(await erase(school, id)).toBe('erased_before')
    expect(await erase(other, id)).toBe('unknown')
    expect(await erase(school, randomUUID())).toBe('unknown')
  })
})
