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
  const known = JSON.stringify([
    { ...entry('MOTORWAY'), minutes: null, school: 'West', document: null, topics: [] },
  ])
  const shown = async ({ id }: Row) => must(200, await client.get(`/students/${id}/opening-balance`))
  // As the release before has written them: the balance in the row and log of the student, credits in those of the enrolment.
  const write = async (table: 'students' | 'enrolments', id: string, value: string) => {
    const [resource, column] =
      table === 'students' ? ['student', 'opening_balance'] : ['enrolment', 'credits']
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}::json, version = version + 1
      where tenant_id = ${tenantId} and id = ${id}`.execute(db)
    await sql`insert into changes (tenant_id, id, set_id, actor_kind, actor_name, resource, resource_id, action, before, after)
      select ${tenantId}::uuid, gen_random_uuid(), gen_random_uuid(), 'user', 'Ida', ${resource}, id, 'changed',
        json_build_object(${column}::text, '[]'::json, 'version', version - 1),
        json_build_object(${column}::text, ${sql.ref(column)}, 'version', version)
      from ${sql.table(table)} where tenant_id = ${tenantId} and id = ${id}`.execute(db)
  }
  await write('enrolments', own.id, known)
  await write('students', people.current.id, JSON.stringify(balance))
  await write('students', people.waiting.id, JSON.stringify(balance))
  await write('students', people.gone.id, JSON.stringify(balance))
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
