// @module-tag embedded_later: each database plans and stores its indexes itself

import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkIndexes } from '../../src/doctor/index-check.ts'
import { checkEach } from '../support/check-each.ts'
import { aSchool, logIn } from '../support/factory.ts'
import { useClinic } from './clinic.ts'

const clinic = useClinic()

/** PostgreSQL's estimates of sizes, which decide how it reads an index. */
const SIZE_ESTIMATES: Readonly<Record<string, RawBuilder<unknown>>> = {
  'nothing yet': sql`select`,
  'what analyze counts': sql`analyze`,
  'that every partial index is huge': withEstimate(sql`indpred is not null`, 1_000_000),
  'that every partial index is empty': withEstimate(sql`indpred is not null`, 0),
  'that every index of a whole table is huge': withEstimate(sql`indpred is null`, 1_000_000),
  'that every index of an exclusion constraint is huge': withEstimate(sql`indisexclusion`, 1_000_000),
}

function withEstimate(which: RawBuilder<unknown>, rows: number): RawBuilder<unknown> {
  return sql`update pg_class set reltuples = ${sql.lit(rows)}, relpages = 1 from pg_index
    where indexrelid = pg_class.oid and relnamespace = 'public'::regnamespace and ${which}`
}

it('an intact index is not reported, whatever sizes PostgreSQL estimates', async () => {
  await aSchoolWithRows()
  await checkEach(Object.entries(SIZE_ESTIMATES), async (believe) => {
    await believe.execute(clinic().owner)
    expect(await findings()).toEqual([])
  })
})

describe('an index that lacks a row (I15)', () => {
  it.each([
    ['a B-tree', 'students_by_name'],
    ['a B-tree with the same key as another one', 'refresh_tokens_one_active'],
    ['the index of an exclusion constraint', 'appointments_instructor_busy'],
    ['the index of an exclusion constraint that is similar to another one', 'appointments_student_busy'],
  ])('is reported: %s', async (_, index) => {
    const readiness = (ready: boolean) =>
      sql`update pg_index set indisready = ${sql.lit(ready)} where indexrelid = ${sql.lit(index)}::regclass`
    await readiness(false).execute(clinic().owner)
    await aSchoolWithRows()
    await readiness(true).execute(clinic().owner)
    const found = await findings()
    await sql`reindex index ${sql.ref(index)}`.execute(clinic().owner)
    expect(found).toEqual([{ code: 'index_differs', resource: 'index', resource_id: index }])
    expect(await findings()).toEqual([])
  })
})

/** Creates a school with a row for each index that PostgreSQL could mistake for another. */
async function aSchoolWithRows(): Promise<void> {
  const school = await aSchool(clinic().service)
  const [{ id: instructor_id }, { id: student_id }] = [await school.instructor(), await school.student()]
  await school.lesson({
    instructor_id,
    student_id,
    start_at: '2041-03-04 08:00',
    end_at: '2041-03-04 09:00',
  })
  await logIn(school.client, school.user.email)
}

async function findings() {
  const found: object[] = []
  await checkIndexes(clinic().service.db, (_, { code, resource, resource_id }) =>
    found.push({ code, resource, resource_id }),
  )
  return found
}
