import { sql } from 'kysely'
import { lockAddresses, SCHOOLS_PER_ADDRESS } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransactionOnce } from '../db/connection/transaction.ts'
import { fillNightDrives } from '../db/migrations/0014-night-drives.ts'
import { fillLessonClasses } from '../db/migrations/0016-lesson-classes.ts'
import { fillSeats } from '../db/migrations/0036-groups.ts'
import { fillFormerNames } from '../db/migrations/0099-former-type-names.ts'
import { correctFigures } from '../db/migrations/0101-corrected-figures.ts'
import { fillEnrolments } from '../db/migrations/0104-enrolments.ts'
import { fillLaw } from '../db/migrations/0106-law-of-templates.ts'
import { fillLawOfEnrolments } from '../db/migrations/0108-law-of-enrolments.ts'
import { fillLessonEnrolments } from '../db/migrations/0110-enrolments-of-lessons.ts'
import { fillTrainingYears } from '../db/migrations/0111-years-of-training.ts'
import { fillOlderBalances } from '../db/migrations/0129-balances-of-enrolments.ts'
import type { Database } from '../db/schema/tables.ts'
import { oneSidedTravelTimes } from '../db/school/locations.ts'
import { findTenant, hasTenants, isSlugTaken } from '../db/school/tenants.ts'
import type { EnquirySettings } from '../domain/enquiries.ts'
import { FileFault, type Header, scopeOf } from './format.ts'
import { batchesIn, type LineBatch } from './read-file.ts'
import { namesSchool } from './tables.ts'
import { requireServable } from './values.ts'
import { countsOf, totalOf } from './write-file.ts'

export class LoadError extends Error {}

type Loading = { readonly path: string; readonly onProgress?: (done: number, total: number) => void }

/** Reads a file completely, then loads it into a migrated database in one transaction. Throws a `FileFault` or `LoadError`. */
export async function loadTransferFile(
  database: DatabasePool,
  header: Header,
  { path, onProgress }: Loading,
): Promise<void> {
  const users: User[] = []
  // A backup is loaded as it was; only a school from elsewhere is validated.
  const requireRow = header.school ? requireServable : undefined
  for await (const batch of batchesIn(path, header, requireRow)) users.push(...usersIn(batch))
  const total = totalOf(header.counts)
  await inTransactionOnce(database, async (db) => {
    await requireRoom(db, header, users)
    let done = 0
    for await (const batch of batchesIn(path, header)) {
      await writeBatch(db, header, batch)
      done += batch.lines.length
      onProgress?.(done, total)
    }
    await requireOwn(db, header)
    await fillOlder(db, header)
    if (header.school) await requireWays(db, header.school.id)
  })
}

type User = { readonly email: string }

function usersIn({ table, lines }: LineBatch): readonly User[] {
  return table === 'users' ? lines.map((line) => JSON.parse(line)) : []
}

/** Throws if the school exists (for a backup, any school), or addresses have users in the maximum of schools (names them all). */
async function requireRoom(db: Database, { school }: Header, users: readonly User[]): Promise<void> {
  if (!school && (await hasTenants(db))) throw new LoadError('The database already has schools.')
  if (school && (await findTenant(db, school.id)))
    throw new LoadError(`The school ${school.name} (${school.id}) already exists in this database.`)
  const emails = users.map(({ email }) => email)
  await lockAddresses(db, emails)
  const { rows } = await sql<{ email: string }>`
    select email from users where email = any(${emails}::text[])
    group by email having count(*) >= ${SCHOOLS_PER_ADDRESS} order by 1`.execute(db)
  if (rows.length === 0) return
  const taken = rows.map(({ email }) => `  ${email}`).join('\n')
  throw new LoadError(
    `These e-mail addresses belong to users of ${SCHOOLS_PER_ADDRESS} schools here, and may not belong to more:\n${taken}`,
  )
}

/** Throws if an imported row belongs to another school: a passkey, for example, has a user but no school of its own. */
async function requireOwn(db: Database, header: Header): Promise<void> {
  const counts = await countsOf(db, scopeOf(header))
  // A file of an older release has no counts of later tables.
  const foreign = Object.keys(counts).find((table) => counts[table] !== (header.counts[table] ?? 0))
  if (foreign) throw new LoadError(`The file has rows of ${foreign} that do not belong to its school.`)
}

/** Throws if a travel time has no target or another value in the opposite direction: no constraint checks this JSON. */
async function requireWays(db: Database, schoolId: string): Promise<void> {
  const { rows } = await oneSidedTravelTimes(schoolId).execute(db)
  for (const { resource_id, target } of rows)
    throw new LoadError(
      `The location ${resource_id} has a travel time to ${target} that is missing or different there.`,
    )
}

async function writeBatch(db: Database, header: Header, batch: LineBatch): Promise<void> {
  await sql`savepoint batch`.execute(db)
  try {
    await insert(db, header, batch)
  } catch (error) {
    await sql`rollback to savepoint batch`.execute(db)
    await findFault(db, header, batch)
    throw error
  }
  await sql`release savepoint batch`.execute(db)
}

/** Writes the lines one by one, to throw a `FileFault` for the line that the database rejects. */
async function findFault(db: Database, header: Header, batch: LineBatch): Promise<void> {
  for (const [index, line] of batch.lines.entries()) {
    try {
      await insert(db, header, { ...batch, lines: [line] })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new FileFault(batch.first + index, `the database refuses it: ${reason}.`)
    }
  }
}

async function insert(db: Database, header: Header, { table, columns, lines }: LineBatch): Promise<void> {
  const { tenantId } = scopeOf(header)
  const hasSchool = tenantId !== undefined && namesSchool(table)
  const isSchool = tenantId !== undefined && table === 'tenants'
  const written = isSchool ? await Promise.all(lines.map((line) => withFreeSlug(db, line))) : lines
  const names = [...columns, ...(hasSchool ? ['tenant_id'] : [])].map((name) => sql.ref(name))
  const values = [...columns.map((name) => sql.ref(name)), ...(hasSchool ? [sql`${tenantId}::uuid`] : [])]
  await sql`insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(values)} from json_populate_recordset(null::${sql.table(table)}, ${`[${written.join()}]`}::json)`.execute(
    db,
  )
}

/** Returns the line of a school without the address of its form if another school has the same here. */
async function withFreeSlug(db: Database, line: string): Promise<string> {
  const school: { id: string; enquiries?: EnquirySettings } = JSON.parse(line)
  const { id, enquiries } = school
  if (!enquiries?.slug || !(await isSlugTaken(db, id, enquiries.slug))) return line
  return JSON.stringify({ ...school, enquiries: { ...enquiries, enabled: false, slug: null } })
}

/** The migrations that compute values for existing rows, in order. */
const FILLS = {
  '0014-night-drives': fillNightDrives,
  '0016-lesson-classes': fillLessonClasses,
  '0036-groups': fillSeats,
  '0099-former-type-names': fillFormerNames,
  '0101-corrected-figures': correctFigures,
  '0104-enrolments': fillEnrolments,
  '0106-law-of-templates': fillLaw,
  '0108-law-of-enrolments': fillLawOfEnrolments,
  '0110-enrolments-of-lessons': fillLessonEnrolments,
  '0111-years-of-training': fillTrainingYears,
  '0129-balances-of-enrolments': fillOlderBalances,
} as const

/** Computes, for rows of an older schema, the values that later migrations gave to existing rows. */
async function fillOlder(db: Database, { schema, school }: Header): Promise<void> {
  for (const [migration, fill] of Object.entries(FILLS)) if (schema < migration) await fill(db, school?.id)
}
