// @module-tag embedded_later: indexes and constraints are stored by each database itself

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { FINDING_CODES } from '../../src/doctor/finding.ts'
import { findingsIn } from '../support/doctor.ts'
import { aSchool } from '../support/factory.ts'
import { useClinic } from './clinic.ts'
import { madeSchema, schemaText } from './made-schema.ts'

const clinic = useClinic()

describe('the schema expected by the doctor', () => {
  it('matches the schema that the migrations create', async () => {
    const written = readFileSync(join(import.meta.dirname, '../../src/db/schema/schema.json'), 'utf8')
    expect(written, 'npm run schema').toBe(schemaText(await madeSchema(clinic().owner)))
  })
})

describe('the finding codes of the doctor', () => {
  it('are exactly those explained in docs/operations.md', () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
    const chapter = /^## The doctor\n([\s\S]*?)^## /m.exec(text)?.[1] ?? ''
    const explained = [...chapter.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code),
    )
    expect(explained.toSorted()).toEqual(FINDING_CODES.toSorted())
  })
})

type Harm = {
  readonly name: string
  readonly finding: { readonly code: string; readonly resource: string; readonly resource_id: string }
  readonly inflict: readonly RawBuilder<unknown>[]
  readonly undo: readonly RawBuilder<unknown>[]
}

const BUSY = sql`alter table appointments add constraint appointments_student_busy exclude using gist
  (tenant_id with =, student_id with =, tsrange(start_at, end_at) with &&)
  where (deleted_at is null and status <> 'cancelled' and student_id is not null)`
const OF_STUDENT = sql`alter table appointments add constraint appointments_tenant_id_student_id_fkey
  foreign key (tenant_id, student_id) references students`

const HARMS: readonly Harm[] = [
  {
    name: 'a missing exclusion constraint',
    finding: {
      code: 'constraint_missing',
      resource: 'constraint',
      resource_id: 'appointments_student_busy',
    },
    inflict: [sql`alter table appointments drop constraint appointments_student_busy`],
    undo: [BUSY],
  },
  {
    name: 'a missing foreign key',
    finding: {
      code: 'constraint_missing',
      resource: 'constraint',
      resource_id: 'appointments_tenant_id_student_id_fkey',
    },
    inflict: [sql`alter table appointments drop constraint appointments_tenant_id_student_id_fkey`],
    undo: [OF_STUDENT],
  },
  {
    name: 'a foreign key that is not validated',
    finding: {
      code: 'constraint_not_enforced',
      resource: 'constraint',
      resource_id: 'appointments_tenant_id_student_id_fkey',
    },
    inflict: [
      sql`alter table appointments drop constraint appointments_tenant_id_student_id_fkey`,
      sql`${OF_STUDENT} not valid`,
    ],
    undo: [sql`alter table appointments validate constraint appointments_tenant_id_student_id_fkey`],
  },
  {
    name: 'disabled triggers of a foreign key',
    finding: {
      code: 'constraint_not_enforced',
      resource: 'constraint',
      resource_id: 'login_addresses_user_id_fkey',
    },
    inflict: [sql`alter table login_addresses disable trigger all`],
    undo: [sql`alter table login_addresses enable trigger all`],
  },
  {
    name: 'a missing index',
    finding: { code: 'index_missing', resource: 'index', resource_id: 'students_by_name' },
    inflict: [sql`drop index students_by_name`],
    undo: [
      sql`create index students_by_name on students (tenant_id, last_name, first_name, id) where deleted_at is null`,
    ],
  },
  {
    name: 'an invalid index',
    finding: { code: 'index_invalid', resource: 'index', resource_id: 'students_by_name' },
    inflict: [sql`update pg_index set indisvalid = false where indexrelid = 'students_by_name'::regclass`],
    undo: [sql`update pg_index set indisvalid = true where indexrelid = 'students_by_name'::regclass`],
  },
  {
    name: 'a missing migration',
    finding: { code: 'migration_missing', resource: 'migration', resource_id: '0003-changes' },
    inflict: [
      sql`update kysely_migration set name = 'x' where name = '0003-changes'`,
      sql`delete from kysely_migration where name = 'x'`,
    ],
    undo: [sql`insert into kysely_migration values ('0003-changes', '2020-01-01T00:00:00.000Z')`],
  },
  {
    name: 'a migration of a newer release',
    finding: { code: 'migration_unknown', resource: 'migration', resource_id: '9999-future' },
    inflict: [sql`insert into kysely_migration values ('9999-future', '2020-01-01T00:00:00.000Z')`],
    undo: [sql`delete from kysely_migration where name = '9999-future'`],
  },
]

describe('the check of the schema', () => {
  it('reports nothing for a complete schema', async () => {
    await aSchool(clinic().service)
    expect(await findings()).toEqual([])
  })

  it.each(HARMS)('reports exactly one defect: $name', async ({ finding, inflict, undo }) => {
    await runAll(inflict)
    const found = await findings()
    await runAll(undo)
    expect(found).toEqual([finding])
    expect(await findings()).toEqual([])
  })
})

async function findings() {
  const all = await findingsIn(clinic().service.db)
  return all.map(({ code, resource, resource_id }) => ({ code, resource, resource_id }))
}

async function runAll(statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(clinic().owner)
}
