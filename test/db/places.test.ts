import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { AT_HOME, EVERYWHERE, SPREAD } from '../../src/db/schema/citus.ts'
import { useService } from '../support/app.ts'

const service = useService()

it('every table is assigned a place in the cluster', async () => {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%' order by 1`.execute(service().db)
  const placed = [...SPREAD, ...EVERYWHERE, ...Object.keys(AT_HOME)].toSorted()
  expect(rows.map(({ name }) => name)).toEqual(placed)
})

it('every key and foreign key of a distributed table starts with tenant_id (S58, I8)', async () => {
  const { rows } = await sql<{ name: string; first: string }>`
    select conrelid::regclass::text || '.' || conname as name,
      (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as first
    from pg_constraint where contype in ('p', 'u', 'f', 'x') and conrelid = any(${[...SPREAD]}::regclass[])`.execute(
    service().db,
  )
  expect(rows.length).toBeGreaterThan(SPREAD.length)
  expect(rows.filter(({ first }) => first !== 'tenant_id')).toEqual([])
})

/** Columns with ids that no foreign key checks: lists, the log, logins, and rows that may outlive the other row. */
const WITHOUT_KEY = [
  'appointments.enrolment_id',
  'appointments.series_id',
  'appointments.vehicle_ids',
  'availability_rounds.student_ids',
  'busy_calendars.instructor_id',
  'busy_times.calendar_id',
  'changes.actor_id',
  'changes.resource_id',
  'changes.set_id',
  'changes.undoes',
  'enquiries.form_id',
  'idempotency_keys.user_id',
  'messages.instructor_id',
  'messages.set_id',
  'messages.student_id',
  'offer_links.wish_id',
  'offers.appointment_id',
  'offers.taken_by',
  'plans.actor_id',
  'plans.instructor_ids',
  'plans.student_ids',
  'refresh_tokens.parent_id',
  'retention_runs.actor_id',
  'signatures.actor_id',
  'users.instructor_id',
  'webhook_deliveries.resource_id',
]

it('every id column has a foreign key, except the listed ones (S58)', async () => {
  const { rows } = await sql<{ name: string }>`
    select attrelid::regclass::text || '.' || attname as name from pg_attribute
    where attrelid in (select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)
      and atttypid in ('uuid'::regtype, 'uuid[]'::regtype) and attname not in ('id', 'tenant_id')
      and not exists (select from pg_constraint
        where contype = 'f' and conrelid = attrelid and attnum = any(conkey))
    order by 1`.execute(service().db)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(WITHOUT_KEY)
})

it('the only foreign key from coordinator tables to distributed or reference tables is users.tenant_id', async () => {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint where contype = 'f'
      and conrelid = any(${Object.keys(AT_HOME)}::regclass[])
      and confrelid = any(${[...SPREAD, ...EVERYWHERE]}::regclass[])`.execute(service().db)
  expect(rows.map(({ name }) => name)).toEqual(['users_tenant_id_fkey'])
})
