import { type RawBuilder, sql } from 'kysely'
import type { Resource } from '../../contract/change.ts'
import type { DatabasePool } from '../connection/pool.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { utcText } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'
import { changeColumns } from './change-log.ts'
import type { LogMark, Position } from './position.ts'

const MAX_CHANGES = 500

export type FollowerScope = {
  readonly tenantId: string
  readonly hidden?: Resource | undefined
  readonly reader?: string | undefined
}

export type FollowedChange = { readonly json: string; readonly position: Position }

export async function currentPosition(db: Database): Promise<Position> {
  const { rows } = await sql<LogMark>`select ${here}`.execute(db)
  const [position] = rows
  if (!position) throw new Error('no position')
  return position
}

/** Returns the changes that a follower has not seen, oldest first; some may repeat. Commits are not in the order of writes. */
export async function followChanges(
  db: DatabasePool,
  followable: FollowerScope,
  position: Position,
): Promise<FollowedChange> {
  const { server, at, seen, piece } = position
  const now = db.isSpread ? nowAt(await currentPosition(db)) : {}
  const question = { ...followable, server, seen, at, after_at: piece?.at, after_id: piece?.id, ...now }
  const unseen = await selectUnseen(db, question)
  const isElsewhere = unseen[0]?.server !== server
  const rows = isElsewhere ? await selectLater(db, question) : unseen
  return followedPage(rows, position)
}

const LATEST_COMMIT_MS = 3_600_000

/** Whether an unseen change is older than any late commit: then an erasure has scrubbed it, and it is sent again. */
export function isScrubbedSince(position: Position, change: { readonly at: string }): boolean {
  return Date.parse(change.at) < Date.parse(position.at) - LATEST_COMMIT_MS
}

type FollowedRow = LogMark & {
  readonly id: string | null
  readonly json: string
  readonly changed_at: string
}

function followedPage(rows: readonly FollowedRow[], { piece, ...before }: Position): FollowedChange {
  const [first] = rows
  if (!first) throw new Error('no position')
  const { server, at, seen } = first
  const until = piece?.until ?? { server, at, seen }
  const changes = rows.filter(({ id }) => id !== null).slice(0, MAX_CHANGES)
  const json = changes.map((change) => change.json).join()
  const last = changes.at(-1)
  if (rows.length > MAX_CHANGES && last?.id) {
    return { json, position: { ...before, piece: { at: last.changed_at, id: last.id, until } } }
  }
  return { json, position: until }
}

/** Returns the coordinator's position as parameters: in a cluster, the worker that reads changes has other numbers. */
function nowAt({ server, at, seen }: LogMark): CoordinatorPosition {
  return { now_server: server, now_at: at, now_seen: seen }
}

const started = utcText(sql`pg_postmaster_start_time()`)
const current = {
  now_server: started,
  now_at: utcText(sql`clock_timestamp()`),
  now_seen: sql<string>`pg_current_snapshot()::text`,
}
const here = markOf(current)

type CoordinatorPosition = {
  readonly now_server?: string
  readonly now_at?: string
  readonly now_seen?: string
}

type CoordinatorPositionInSql = {
  readonly [Name in keyof CoordinatorPosition]-?: RawBuilder<string | undefined>
}

function markOf({ now_server, now_at, now_seen }: CoordinatorPositionInSql) {
  return sql`${now_server}::text as server, ${now_at}::text as at, ${now_seen}::text as seen`
}

type FollowQuery = CoordinatorPosition &
  FollowerScope &
  Pick<Position, 'server' | 'seen' | 'at'> & {
    readonly after_at?: string | undefined
    readonly after_id?: string | undefined
  }

/** Selects the changes committed since the snapshot `seen`; none if the database has restarted (then `selectLater`). */
const selectUnseen = following(
  ({ server, seen, now_server, now_seen }) => sql<boolean>`${server} = ${now_server}
    and transaction >= pg_snapshot_xmin(${seen}::pg_snapshot)
    and transaction < pg_snapshot_xmax(${now_seen}::pg_snapshot)
    and not pg_visible_in_snapshot(transaction, ${seen}::pg_snapshot)
    and pg_visible_in_snapshot(transaction, ${now_seen}::pg_snapshot)`,
)

/** The overlap after a restart: longer than any transaction plus the difference between two servers' clocks. */
const MARGIN = sql.lit('1 minute')

const selectLater = following(({ at }) => sql<boolean>`at >= ${at}::timestamptz - interval ${MARGIN}`)

type Condition = (question: Parameters<FollowQuery> & CoordinatorPositionInSql) => RawBuilder<boolean>

function following(condition: Condition) {
  return statement((db, asked: Parameters<FollowQuery>) => {
    const question = { ...current, ...asked }
    const { tenantId, hidden, reader, after_at, after_id } = question
    const changes = db
      .selectFrom('changes')
      .select(changeColumns)
      .where('tenant_id', '=', tenantId)
      .where(condition(question))
      .$if(hidden !== undefined, (rest) =>
        rest.where(sql<boolean>`(resource <> ${hidden} or resource_id = ${reader}::uuid)`),
      )
      .$if(after_at !== undefined, (rest) =>
        rest.where(sql<boolean>`(at, id) > (${after_at}::timestamptz, ${after_id}::uuid)`),
      )
      .orderBy('changes.at')
      .orderBy('id')
      .limit(sql.lit(MAX_CHANGES + 1))
    return sql<FollowedRow>`select ${markOf(question)}, change.id, change.at as changed_at, row_to_json(change)::text as json
      from (select) one left join ${changes} change on true`.compile(db)
  })
}
