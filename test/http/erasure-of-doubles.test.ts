import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { SCHOOL_TABLES } from '../../src/doctor/references.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice } from '../support/enrolment-office.ts'
import { PASSWORD, type Row } from '../support/factory.ts'

const service = useService()
let office: EnrolmentOffice
const OWN = 'gartenzwerg'
const DOUBLE = 'kellerassel'

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  must(204, await office.school.client.post('/auth/proof', { password: PASSWORD }))
})

const client = () => office.school.client
const named = (word: string, fields: object = {}) =>
  office.school.student({
    last_name: word,
    email: `${word}@mail.example`,
    license_class_template_id: null,
    ...fields,
  })
const merge = async (kept: Row, double: Row) =>
  must(200, await client().post(`/students/${kept.id}/merge`, { other_id: double.id }))
const erase = ({ id }: Row) => client().post(`/students/${id}/erasure`, { reason: 'asked' })
const undoLast = async (student: Row) => {
  const [last] = must(200, await client().get(`/students/${student.id}/history`)) as Row[]
  must(200, await client().post(`/changes/sets/${last?.set_id}/undo`))
}

/** Returns the tables of the school in which a row has the text. */
async function tablesNaming(text: string): Promise<readonly string[]> {
  const found = await Promise.all(
    SCHOOL_TABLES.map(async (table) => {
      const { rows } = await sql`select from ${sql.table(table)} one
        where tenant_id = ${office.school.tenantId} and one::text ilike ${`%${text}%`} limit 1`.execute(
        service().db,
      )
      return rows.length > 0 ? [table] : []
    }),
  )
  return found.flat()
}

it('erasing a student erases the doubles, and their doubles', async () => {
  const [own, double, earlier] = [await named(OWN), await named(DOUBLE), await named(`${DOUBLE}2`)]
  await merge(double, earlier)
  await merge(own, double)
  expect(must(200, await erase(own))).toEqual({ state: 'erased', until: null })
  expect([await tablesNaming(OWN), await tablesNaming(DOUBLE)]).toEqual([[], []])
})

it('erasing a student whose record is kept erases the double, but not the name in the record', async () => {
  const own = await named(OWN, { license_class_template_id: office.classes.B })
  const double = await named(OWN, { email: `${DOUBLE}@mail.example` })
  const { id } = await office.drive(own, '2030-06-03')
  must(200, await client().patch(`/appointments/${id}`, { status: 'completed' }))
  await merge(own, double)
  expect(must(200, await erase(own))).toMatchObject({ state: 'restricted' })
  expect(await tablesNaming(DOUBLE)).toEqual([])
  const rows = await service()
    .db.selectFrom('students')
    .select(['id', 'last_name'])
    .where('tenant_id', '=', office.school.tenantId)
    .where('last_name', '=', OWN)
    .execute()
  expect(rows).toEqual([{ id: own.id, last_name: OWN }])
})

it('a double that was split off again and then deleted is not erased', async () => {
  const [own, double] = [await named(OWN), await named(DOUBLE)]
  await merge(own, double)
  await undoLast(own)
  must(204, await client().delete(`/students/${double.id}`))
  must(200, await erase(own))
  expect(await tablesNaming(DOUBLE)).toContain('students')
})

it('no student is erased while a double is on hold', async () => {
  const [own, double] = [await named(OWN), await named(DOUBLE)]
  must(200, await client().put(`/students/${double.id}/hold`, { reason: 'Court', until: '2090-06-30' }))
  await merge(own, double)
  must(204, await client().delete(`/students/${own.id}/hold`))
  const refused = await erase(own)
  expect([refused.status, refused.body.code]).toEqual([409, 'on_hold'])
  expect(await tablesNaming(OWN)).toContain('students')
})

it('erasing a double leaves texts about the remaining student', async () => {
  const [own, double] = [
    await named(OWN, { phone: '030 5550145' }),
    await named(OWN, { phone: '030 5550145' }),
  ]
  const other = await named(DOUBLE, { notes: `Fährt mit ${OWN}, 030 5550145` })
  await merge(own, double)
  must(200, await erase(double))
  expect(must(200, await client().get(`/students/${other.id}`)).notes).toBe(`Fährt mit ${OWN}, 030 5550145`)
})
