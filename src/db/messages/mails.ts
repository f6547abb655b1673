import { type RawBuilder, sql } from 'kysely'
import { isEmail } from '../../contract/formats.ts'
import type { MailText, Recipient } from '../../contract/mail.ts'
import { newId } from '../../contract/new-id.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { type ClaimOptions, claimNext } from '../claim-order.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const KEPT_DAYS = 30

export type NewMail = MailText & { readonly to: Recipient; readonly worth_until: Date }

/** Queues a mail in the transaction of its cause. Call it only if `isMailSetUp`. Throws if `to` is not exactly one address. */
export async function putMail(db: Transaction, tenantId: string, mail: NewMail): Promise<void> {
  const { to, template, params, worth_until } = mail
  if (!isEmail(to.address)) throw new Error('a mail needs an e-mail address')
  const row = { tenant_id: tenantId, id: newId(), template, params: JSON.stringify(params), worth_until }
  await db
    .insertInto('mails')
    .values({ ...row, to_address: to.address, to_name: to.name })
    .execute()
}

const MAIL_WINDOW_SECONDS = 60 * 60
const MAILS_OF_SCHOOL = 100
const MAILS_TO_ADDRESS = 5

/** Returns the seconds until the school may send an address another mail or message with a link, or 0. Blocks concurrent counts. */
export async function secondsUntilMail(db: Transaction, tenantId: string, address: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('mails of ' || ${tenantId}::text, 0))`.execute(db)
  const { rows } = await sql<{ seconds: number | null }>`
    with recent as (
      select to_address, created_at from mails
      where tenant_id = ${tenantId} and created_at > now() - make_interval(secs => ${MAIL_WINDOW_SECONDS})
      union all
      select to_address, created_at from messages where tenant_id = ${tenantId} and kind = 'link'
        and to_address is not null and created_at > now() - make_interval(secs => ${MAIL_WINDOW_SECONDS})),
    blocking as (
      (select created_at from recent order by created_at desc offset ${MAILS_OF_SCHOOL - 1} limit 1)
      union all
      (select created_at from recent where to_address in (${address}, ${hashOf(tenantId, sql`${address}`)})
        order by created_at desc offset ${MAILS_TO_ADDRESS - 1} limit 1))
    select ceil(extract(epoch from max(created_at) - now()) + ${MAIL_WINDOW_SECONDS})::int as seconds
    from blocking`.execute(db)
  return Math.max(rows[0]?.seconds ?? 0, 0)
}

type Withdrawal = {
  readonly tenantId: string
  readonly userId: string
  readonly templates: readonly MailText['template'][]
}

/** Gives up waiting mails of a locked user whose link has ended. Does not filter by state: that index spans all schools. */
export async function withdrawMails(
  db: Transaction,
  { tenantId, userId, templates }: Withdrawal,
): Promise<void> {
  await sql`update mails set state = 'given_up', params = null, claimed_until = null, finished_at = now(),
      last_error = ${LINK_ENDED}
    where tenant_id = ${tenantId} and params is not null and template = any(${templates}::text[])
      and to_address = (case template
        when 'email_change' then (select email from password_links where user_id = ${userId} and kind = 'email_new')
        else (select email from users where id = ${userId}) end)`.execute(db)
}

export type ClaimedMail = MailText & {
  readonly tenant_id: string
  readonly id: string
  readonly claimed_at: Date
  readonly to_address: string
  readonly to_name: string
  readonly worth_until: Date
  readonly is_stale: boolean
  readonly attempts: number
  readonly receiver: string
}

export type MailSchool = Pick<Tenant, 'name' | 'locale' | 'country' | 'timezone' | 'email'>

/** Reads the school apart from the claim: in a cluster, a statement that joins it must not compare a time with now(). */
export async function readMailSchool(db: Database, tenantId: string): Promise<MailSchool> {
  return db
    .selectFrom('tenants')
    .select(['name', 'locale', 'country', 'timezone', 'email'])
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
}

/** Claims the next due mail for `seconds`: schools in turn, and password resets first. */
export function claimMail(db: Database, options: ClaimOptions): Promise<ClaimedMail | undefined> {
  const outbox = {
    table: 'mails',
    due: 'next_attempt_at',
    receiver: sql<string>`to_address`,
    isOpen: sql<boolean>`state = 'waiting'`,
    order: sql`template <> 'password_reset', next_attempt_at`,
    set: sql`attempts = attempts + 1, claimed_until = now() + make_interval(secs => ${options.seconds})`,
    columns: sql`to_address, to_name, template, params, worth_until, worth_until <= now() as is_stale,
      now() as claimed_at, attempts`,
  } as const
  return claimNext(db, outbox, options)
}

type Claim = Pick<ClaimedMail, 'tenant_id' | 'id' | 'attempts'>

/** Records that a claimed mail was sent, or the reason for giving it up, and deletes its content. */
export async function finishMail(
  db: Database,
  { tenant_id, id, attempts }: Claim,
  outcome: { readonly state: 'sent' | 'given_up'; readonly last_error: string | null },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...outcome, params: null, claimed_until: null, finished_at: sql<Date>`now()` })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}

/** Ends a claim and schedules a retry after `seconds`, or at `worth_until` if that is earlier; records a failure, if any. */
export async function postponeMail(
  db: Database,
  { tenant_id, id, attempts }: Claim,
  { last_error, seconds }: { readonly last_error?: string; readonly seconds: number },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({
      ...(last_error !== undefined && { last_error }),
      claimed_until: null,
      next_attempt_at: sql<Date>`least(now() + make_interval(secs => ${seconds}), worth_until)`,
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}

const listed = [
  'tenant_id',
  'id',
  'created_at',
  'to_address',
  'template',
  'state',
  'attempts',
  'next_attempt_at',
  'worth_until',
  'last_error',
] as const

export async function listUnsentMails(db: Database) {
  return db
    .selectFrom('mails')
    .select(listed)
    .where('state', '<>', 'sent')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Makes all waiting mails due unless a process is sending them, and returns their number. For the operator only. */
export async function retryMails(db: Database): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ next_attempt_at: sql<Date>`now()` })
    .where('state', '=', 'waiting')
    .where(sql<boolean>`coalesce(claimed_until <= now(), true)`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export async function countWaitingMails(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mails where state = 'waiting'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes old mails, and the content of unsent mails no longer worth sending: it contains secrets. */
export async function purgeMails(db: Database): Promise<void> {
  await sql`update mails set state = 'given_up', params = null, finished_at = now(), claimed_until = null,
      last_error = coalesce(last_error, ${NOT_WORTH_IT})
    where state = 'waiting' and worth_until < now() - interval '1 hour'`.execute(db)
  await sql`delete from mails where finished_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db)
}

export const NOT_WORTH_IT = 'no longer worth sending'

const LINK_ENDED = 'its link has ended'

export async function forgetMailsTo(
  db: Transaction,
  tenantId: string,
  addresses: readonly string[],
): Promise<void> {
  await sql`delete from mails where ${isOnlyTo(tenantId, addresses)}`.execute(db)
}

/** Forgets a deleted user's mails, but counts them for the limits as before: by a hash of the address, which is purged then. */
export async function forgetMailsOfUser(db: Transaction, tenantId: string, address: string): Promise<void> {
  await sql`update mails set to_address = ${hashOf(tenantId, sql`to_address`)}, to_name = '',
      finished_at = created_at + make_interval(secs => ${MAIL_WINDOW_SECONDS}, days => ${-KEPT_DAYS})
    where ${isOnlyTo(tenantId, [address])} and params is null
      and created_at > now() - make_interval(secs => ${MAIL_WINDOW_SECONDS})`.execute(db)
  await forgetMailsTo(db, tenantId, [address])
}

function isOnlyTo(tenantId: string, addresses: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`tenant_id = ${tenantId} and lower(to_address) = any(${addresses}::text[])
    and not exists (select from users where users.email = lower(to_address))`
}

function hashOf(tenantId: string, address: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to(${tenantId}::text || lower(${address}::text), 'UTF8')), 'hex')`
}
