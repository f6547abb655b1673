import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Actor } from '../../src/contract/actor.ts'
import { lockCalendars } from '../../src/db/calendars/calendar-locks.ts'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { lockRows, updateRow } from '../../src/db/resource-rows.ts'
import type { Transaction } from '../../src/db/schema/tables.ts'
import { CLOSURES } from '../../src/db/school/closures.ts'
import { LOCATIONS, lockLocations } from '../../src/db/school/locations.ts'
import { findStoredVehicle, VEHICLES } from '../../src/db/school/vehicles.ts'
import { lockEnrolmentsOf } from '../../src/db/students/enrolments.ts'
import { updateCredits } from '../../src/db/students/opening-balances.ts'
import { lockStudent, updateStudent } from '../../src/db/students/students.ts'
import { useService } from '../support/app.ts'
import { postgresDatabase } from '../support/database.ts'
import { erase } from '../support/erasure.ts'
import { anActor, aSchool, type Row, type School } from '../support/factory.ts'
import { until } from '../support/process.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const NOTE = 'With Mila Roth'

/** A function that stores a text with the student's name and returns the write that removes it from the row, and so logs it. */
type Place = (school: School) => Promise<(db: Transaction, actor: Actor) => Promise<unknown>>

const PLACES: Readonly<Record<string, Place>> = {
  closure: async ({ client, tenantId }) => {
    const days = { start_date: '2097-12-24', end_date: '2097-12-25' }
    const { body } = await client.post('/closures', { ...days, note: NOTE })
    return async (db, actor) => {
      const [stored] = await lockRows(db, tenantId, CLOSURES, [body.id])
      return stored && updateRow(db, actor, CLOSURES, { stored, next: { ...stored, deleted: true } })
    }
  },
  location: async ({ client, tenantId }) => {
    const { body } = await client.post('/locations', { name: 'North', address: NOTE })
    return async (db, actor) => {
      const stored = (await lockLocations(db, tenantId)).get(body.id)
      return stored && updateRow(db, actor, LOCATIONS, { stored, next: { ...stored, address: null } })
    }
  },
  vehicle: async ({ client, tenantId }) => {
    const { body } = await client.post('/vehicles', { name: 'Golf', kind: 'car', notes: NOTE })
    return async (db, actor) => {
      await lockCalendars(db, tenantId, [body.id])
      const stored = await findStoredVehicle(db, tenantId, body.id)
      return stored && updateRow(db, actor, VEHICLES, { stored, next: { ...stored, notes: null } })
    }
  },
  'student’s notes': async (school) => {
    const { id } = await school.student({ notes: NOTE })
    return (db, actor) => changeStudent(db, actor, id, { notes: null })
  },
  'student’s opening balance': async (school) => withoutUnits(school, await school.student()),
  'student’s credits': async (school) => {
    const license_class_template_id = await templateOf(school, 'B')
    return withoutUnits(school, await school.student({ license_class_template_id }))
  },
}

it.each(Object.entries(PLACES))(
  'the log does not name a student erased while a concurrent change removes the name from a %s',
  async (_, place) => {
    const school = await aSchool(service())
    const change = await place(school)
    const { id } = await school.student({ first_name: 'Mila', last_name: 'Roth' })
    await school.client.delete(`/students/${id}`)
    const actor = await anActor(service(), school.tenantId)
    const owner = connectPostgres(postgresDatabase().owner, () => undefined)
    const erased = await inTransaction(owner, async (db) => {
      await change(db, actor)
      const erasing = erase(service(), school.tenantId, id)
      await until(async () => (await waitingFor(owner)) === 1)
      return [erasing] as const
    })
    expect(await erased[0]).toBe('erased')
    const { rows } = await sql<{ text: string }>`
      select concat(before, after) as text from changes where tenant_id = ${school.tenantId}`.execute(owner)
    expect(rows.filter(({ text }) => text.includes('Roth'))).toEqual([])
    await owner.destroy()
  },
)

async function withoutUnits({ client, lessonTypes, tenantId }: School, { id }: Row): ReturnType<Place> {
  const entry = { lesson_type_id: lessonTypes.RURAL, units: 1, date: '2026-01-31', source: NOTE }
  await client.put(`/students/${id}/opening-balance`, [entry])
  return async (db, actor) => {
    const student = await lockStudent(db, tenantId, id)
    const [enrolment] = await lockEnrolmentsOf(db, tenantId, [id])
    return student && updateCredits(db, actor, [{ student, enrolment, credits: [] }])
  }
}

async function changeStudent(db: Transaction, actor: Actor, id: string, change: object): Promise<unknown> {
  const stored = await lockStudent(db, actor.tenant.id, id)
  return stored && updateStudent(db, actor, { stored, next: { ...stored, ...change } })
}

async function waitingFor(db: DatabasePool): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
