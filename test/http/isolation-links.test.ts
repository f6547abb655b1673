import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { findPage } from '../../src/db/students/links.ts'
import { aLife, type Life, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aUser } from '../support/factory.ts'
import { feedOf, feedPathIn } from '../support/links.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()

/** Creates a student's page, without lessons. Returns its path. */
async function pageOf({ school: { client } }: Life, id: string): Promise<string> {
  const { url } = must(200, await client.post(`/students/${id}/link`))
  return `/${url.slice(service().url.length)}`
}

/** Makes a school with two twins. Returns it with conditions for its own rows and for theirs. */
async function amongTwins() {
  const life = await aLife(service())
  const { school, ids } = life
  const { id: alone } = await school.student({ first_name: 'Ben' })
  const paths = {
    ofAlone: await pageOf(life, alone),
    ofMoving: await pageOf(life, ids.moving),
    ofOther: await feedOf(school, { id: ids.other }, 'lesson'),
  }
  const twins: string[] = []
  for (const side of ['00000000', 'ffffffff'] as const) {
    twins.push(await plantTwin(service(), school.tenantId, WORD, side))
  }
  const inSchool = sql`where tenant_id = ${school.tenantId} and`
  const inTwins = sql`where tenant_id = any(${twins}::uuid[]) and`
  return { ...life, alone, paths, twins, inSchool, inTwins }
}

it('a page ends with the student, the link and the lessons of its own school', async () => {
  const { school, ids, links, alone, paths, inSchool, inTwins } = await amongTwins()
  const { db } = service()
  const open = async (path: string) => (await school.client.get(path)).status
  await sql`update students set deleted_at = null ${inTwins} true`.execute(db)
  expect(await open(paths.ofMoving)).toBe(200)
  await sql`update students set deleted_at = now() ${inSchool} id = ${ids.moving}`.execute(db)
  expect(await open(paths.ofMoving)).toBe(404)
  // Reads that follow would hide that a twin's student was found.
  const { token_hash } = await db
    .selectFrom('links')
    .select('token_hash')
    .where('tenant_id', '=', school.tenantId)
    .where('student_id', '=', ids.moving)
    .executeTakeFirstOrThrow()
  expect(await findPage(db, school.tenantId, token_hash)).toBeUndefined()
  expect(await open(links.student)).toBe(200)
  await sql`delete from links ${inSchool} student_id = ${ids.student}`.execute(db)
  expect(await open(links.student)).toBe(404)
  expect(await open(paths.ofAlone)).toBe(200)
  await sql`update links set created_at = now() - interval '7 months' ${inSchool} student_id = ${alone}`.execute(
    db,
  )
  expect(await open(paths.ofAlone)).toBe(404)
  await sql`update appointments set student_id = ${alone} ${inTwins} id = ${ids.lesson}`.execute(db)
  expect(await open(paths.ofAlone)).toBe(404)
  await sql`update appointments set student_id = null ${inTwins} id = ${ids.lesson}`.execute(db)
  const attended = JSON.stringify([{ student_id: alone }])
  await sql`update appointments set attendees = ${attended}, seats = 9 ${inTwins} id = ${ids.lesson}`.execute(
    db,
  )
  expect(await open(paths.ofAlone)).toBe(404)
})

it('a feed ends with the instructor and the login of its own school', async () => {
  const { school, phoneUser, ids, paths, twins, inSchool, inTwins } = await amongTwins()
  const { client } = school
  const { db } = service()
  await sql`update instructors set active = true ${inTwins} true`.execute(db)
  expect((await client.get(paths.ofOther)).status).toBe(200)
  await sql`update instructors set active = false ${inSchool} id = ${ids.other}`.execute(db)
  expect((await client.get(paths.ofOther)).status).toBe(404)
  const { instructor: instructor_id } = ids
  for (const twin of twins) await aUser(service(), twin, { role: 'instructor', instructor_id })
  const address = `/instructors/${instructor_id}/calendar-feed`
  expect(must(200, await client.get(address)).feed).not.toBeNull()
  must(200, await client.patch(`/users/${phoneUser}`, { disabled: true }))
  expect(must(200, await client.get(address)).feed).toBeNull()
  const { url } = must(200, await client.post(address, { detail: 'busy' }))
  expect((await client.get(feedPathIn(url))).status).toBe(404)
})
