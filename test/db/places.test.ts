import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { AT_HOME, EVERYWHERE, SPREAD } from '../../src/db/schema/citus.ts'
import { useService } from '../support/app.ts'

const service = useService()

it('every table has its place in a cluster', async () => {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%' order by 1`.execute(service().db)
  const placed = [...SPREAD, ...EVERYWHERE, ...Object.keys(AT_HOME)].toSorted()
  expect(rows.map(({ name }) => name)).toEqual(placed)
})

it('what is spread has the school first in its key, and refers within it (S58, I8)', async () => {
  const { rows } = await sql<{ name: string; first: string }>`
    select conrelid::regclass::text || '.' || conname as name,
      (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as first
    from pg_constraint where contype in ('p', 'u', 'f', 'x') and conrelid = any(${[...SPREAD]}::regclass[])`.execute(
    service().db,
  )
  expect(rows.length).toBeGreaterThan(SPREAD.length)
  expect(rows.filter(({ first }) => first !== 'tenant_id')).toEqual([])
})

it('what stays on the coordinator refers to nothing that is spread or everywhere, but users to their school', async () => {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint where contype = 'f'
      and conrelid = any(${Object.keys(AT_HOME)}::regclass[])
      and confrelid = any(${[...SPREAD, ...EVERYWHERE]}::regclass[])`.execute(service().db)
  expect(rows.map(({ name }) => name)).toEqual(['users_tenant_id_fkey'])
})
