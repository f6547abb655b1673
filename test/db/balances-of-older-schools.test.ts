// @module-tag embedded: a migration is plain statements

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { fillBalances, fillOlderBalances } from '../../src/db/migrations/0129-balances-of-enrolments.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { anEnrolmentOffice } from '../support/enrolment-office.ts'
import type { Row } from '../support/factory.ts'

const service = useService()

it('opening balances of an older school become the first credits of the current enrolment, with a log', async () => {
  const { school, lena, enrolments } = await anEnrolmentOffice(service())
  const { db } = service()
  const { client, lessonTypes, tenantId } = school
  const people = { current: await lena(), waiting: await lena(null), gone: await lena(), none: await lena() }
  const entry = (code: string) => ({ lesson_type_id: lessonTypes[code], units: 2, date: '2030-01-31' })
  const balance = [
    { ...entry('RURAL'), source: 'Nord' },
    { ...entry('NIGHT'), source: 'Süd' },
  ]
  const [own] = (await enrolments(people.current)) as [Row]
  must(200, await client.put(`/enrolments/${own.id}/credits`, [{ ...entry('MOTORWAY'), school: 'West' }]))
  // The release before has recorded it for the enrolment only.
  await sql`update students set version = 1 where tenant_id = ${tenantId} and id = ${people.current.id}`.execute(
    db,
  )
  await sql`delete from changes where tenant_id = ${tenantId} and resource_id = ${people.current.id} and action = 'changed'`.execute(
    db,
  )
  const shown = async ({ id }: Row) => must(200, await client.get(`/students/${id}/opening-balance`))
  // As the release before has written it: the balance in the row and log of the student.
  const write = async ({ id }: Row) => {
    const fields = JSON.stringify(balance)
    await sql`update students set opening_balance = ${fields}::json, version = version + 1
      where tenant_id = ${tenantId} and id = ${id}`.execute(db)
    await sql`insert into changes (tenant_id, id, set_id, actor_kind, actor_name, resource, resource_id, action, before, after)
      select ${tenantId}::uuid, gen_random_uuid(), gen_random_uuid(), 'user', 'Ida', 'student', id, 'changed',
        json_build_object('opening_balance', '[]'::json, 'version', version - 1),
        json_build_object('opening_balance', opening_balance, 'version', version)
      from students where tenant_id = ${tenantId} and id = ${id}`.execute(db)
  }
  await write(people.current)
  await write(people.waiting)
  await write(people.gone)
  must(204, await client.delete(`/students/${people.gone.id}`))
  const codes = async () => {
    const findings = await findingsInSchool(db, tenantId)
    // The log has the deletion as this release writes it.
    return findings.filter(({ resource_id }) => resource_id !== people.gone.id).map(({ code }) => code)
  }
  expect(await codes()).toContain('balance_beside_enrolment')
  await fillOlderBalances(db, tenantId)
  await fillBalances(db, tenantId)
  const last = { ...entry('MOTORWAY'), source: 'West' }
  expect(await shown(people.current)).toEqual([...balance, last])
  expect([await shown(people.waiting), await shown(people.none)]).toEqual([balance, []])
  must(200, await client.post(`/students/${people.gone.id}/restore`))
  expect(await shown(people.gone)).toEqual(balance)
  const credits = [...balance, last].map(({ source, ...one }) => {
    const { lesson_type_id, units, date } = one
    return { lesson_type_id, units, minutes: null, date, school: source, document: null, topics: [] }
  })
  expect(must(200, await client.get(`/enrolments/${own.id}/credits`))).toEqual(credits)
  const [change] = must(200, await client.get(`/enrolments/${own.id}/history`))
  expect(change).toMatchObject({
    actor: { kind: 'system', id: null },
    before: { credits: [credits[2]], version: 2 },
    after: { credits, version: 3 },
  })
  const read = await client.put(`/students/${people.current.id}/opening-balance`, [...balance, last])
  expect(must(200, await client.get(`/enrolments/${own.id}`)).version).toBe(3)
  expect(must(200, read)).toEqual([...balance, last])
  expect(await codes()).toEqual([])
})
