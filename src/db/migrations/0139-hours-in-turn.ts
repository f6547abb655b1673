import { type Kysely, sql } from 'kysely'

/** Adds working hours that hold in every n-th week only. Those of the release before hold in every week. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table availability_windows add column every_weeks smallint not null default 1`.execute(db)
  await sql`alter table availability_windows add constraint availability_windows_turn_check
    check (every_weeks between 1 and 4 and (every_weeks = 1 or valid_from is not null))`.execute(db)
}
