import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { useService } from '../support/app.ts'
import { postgresDatabase } from '../support/database.ts'
import { erase } from '../support/erasure.ts'
import { aSchool } from '../support/factory.ts'
import { until } from '../support/process.ts'

const service = useService()

it('concurrent erasures remove both students from a text that names both', async () => {
  const school = await aSchool(service())
  const { client, tenantId } = school
  const instructor = await school.instructor()
  const vacations = [
    { start_date: '2031-12-24', end_date: '2031-12-26', note: 'With Lena Vogt and Ben Kaya' },
  ]
  await client.patch(`/instructors/${instructor.id}`, { vacations })
  await client.patch(`/instructors/${instructor.id}`, { vacations: [] })
  const names = [
    { first_name: 'Lena', last_name: 'Vogt' },
    { first_name: 'Ben', last_name: 'Kaya' },
  ]
  const ids = await Promise.all(names.map(async (name) => (await school.student(name)).id))
  for (const id of ids) await client.delete(`/students/${id}`)

  const owner = connectPostgres(postgresDatabase().owner, () => undefined)
  const erased = await owner.transaction().execute(async (holder) => {
    await sql`select from changes where tenant_id = ${tenantId} for update`.execute(holder)
    const erasing = ids.map((id) => erase(service(), tenantId, id))
    await until(async () => (await waitingFor(owner)) === 2)
    return erasing
  })
  expect(await Promise.all(erased)).toEqual(['erased', 'erased'])
  const { rows } = await sql<{ text: string }>`
    select concat(before, after) as text from changes where tenant_id = ${tenantId}`.execute(owner)
  expect(rows.filter(({ text }) => text.includes('With … and …'))).not.toEqual([])
  expect(rows.filter(({ text }) => /Vogt|Kaya/.test(text))).toEqual([])
  await owner.destroy()
})

async function waitingFor(db: DatabasePool): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
