import { sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'
import { isSpread } from './citus.ts'
import * as initial from './migrations/0001-initial.ts'
import * as calendars from './migrations/0002-calendars.ts'
import * as changes from './migrations/0003-changes.ts'
import * as idempotencyKeys from './migrations/0004-idempotency-keys.ts'
import * as series from './migrations/0005-series.ts'
import * as tenantSettings from './migrations/0006-tenant-settings.ts'
import * as roles from './migrations/0007-roles.ts'
import * as mails from './migrations/0008-mails.ts'
import * as passwordLinks from './migrations/0009-password-links.ts'
import * as passkeys from './migrations/0010-passkeys.ts'
import * as phone from './migrations/0011-phone.ts'
import * as links from './migrations/0012-links.ts'
import * as teachingUsers from './migrations/0013-teaching-users.ts'
import * as nightDrives from './migrations/0014-night-drives.ts'
import * as requestedHours from './migrations/0015-requested-hours.ts'
import * as lessonClasses from './migrations/0016-lesson-classes.ts'
import * as endedLinks from './migrations/0017-ended-links.ts'
import * as failureKinds from './migrations/0018-failure-kinds.ts'
import * as mailsByAddress from './migrations/0019-mails-by-address.ts'
import * as emailChanges from './migrations/0020-email-changes.ts'
import * as undoneSets from './migrations/0021-undone-sets.ts'
import * as lessonTypeSettings from './migrations/0022-lesson-type-settings.ts'
import * as secondPhones from './migrations/0023-second-phones.ts'
import * as hiddenLicenseClasses from './migrations/0024-hidden-license-classes.ts'
import * as openingBalances from './migrations/0030-opening-balances.ts'
import type { Database } from './tables.ts'

/** Append-only: a migration that has landed is never edited. */
const migrations = {
  '0001-initial': initial,
  '0002-calendars': calendars,
  '0003-changes': changes,
  '0004-idempotency-keys': idempotencyKeys,
  '0005-series': series,
  '0006-tenant-settings': tenantSettings,
  '0007-roles': roles,
  '0008-mails': mails,
  '0009-password-links': passwordLinks,
  '0010-passkeys': passkeys,
  '0011-phone': phone,
  '0012-links': links,
  '0013-teaching-users': teachingUsers,
  '0014-night-drives': nightDrives,
  '0015-requested-hours': requestedHours,
  '0016-lesson-classes': lessonClasses,
  '0017-ended-links': endedLinks,
  '0018-failure-kinds': failureKinds,
  '0019-mails-by-address': mailsByAddress,
  '0020-email-changes': emailChanges,
  '0021-undone-sets': undoneSets,
  '0022-lesson-type-settings': lessonTypeSettings,
  '0023-second-phones': secondPhones,
  '0024-hidden-license-classes': hiddenLicenseClasses,
  '0030-opening-balances': openingBalances,
}

/** The migrations for Kysely. */
export const migrationProvider: MigrationProvider = { getMigrations: async () => migrations }

/** The names of all migrations, in their order. */
export const MIGRATIONS: readonly string[] = Object.keys(migrations)

/** The names of those that have run, in their order; none in an empty database. */
export async function listMigrationsRun(db: Database): Promise<readonly string[]> {
  const known = await sql<{ is_there: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there`.execute(db)
  if (!known.rows[0]?.is_there) return []
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

/** The database has migrations that are unknown here. */
export class NewerSchema extends Error {
  constructor(migration: string) {
    super(
      `The database was made by a newer Fahrplan, which has the migration ${migration}: use that, or restore a backup.`,
    )
  }
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran. One process at a time does it. Throws
 * `NewerSchema`.
 */
export async function migrate(db: Database): Promise<readonly string[]> {
  const migrator = new Migrator({ db, provider: migrationProvider })
  // Migrations change a table that is spread, and then one that is everywhere: such commands must not overtake each other.
  if (await isSpread(db)) await sql`set citus.multi_shard_modify_mode to 'sequential'`.execute(db)
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw (await newerSchema(db).catch(() => undefined)) ?? error
  return results.map(({ migrationName }) => migrationName)
}

/** Throws `NewerSchema` where the database has a migration that is unknown here. */
export async function requireNotNewer(db: Database): Promise<void> {
  const newer = await newerSchema(db)
  if (newer) throw newer
}

/** Why a newer schema cannot be migrated, if it is one. To Kysely it is corrupted. */
async function newerSchema(db: Database): Promise<NewerSchema | undefined> {
  const last = (await listMigrationsRun(db)).at(-1) ?? ''
  return MIGRATIONS.every((known) => known < last) ? new NewerSchema(last) : undefined
}

/**
 * Lets a role that owns nothing read and write the data, and no more: what happened it may add and read, never change,
 * and which migrations ran it may only read.
 */
export async function grantTo(db: Database, role: string): Promise<void> {
  const name = sql.id(role)
  // Two grants at the same time fail with "tuple concurrently updated".
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('fahrplan grant'))`.execute(transaction)
    await sql`grant select, insert, update, delete on all tables in schema public to ${name}`.execute(
      transaction,
    )
    await sql`revoke update, delete on changes from ${name}`.execute(transaction)
    await sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock from ${name}`.execute(
      transaction,
    )
  })
}
