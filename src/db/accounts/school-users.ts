import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { SchoolUser } from '../../contract/user.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changedFields } from '../log/changes.ts'
import { createdAt, nextVersion, updatedAt, utcText } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { endFeedWithoutLogin } from '../students/links.ts'
import { dropLinks } from './password-links.ts'
import { isDisabled, recordUser, userState } from './users.ts'

const invitedUntil = sql`(select expires_at from password_links link
  where link.user_id = users.id and link.kind = 'invitation')`
const requestedEmail = sql<string | null>`(select link.email from password_links link
  where link.user_id = users.id and link.kind = 'email_new' and link.expires_at > now())`
const lastSeenAt = sql`(select max(last_login_at) from login_addresses seen where seen.user_id = users.id)`

// PostgreSQL may answer EXISTS for a list from a hash of the whole table, of all schools.
const secondFactors = sql<SchoolUser['second_factors']>`case when second_factor then array_remove(array[
    (select 'passkey' from passkeys passkey where passkey.user_id = users.id limit 1),
    (select 'totp' from totp_secrets totp where totp.user_id = users.id limit 1)], null)
  else '{}'::text[] end`

const newestMail = sql<SchoolUser['mail']>`(select json_build_object(
    'state', case mail.state when 'given_up' then 'failed' else mail.state end,
    'reason', mail.last_error,
    'at', ${utcText(sql`coalesce(mail.finished_at, mail.created_at)`)})
  from mails mail
  where mail.tenant_id = users.tenant_id and lower(mail.to_address) = users.email
    and (mail.template = 'invitation') = (users.password_hash is null)
  order by mail.created_at desc, mail.id desc limit 1)`

const schoolUserColumns = [
  'id',
  'email',
  'name',
  'role',
  'instructor_id',
  isDisabled,
  userState,
  utcText(invitedUntil).as('invited_until'),
  utcText(lastSeenAt).as('last_seen_at'),
  newestMail.as('mail'),
  secondFactors.as('second_factors'),
  'may_sign',
  requestedEmail.as('requested_email'),
  'version',
  createdAt,
  updatedAt,
] as const

const BY_NAME = {
  from: 'users',
  orderedBy: { name: 'text', id: 'uuid' },
  versionedBy: sql<string>`concat_ws(' ', version, password_hash is null, ${invitedUntil}, ${lastSeenAt}, ${newestMail}, ${secondFactors}, ${requestedEmail})`,
} as const

export const listSchoolUsers = jsonList(BY_NAME, (db, { tenantId }: Parameters<{ tenantId: string }>) =>
  db.selectFrom('users').select(schoolUserColumns).where('tenant_id', '=', tenantId),
)

export async function findSchoolUser(
  db: Database,
  tenantId: string,
  id: string,
): Promise<SchoolUser | undefined> {
  return oneUser(db, tenantId, id).executeTakeFirst()
}

export async function requireSchoolUser(db: Database, tenantId: string, id: string): Promise<SchoolUser> {
  return oneUser(db, tenantId, id).executeTakeFirstOrThrow()
}

function oneUser(db: Database, tenantId: string, id: string) {
  return db
    .selectFrom('users')
    .select(schoolUserColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
}

/** Locks the user. Links are written only under this lock. */
export async function lockSchoolUser(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<SchoolUser | undefined> {
  return oneUser(db, tenantId, id).forNoKeyUpdate().executeTakeFirst()
}

export async function hasOtherOwner(db: Transaction, tenantId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '<>', userId)
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

type Replacement = { readonly stored: SchoolUser; readonly next: SchoolUser }

/** Updates a locked user and records the change, if any. Disabling deletes the user's links. */
export async function updateSchoolUser(
  db: Transaction,
  actor: Actor,
  { stored, next }: Replacement,
): Promise<SchoolUser> {
  const changed = changedFields(stored, next)
  if (!changed) return stored
  const { name, role, instructor_id, may_sign } = next
  await db
    .updateTable('users')
    .set({ name, role, instructor_id, may_sign, ...nextVersion })
    .$if(stored.disabled !== next.disabled, (query) =>
      query.set({ disabled_at: next.disabled ? actor.now : null }),
    )
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', stored.id)
    .execute()
  if (next.disabled) await dropLinks(db, actor.tenant.id, stored.id)
  const left = stored.instructor_id
  if (left !== null && (next.disabled || left !== instructor_id)) await endFeedWithoutLogin(db, actor, left)
  const names = Object.keys(changed) as (keyof typeof changed)[]
  const sideOf = (user: SchoolUser) => Object.fromEntries(names.map((name) => [name, user[name]]))
  await recordUser(db, actor, stored.id, { before: sideOf(stored), after: sideOf(next) })
  return requireSchoolUser(db, actor.tenant.id, stored.id)
}
