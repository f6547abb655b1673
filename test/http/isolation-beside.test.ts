import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { listUsers, setDisabled, setPasswordHash } from '../../src/db/accounts/users.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { useService } from '../support/app.ts'
import { fingerprint } from '../support/corpus.ts'
import { anActor, aSchool, type School } from '../support/factory.ts'

const service = useService()
let ours: School
let theirs: School

beforeAll(async () => {
  ours = await aSchool(service())
  theirs = await aSchool(service())
})

describe('each of two schools', () => {
  it('receives only its own changes', async () => {
    const student = await theirs.student()
    const start = async ({ client }: School) => (await client.get('/changes/since')).body.cursor
    const [ourCursor, theirCursor] = [await start(ours), await start(theirs)]
    await theirs.client.patch(`/students/${student.id}`, { notes: 'changed' })
    const since = async ({ client }: School, cursor: string) =>
      (await client.get(`/changes/since?cursor=${cursor}`)).body.changes
    for (const cursor of [ourCursor, theirCursor]) {
      expect(await since(ours, cursor)).toEqual([])
      expect(await since(theirs, cursor)).toHaveLength(1)
    }
  })

  it("finds only its own slots, and gets 404 for the other's ids as for unknown ones", async () => {
    const [{ id: student_id }, { id: instructor_id }] = [await theirs.student(), await theirs.instructor()]
    const day = '/slots?from=2026-05-04&to=2026-05-04&minutes=45'
    const whose = async ({ client }: School) =>
      (await client.get(`${day}&limit=200`)).body.map((slot: { instructor_id: string }) => slot.instructor_id)
    expect(await whose(theirs)).toContain(instructor_id)
    expect(await whose(ours)).not.toContain(instructor_id)
    const foreign = { student_id, instructor_id, lesson_type_id: theirs.lessonTypes.PRACTICE }
    for (const [name, id] of Object.entries(foreign)) {
      const [unknown, answer] = await Promise.all(
        [randomUUID(), id].map((one) => ours.client.get(`${day}&${name}=${one}`)),
      )
      expect(answer?.status, name).toBe(404)
      expect({ ...answer?.body, request_id: '' }, name).toEqual({ ...unknown?.body, request_id: '' })
    }
  })

  it('is identified by the token, whatever else the request contains (S57)', async () => {
    const { id: student } = await ours.student()
    const headers = { 'x-tenant-id': theirs.tenantId, 'x-forwarded-host': theirs.tenantId }
    const { body } = await ours.client.get('/students', headers)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([student])
    const asked = await ours.client.get(`/students?tenant_id=${theirs.tenantId}`)
    expect([asked.status, asked.body.errors[0].pointer]).toEqual([400, '?tenant_id'])
  })

  it('can use an email address and times that the other uses (S61)', async () => {
    const fields = { email: 'same@school.example' }
    expect((await ours.student(fields)).email).toBe((await theirs.student(fields)).email)
    const at = { start_at: '2026-08-03 08:00', end_at: '2026-08-03 09:00' }
    for (const school of [ours, theirs]) {
      const [instructor, student] = [await school.instructor(), await school.student()]
      await school.lesson({ instructor_id: instructor.id, student_id: student.id, ...at })
    }
  })

  it('changes only its own settings', async () => {
    for (const [at, school] of [theirs, theirs, ours, ours].entries()) {
      const { body } = await school.client.patch('/tenant', { name: `Name ${at}` })
      expect(body).toMatchObject({ id: school.tenantId, name: `Name ${at}` })
    }
  })

  it('matches an import file only with its own instructors and students', async () => {
    for (const school of [ours, theirs]) await school.instructor({ first_name: 'Udo', last_name: 'Doppel' })
    await theirs.student({ first_name: 'Nele', last_name: 'Neu' })
    const text = 'Vorname;Nachname;Führerscheinklasse;Fahrlehrer\nNele;Neu;B;Udo Doppel'
    const file = Buffer.from(text).toString('base64')
    const { body } = await ours.client.post('/student-imports/check', { file })
    expect(body).toMatchObject({ students: 1, faults: [], duplicates: [] })
  })

  it('must keep an owner of its own (409 last_owner)', async () => {
    const { status, body } = await ours.client.patch(`/users/${ours.user.id}`, { role: 'office' })
    expect([status, body.code]).toEqual([409, 'last_owner'])
  })

  it("lists only its own users, and cannot disable the other's or change their passwords", async () => {
    const ids = (await listUsers(service().db, ours.tenantId)).map(({ id }) => id)
    expect(ids).toEqual([ours.user.id])
    const before = await fingerprint(service(), theirs.tenantId)
    const actor = await anActor(service(), ours.tenantId)
    await inTransaction(service().db, async (db) => {
      await setDisabled(db, actor, theirs.user.id, true)
      expect(await setPasswordHash(db, actor, theirs.user.id, { passwordHash: 'another' })).toBe(false)
    })
    expect(await fingerprint(service(), theirs.tenantId)).toBe(before)
  })
})
