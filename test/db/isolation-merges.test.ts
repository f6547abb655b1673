import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { isDouble, listDoublesOf } from '../../src/db/students/merged-rows.ts'
import { useService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { plantTwin } from '../support/twin.ts'

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
