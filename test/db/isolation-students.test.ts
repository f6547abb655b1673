import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { listErasures } from '../../src/db/students/erasures.ts'
import { isDouble, listDoublesOf } from '../../src/db/students/merged-rows.ts'
import { useService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import { aSchool, PASSWORD, type Row } from '../support/factory.ts'
import { everythingOf, plantTwin, plantTwins, rowsOfAll } from '../support/twin.ts'

const service = useService()

it('the doubles of a student are unchanged by merges and deletions in a twin school with the same ids', async () => {
  const { db } = service()
  const school = await aSchool(service())
  const { client, tenantId } = school
  const [kept, double, gone] = [await school.student(), await school.student(), await school.student()]
  must(200, await client.post(`/students/${kept.id}/merge`, { other_id: double.id }))
  must(204, await client.delete(`/students/${gone.id}`))
  const found = async () => [
    await listDoublesOf(db, tenantId, String(kept.id)),
    await listDoublesOf(db, tenantId, String(gone.id)),
    await isDouble(db, tenantId, String(double.id)),
    await isDouble(db, tenantId, String(gone.id)),
  ]
  expect(await found()).toEqual([[double.id], [], true, false])
  const twin = await plantTwin(service(), tenantId, 'none')
  await sql`update students set deleted_at = now() where tenant_id = ${twin}`.execute(db)
  const { rows } = await sql<{ set_id: string }>`select set_id from changes
    where tenant_id = ${tenantId} and resource_id = ${gone.id} and action = 'deleted'`.execute(db)
  const later = randomUUID()
  await asOwner(service(), async (owner) => {
    await sql`update changes set set_id = ${later}, at = at + interval '1 hour'
      where tenant_id = ${twin} and resource_id = ${double.id} and action = 'deleted'`.execute(owner)
    await sql`update changes set set_id = ${rows[0]?.set_id}, after = ${JSON.stringify({ merged_id: gone.id })}
      where tenant_id = ${twin} and after ->> 'merged_id' = ${double.id}`.execute(owner)
  })
  expect(await found()).toEqual([[double.id], [], true, false])
})

describe('retention', () => {
  const WORD = 'Vogtland'
  let office: EnrolmentOffice
  let due: Row
  let held: Row

  /** A student who is due, one on hold, and a group of both, all in 2025. */
  beforeEach(async () => {
    office = await anEnrolmentOffice(service())
    const { school, classes } = office
    const named = { last_name: WORD, license_class_template_id: classes.B }
    due = await school.student(named)
    held = await school.student(named)
    for (const student of [due, held]) {
      const { id } = await office.drive(student, '2024-12-30')
      must(200, await school.client.patch(`/appointments/${id}`, { status: 'completed' }))
      for (const enrolment of await office.enrolments(student))
        must(200, await office.change(enrolment, { outcome: 'stopped', ends_on: TODAY }))
    }
    must(201, await school.client.post(`/students/${due.id}/wishes`, { minutes: 45 }))
    must(200, await school.client.put(`/students/${held.id}/hold`, { reason: WORD }))
  })

  const client = () => office.school.client
  const read = async () => ({
    preview: must(200, await client().get('/retention')),
    hold: must(200, await client().get(`/students/${held.id}/hold`)),
    // Its twins are on hold.
    otherHold: (await client().get(`/students/${due.id}/hold`)).body.code ?? 'on hold',
    runs: must(200, await client().get('/retention/runs')),
  })

  /** Plants twins, which differ in all that decides on the time of a student. */
  function twins(): Promise<readonly string[]> {
    return plantTwins(service(), office.school.tenantId, WORD, async (twin) => {
      const { db } = service()
      await sql`update enrolments set outcome = null, ends_on = null where tenant_id = ${twin}`.execute(db)
      await sql`update lesson_types set category = case category when 'theory' then 'theory' else 'internal' end
      where tenant_id = ${twin}`.execute(db)
      await sql`update appointments set status = 'planned', start_at = start_at + interval '8 years',
      end_at = end_at + interval '8 years' where tenant_id = ${twin}`.execute(db)
      await sql`update students set hold_reason = case when hold_reason is null then 'twin' end
      where tenant_id = ${twin}`.execute(db)
    })
  }

  it('the preview, the hold and the runs ignore twin schools', async () => {
    const before = await read()
    expect(before.preview).toMatchObject({ due: [{ counts: { wish: 1 } }], kept: [{ reason: 'hold' }] })
    await twins()
    expect(await read()).toEqual(before)
  })

  it('a run and holds write in their own school alone', async () => {
    const planted = await twins()
    const everything = rowsOfAll(service(), planted)
    const before = await everything()
    const { digest } = must(200, await client().get('/retention'))
    const made = must(200, await client().post('/retention/runs', { digest, agreed: true }))
    expect(made).toMatchObject({ erased: [due.id], counts: { student: 1, enrolment: 1, wish: 1 } })
    must(200, await client().put(`/students/${held.id}/hold`, { reason: 'Another' }))
    must(204, await client().delete(`/students/${held.id}/hold`))
    expect(await everything()).toEqual(before)
  })

  it('a run is not that of a twin school, which has one with the same id and digest', async () => {
    const { digest } = must(200, await client().get('/retention'))
    const first = must(200, await client().post('/retention/runs', { digest, agreed: true }))
    const [low] = await twins()
    await sql`update retention_runs set finished_at = null, outcomes = outcomes || jsonb_build_object(${held.id}::text, null::text)
    where tenant_id = ${low}`.execute(service().db)
    const everything = async () => everythingOf(service(), low as string)
    const before = await everything()
    must(204, await client().delete(`/students/${held.id}/hold`))
    const { digest: next } = must(200, await client().get('/retention'))
    const second = must(200, await client().post('/retention/runs', { digest: next, agreed: true }))
    expect([second.id === first.id, second.erased]).toEqual([false, [held.id]])
    expect(await everything()).toEqual(before)
    expect(must(200, await client().get('/retention/runs'))).toEqual([second, first])
  })

  it('a restriction and its end write in their own school alone, and lists of erased students have its own', async () => {
    const { school, classes } = office
    const lena = await school.student({ last_name: WORD, license_class_template_id: classes.B })
    const { id } = await office.drive(lena, '2030-04-01')
    must(200, await client().patch(`/appointments/${id}`, { status: 'completed' }))
    must(201, await client().post(`/students/${lena.id}/wishes`, { minutes: 90 }))
    const reason = { reason: 'asked' }
    const erase = async (one: Row) => must(200, await client().post(`/students/${one.id}/erasure`, reason))
    must(204, await client().post('/auth/proof', { password: PASSWORD }))
    const planted = await twins()
    const everything = rowsOfAll(service(), planted)
    const before = await everything()
    expect((await erase(lena)).state).toBe('restricted')
    expect(await everything()).toEqual(before)
    for (const twin of planted)
      await sql`update students set restriction = '{}', deleted_at = now() where tenant_id = ${twin}`.execute(
        service().db,
      )
    const listed: readonly Row[] = must(200, await client().get('/students?restricted=true'))
    expect(listed.map((one) => one.id)).toEqual([lena.id])
    const known = async () => (await listErasures(service().db, school.tenantId)).map((one) => one.state)
    expect(await known()).toEqual(['restricted'])
    const restricted = await everything()
    must(204, await client().delete(`/students/${lena.id}/erasure`))
    expect(await everything()).toEqual(restricted)
    expect(await known()).toEqual([])
  })
})
