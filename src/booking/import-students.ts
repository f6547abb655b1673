import { holdSession } from '../auth/hold-session.ts'
import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { NewStudent } from '../contract/student.ts'
import type { DuplicateLine, StudentImport } from '../contract/student-import.ts'
import type { Tenant } from '../contract/tenant.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import type { Database } from '../db/schema/tables.ts'
import { insertStudents, readIdentities } from '../db/students.ts'
import { lockTenant } from '../db/tenants.ts'
import { firstSameAmong, type Identity } from '../domain/same-person.ts'
import type { Steps } from '../domain/steps.ts'
import { commitOnce } from './idempotent.ts'
import type { Pieces } from './pieces.ts'

export type Described = { readonly line: number; readonly student: NewStudent }

type Wanted = {
  readonly students: readonly Described[]
  readonly import_lines: readonly number[]
  readonly faulty_lines: readonly number[] | undefined
}

export async function findDuplicates(
  db: Database,
  tenant: Tenant,
  students: readonly Described[],
  pieces: Pieces,
): Promise<DuplicateLine[]> {
  return pieces.run(duplicatesIn(students, await readIdentities(db, tenant.id), tenant.country))
}

type StoredIdentity = Identity & { readonly id: string }

function* duplicatesIn(
  students: readonly Described[],
  identities: readonly StoredIdentity[],
  country: string,
): Steps<DuplicateLine[]> {
  const stored = yield* firstSameAmong(identities, country)
  const inFile = students.map(({ line, student }) => ({ line, ...student }))
  const described = yield* firstSameAmong(inFile, country)
  const duplicates: DuplicateLine[] = []
  for (const { line, student } of students) {
    yield
    const there = stored(student)
    const first = there ? undefined : described(student)
    const earlier = first && first.person.line < line ? first : undefined
    const same = there ?? earlier
    if (!same) continue
    const { first_name, last_name } = student
    const same_as = {
      student_id: there?.person.id ?? null,
      line: earlier?.person.line ?? null,
      first_name: same.person.first_name,
      last_name: same.person.last_name,
    }
    duplicates.push({ line, first_name, last_name, likeness: same.likeness, same_as })
  }
  return duplicates
}

/** Enrols students, except probable duplicates whose lines are not named. Imports of a school run one at a time. */
export async function importStudents(
  database: DatabasePool,
  actor: Actor,
  { students, import_lines, faulty_lines }: Wanted,
  { key, pieces }: { readonly key?: IdempotencyKey | undefined; readonly pieces: Pieces },
): Promise<StudentImport> {
  return inTransaction(database, async (db, commitWith) => {
    const tenant = await lockTenant(db, actor.tenant.id)
    await holdSession(db, actor)
    const anyway = new Set(import_lines)
    const duplicates = await findDuplicates(db, tenant, students, pieces)
    const skipped = new Set(duplicates.map(({ line }) => line).filter((line) => !anyway.has(line)))
    const wanted = students.filter(({ line }) => !skipped.has(line))
    await insertStudents(
      db,
      actor,
      wanted.map(({ student }) => ({ ...student, id: newId() })),
    )
    const done: StudentImport = { imported: wanted.length, skipped_lines: [...skipped] }
    if (faulty_lines) done.faulty_lines = [...faulty_lines]
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve(done))
  })
}
