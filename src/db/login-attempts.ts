import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** Failed logins older than this many seconds no longer count. */
export const FAILURE_WINDOW_SECONDS = 15 * 60

/** A network where a user has logged in or gone on working is familiar for this many days. */
const FAMILIAR_DAYS = 30

/** Who tries to log in: the account as typed (trimmed, lower-cased), and the client's network. */
export type Attempt = { readonly account: string; readonly network: string }

/** Limits of failed logins within the window. */
export type LoginLimits = {
  readonly perAccountAndAddress: number
  readonly perAccount: number
  readonly perAddress: number
}

/**
 * Seconds until the attempt is allowed again, or 0. Each limit opens when enough of its failures have aged. An attacker
 * with many networks can use up what an account is allowed from everywhere, again and again: that limit is for strangers
 * alone, so that a familiar user can log in all the while.
 */
export async function secondsUntilAllowed(
  db: Database,
  attempt: Attempt,
  limits: LoginLimits,
): Promise<number> {
  const { account, network } = attempt
  const { rows } = await sql<{ seconds: number | null }>`
    with failures as (
      select account = ${account} as same_account, address = ${network} as same_address, failed_at
      from login_failures
      where (account = ${account} or address = ${network})
        and failed_at > now() - make_interval(secs => ${FAILURE_WINDOW_SECONDS})),
    familiar as (
      select from login_addresses join users on users.id = login_addresses.user_id
      where users.email = ${account} and login_addresses.address = ${network}
        and last_login_at > now() - make_interval(days => ${FAMILIAR_DAYS})),
    blocking as (
      (select failed_at from failures where same_account and same_address
        order by failed_at desc offset ${limits.perAccountAndAddress - 1} limit 1)
      union all
      (select failed_at from failures where same_account and not exists (select from familiar)
        order by failed_at desc offset ${limits.perAccount - 1} limit 1)
      union all
      (select failed_at from failures where same_address
        order by failed_at desc offset ${limits.perAddress - 1} limit 1))
    select ceil(extract(epoch from max(failed_at) - now()) + ${FAILURE_WINDOW_SECONDS})::int as seconds
    from blocking`.execute(db)
  return Math.max(rows[0]?.seconds ?? 0, 0)
}

/** Counts a failed login. */
export async function recordFailure(db: Database, { account, network }: Attempt): Promise<void> {
  await db.insertInto('login_failures').values({ account, address: network }).execute()
}

/**
 * Remembers that the user has logged in, or gone on with a session, from the network: once a day, so that sessions of one
 * user do not wait for each other.
 */
export async function recordPresence(db: Database, userId: string, network: string): Promise<void> {
  await sql`insert into login_addresses (user_id, address)
    select ${userId}::uuid, ${network} where not exists (
      select from login_addresses where user_id = ${userId}::uuid and address = ${network}
        and last_login_at > now() - interval '1 day')
    on conflict (user_id, address) do update set last_login_at = now()`.execute(db)
}

/** Deletes the failed logins of these accounts, which are spelled in small letters, unless a user has the address. */
export async function forgetAccounts(db: Database, accounts: readonly string[]): Promise<void> {
  await sql`delete from login_failures where account = any(${accounts}::text[])
    and not exists (select from users where users.email = account)`.execute(db)
}

/** Deletes what no longer counts. */
export async function purgeLoginAttempts(db: Database): Promise<void> {
  await sql`delete from login_failures
    where failed_at < now() - make_interval(secs => ${FAILURE_WINDOW_SECONDS})`.execute(db)
  await sql`delete from login_addresses
    where last_login_at < now() - make_interval(days => ${FAMILIAR_DAYS})`.execute(db)
}
