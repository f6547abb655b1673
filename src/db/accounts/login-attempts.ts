import { sql } from 'kysely'
import type { AttemptKind } from '../schema/login-tables.ts'
import type { Database } from '../schema/tables.ts'

export const FAILURE_WINDOW_SECONDS = 15 * 60

const FAMILIAR_DAYS = 30

/** The kind, account (for a login, the normalized e-mail address that was entered) and network of an attempt. */
export type LoginAttempt = {
  readonly kind: AttemptKind
  readonly account: string
  readonly network: string
  readonly user_id?: string
}

export type LoginLimits = {
  readonly perAccountAndAddress: number
  readonly perAccount: number
  readonly perAddress: number
}

/** The seconds to wait (or 0) from a familiar and from any other network, and the users with recent logins from this network. */
export type Wait = {
  readonly seconds: number
  readonly strangerSeconds: number
  readonly familiarTo: readonly string[]
}

/** Returns the wait of an attempt. The limit per account affects only unfamiliar networks, since an attacker could use it up. */
export async function waitFor(db: Database, attempt: LoginAttempt, limits: LoginLimits): Promise<Wait> {
  const { kind, account, network } = attempt
  const { rows } = await sql<Wait>`
    with failures as (
      select account = ${account} and kind = ${kind} as same_account, address = ${network} as same_address,
        kind <> 'other_school' as is_of_network, failed_at
      from login_failures
      where (account = ${account} or address = ${network})
        and failed_at > now() - make_interval(secs => ${FAILURE_WINDOW_SECONDS})),
    familiar as (
      select user_id from login_addresses join users on users.id = login_addresses.user_id
      where ${kind} = 'login' and users.email = ${account} and login_addresses.address = ${network}
        and last_login_at > now() - make_interval(days => ${FAMILIAR_DAYS})),
    blocking as (
      (select failed_at, false as is_for_strangers from failures where same_account and same_address
        order by failed_at desc offset ${limits.perAccountAndAddress - 1} limit 1)
      union all
      (select failed_at, true from failures where same_account
        order by failed_at desc offset ${limits.perAccount - 1} limit 1)
      union all
      (select failed_at, false from failures where same_address and is_of_network
        order by failed_at desc offset ${limits.perAddress - 1} limit 1)),
    waits as (
      select greatest(ceil(extract(epoch from failed_at - now()) + ${FAILURE_WINDOW_SECONDS})::int, 0) as seconds,
        is_for_strangers from blocking)
    select coalesce(max(seconds) filter (where not is_for_strangers), 0) as seconds,
      coalesce(max(seconds), 0) as "strangerSeconds", array(select user_id::text from familiar) as "familiarTo"
    from waits`.execute(db)
  const [wait] = rows
  if (!wait) throw new Error('no wait')
  return wait
}

export async function recordFailure(db: Database, { kind, account, network }: LoginAttempt): Promise<void> {
  await db.insertInto('login_failures').values({ kind, account, address: network }).execute()
}

/** Records a login or refresh from a network, at most once a day: more often, a user's sessions would wait for each other. */
export async function recordPresence(db: Database, userId: string, network: string): Promise<void> {
  await sql`insert into login_addresses (user_id, address)
    select ${userId}::uuid, ${network} where not exists (
      select from login_addresses where user_id = ${userId}::uuid and address = ${network}
        and last_login_at > now() - interval '1 day')
    on conflict (user_id, address) do update set last_login_at = now()`.execute(db)
}

/** Deletes the failed attempts of these accounts (in lower case) unless a user has the address. */
export async function forgetAccounts(db: Database, accounts: readonly string[]): Promise<void> {
  await sql`delete from login_failures where account = any(${accounts}::text[])
    and not exists (select from users where users.email = account)`.execute(db)
}

export async function purgeLoginAttempts(db: Database): Promise<void> {
  await sql`delete from login_failures
    where failed_at < now() - make_interval(secs => ${FAILURE_WINDOW_SECONDS})`.execute(db)
  await sql`delete from login_addresses
    where last_login_at < now() - make_interval(days => ${FAMILIAR_DAYS})`.execute(db)
}
