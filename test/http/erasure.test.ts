import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { useService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { findingsIn } from '../support/doctor.ts'
import { erase as eraseAsOwner } from '../support/erasure.ts'
import { aSchool, aUser, type Row, type School } from '../support/factory.ts'
import { placesOf } from '../support/places-of-words.ts'
import { aCanary, plantEverywhere } from '../support/planted-student.ts'

const service = useService()

const erase = ({ tenantId }: School, id: string) => eraseAsOwner(service(), tenantId, id)

describe('an erased student', () => {
  it('is left in no column of any table, and every changed record gets a new version', async () => {
    const school = await aSchool(service())
    const canary = await aCanary(school)
    const planted = await plantEverywhere(school, canary)
    expect(await placesOf(service(), canary.words)).toEqual(
      [
        'appointments.cancellation',
        'appointments.exam_result',
        'appointments.notes',
        'appointments.pickup_place',
        'appointments.practised',
        'appointments.title',
        'changes.actor_name',
        'changes.after',
        'changes.before',
        'closures.note',
        'enquiries.email',
        'enquiries.last_name',
        'enquiries.message',
        'enquiries.phone',
        'enrolments.credits',
        'enrolments.note',
        'idempotency_keys.body',
        'instructors.absences',
        'locations.address',
        'login_failures.account',
        'messages.to_address',
        'schedule_requests.answer',
        'schedule_requests.note',
        'signatures.name',
        'students.contacts',
        'students.email',
        'students.last_name',
        'students.notes',
        'students.phone',
        'students.phone_2',
        'students.pickup_place',
        'ticks.note',
        'vacations.note',
        'vehicles.absences',
        'vehicles.notes',
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
    // The lesson that another student took over keeps its new notes. Texts about others lose only the name.
    expect(after.own?.body).toMatchObject({ student_id: null, notes: null, practised: null })
    expect(after.moved?.body).toMatchObject({
      student_id: planted.friend,
      notes: 'taken over',
      practised: null,
    })
    expect(after.foreign?.body).toMatchObject({ title: '…', notes: 'Ring … or …' })
    expect(after.friend?.body.notes).toBe('Cousin of …')
    expect(after.request?.body).toMatchObject({ note: 'Not …', answer: '… asks' })
    expect(after.instructor?.body.vacations).toMatchObject([{ note: 'Trip\n…' }])
    // Every copy is outdated by a new version and tag, and followers get the changes.
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

  it('leaves lessons with their times and type, but without personal data', async () => {
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
      pickup_place: null,
      student_id: null,
      enrolment_id: null,
      title: 'Praktische Prüfung',
      notes: null,
      practised: null,
      version: before.version + 1,
      updated_at: after.updated_at,
    })
  })

  it('leaves a record with only the first name, a longer name or the same phone number unchanged', async () => {
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

  it('leaves the failed logins of a user with the same email address', async () => {
    const school = await aSchool(service())
    const { email } = await aUser(service(), school.tenantId)
    const { id } = await school.student({ email })
    await school.client.post('/auth/login', { email, password: 'not the one' })
    await school.client.delete(`/students/${id}`)
    await erase(school, id)
    const failures = service().db.selectFrom('login_failures').select('account').where('account', '=', email)
    expect(await failures.execute()).toHaveLength(1)
  })

  it('is erased once, only after deletion, and only by their own school', async () => {
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
