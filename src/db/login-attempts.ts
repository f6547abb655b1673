import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** Failed logins older than this many seconds no longer count. */
export const FAILURE_WINDOW_SECONDS = 15 * 60

/** A successful login makes an address familiar to its user for this many days. */
const FAMILIAR_DAYS = 30

/** Who tries to log in: the account as typed (trimmed, lower-cased), and the client's address. */
export type Attempt = { readonly account: string; readonly address: string }

/** Limits of failed logins within the window. */
export type LoginLimits = {
  readonly perAccountAndAddress: number
  readonly perAccount: number
  readonly perAddress: number
}

/** Seconds until the attempt is allowed again, or 0. Each limit opens when enough of its failures have aged. */
export async function secondsUntilAllowed(
  db: Database,
  attempt: Attempt,
  limits: LoginLimits,
): Promise<number> {
  const { account, address } = attempt
  const { rows } = await sql<{ seconds: number | null }>`
    with failures as (
      select account = ${account} as same_account, address = ${address} as same_address, failed_at
      from login_failures
      where (account = ${account} or address = ${address})
        and failed_at > now() - make_interval(secs => ${FAILURE_WINDOW_SECONDS})),
    familiar as (
      select from login_addresses join users on users.id = login_addresses.user_id
      where users.email = ${account} and login_addresses.address = ${address}
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
export async function recordFailure(db: Database, attempt: Attempt): Promise<void> {
  await db.insertInto('login_failures').values(attempt).execute()
}

/** Remembers that the user has logged in from the address. */
export async function recordLogin(db: Database, userId: string, address: string): Promise<void> {
  await db
    .insertInto('login_addresses')
    .values({ user_id: userId, address })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'address']).doUpdateSet({ last_login_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Deletes what no longer counts. */
export async function purgeLoginAttempts(db: Database): Promise<void> {
  await sql`delete from login_failures
    where failed_at < now() - make_interval(secs => ${FAILURE_WINDOW_SECONDS})`.execute(db)
  await sql`delete from login_addresses
    where last_login_at < now() - make_interval(days => ${FAMILIAR_DAYS})`.execute(db)
}
