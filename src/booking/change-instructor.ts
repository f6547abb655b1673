import { v7 as uuidv7 } from 'uuid'
import type { InstructorChange, NewInstructor } from '../contract/instructor.ts'
import { notFound } from '../contract/problem.ts'
import type { Tenant } from '../contract/tenant.ts'
import {
  findInstructor,
  insertInstructor,
  lockInstructors,
  updateInstructor,
  type VersionedInstructor,
} from '../db/instructors.ts'
import type { DatabasePool } from '../db/pool.ts'
import type { Transaction } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { defaultRulesFor } from '../domain/instructor-defaults.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'

/** Colours that people with any colour vision can tell apart (Okabe and Ito, 2008), without yellow and black. */
const PALETTE = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#E69F00']

/** Hires an instructor; limits and breaks that are left out are the tenant's defaults. */
export async function hireInstructor(
  database: DatabasePool,
  tenant: Tenant,
  { availability_windows = [], vacations = [], ...given }: NewInstructor,
): Promise<VersionedInstructor> {
  const id = uuidv7()
  const scalars = {
    email: null,
    phone: null,
    color: colorFor(id),
    license_classes: [],
    active: true,
    ...defaultRulesFor(tenant),
    ...given,
  }
  return inTransaction(database, async (db) => {
    await insertInstructor(db, tenant.id, { id, scalars, lists: { availability_windows, vacations } })
    return requireInstructor(db, tenant.id, id)
  })
}

/**
 * Changes an instructor, even if lessons then break a rule: they stand. Takes the lock that booking takes, so that no
 * booking is decided on the old windows, vacations, limits or breaks once this has been answered.
 * Throws `not_found` and `stale`.
 */
export async function changeInstructor(
  database: DatabasePool,
  tenantId: string,
  id: string,
  { change, isExpected }: { change: InstructorChange; isExpected: ExpectedVersion },
): Promise<VersionedInstructor> {
  return inTransaction(database, async (db) => {
    const [locked] = await lockInstructors(db, tenantId, [id])
    if (!locked) throw notFound()
    requireExpected(isExpected, locked)
    if (Object.keys(change).length > 0) await updateInstructor(db, tenantId, id, change)
    return requireInstructor(db, tenantId, id)
  })
}

async function requireInstructor(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<VersionedInstructor> {
  const instructor = await findInstructor(db, tenantId, id)
  if (!instructor) throw notFound()
  return instructor
}

function colorFor(id: string): string {
  return PALETTE[Number.parseInt(id.slice(-6), 16) % PALETTE.length] ?? '#0072B2'
}
