import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { up } from '../../src/db/migrations/0017-ended-links.ts'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { feedOf } from '../support/links.ts'

const service = useService()

it('migration 0017 deletes only links of inactive instructors, disabled logins and deleted students (S109)', async () => {
  const { db } = service()
  const untyped = db as unknown as Kysely<unknown>
  const school = await aSchool(service())
  const feed = async () => {
    const instructor = await school.instructor()
    return { instructor, path: await feedOf(school, instructor, 'busy') }
  }
  const login = ({ id: instructor_id }: { readonly id: string }) =>
    aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
  const [dead, shared, inactive, kept, loginless] = [
    await feed(),
    await feed(),
    await feed(),
    await feed(),
    await feed(),
  ]
  const [left, stayed] = [await school.student(), await school.student()]
  const [leftPath, stayedPath] = [await pageOf(school, left.id), await pageOf(school, stayed.id)]
  const [gone, one] = [await login(dead.instructor), await login(shared.instructor)]
  await login(shared.instructor)
  await login(kept.instructor)
  // The state that an older release left.
  await db
    .updateTable('users')
    .set({ disabled_at: new Date() })
    .where('id', 'in', [gone.id, one.id])
    .execute()
  await db
    .updateTable('instructors')
    .set({ active: false })
    .where('id', '=', inactive.instructor.id)
    .execute()
  await db.updateTable('students').set({ deleted_at: new Date() }).where('id', '=', left.id).execute()
  await up(untyped)
  await up(untyped)
  await db.updateTable('users').set({ disabled_at: null }).where('id', 'in', [gone.id, one.id]).execute()
  await db.updateTable('instructors').set({ active: true }).where('id', '=', inactive.instructor.id).execute()
  await db.updateTable('students').set({ deleted_at: null }).where('id', '=', left.id).execute()
  const statuses = [dead, shared, inactive, kept, loginless].map(async ({ path }) => statusOf(path))
  expect(await Promise.all(statuses)).toEqual([404, 200, 404, 200, 200])
  expect([await statusOf(leftPath), await statusOf(stayedPath)]).toEqual([404, 200])
})

async function pageOf({ client }: School, id: string): Promise<string> {
  return `/${new URL((await client.post(`/students/${id}/link`)).body.url).pathname}`
}

async function statusOf(path: string): Promise<number> {
  return (await new Client(service()).get(path)).status
}
