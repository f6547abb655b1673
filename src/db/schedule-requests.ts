import { sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import { type ScheduleRequest, ScheduleRequestSchema } from '../contract/schedule-request.ts'
import type { Parameters } from './connection/statement.ts'
import { type JsonList, jsonList } from './json-list.ts'
import { changedFields, changeEntryFor, recordChanges } from './log/changes.ts'
import { columnsOf, nextVersion } from './schema/columns.ts'
import type { Database, Transaction } from './schema/tables.ts'

const columns = columnsOf(ScheduleRequestSchema)

export type ScheduleRequestFilter = {
  readonly status?: ScheduleRequest['status']
  readonly instructor_id?: string
  readonly own?: string
}

/** Lists requests newest first: their ids grow with time. */
export function listScheduleRequests(
  db: Database,
  tenantId: string,
  filter: ScheduleRequestFilter,
): JsonList {
  return requests(db, { ...filter, tenantId })
}

const NEWEST_FIRST = {
  from: 'schedule_requests',
  orderedBy: { id: 'uuid' },
  isNewestFirst: true,
  versionedBy: 'version',
} as const

const requests = jsonList(
  NEWEST_FIRST,
  (db, values: Parameters<ScheduleRequestFilter & { tenantId: string }>) => {
    const { tenantId, status, instructor_id, own } = values
    return db
      .selectFrom('schedule_requests')
      .select(columns)
      .where('tenant_id', '=', tenantId)
      .$if(status !== undefined, (rest) => rest.where(sql<boolean>`status = ${status}`))
      .$if(instructor_id !== undefined, (rest) => rest.where(sql<boolean>`instructor_id = ${instructor_id}`))
      .$if(own !== undefined, (rest) => rest.where(sql<boolean>`instructor_id = ${own}`))
  },
)

export async function requireScheduleRequest(
  db: Database,
  tenantId: string,
  id: string,
): Promise<ScheduleRequest> {
  const request = await withId(db, tenantId, id).executeTakeFirst()
  if (!request) throw notFound()
  return request
}

export async function lockScheduleRequest(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<ScheduleRequest> {
  const request = await withId(db, tenantId, id).forNoKeyUpdate().executeTakeFirst()
  if (!request) throw notFound()
  return request
}

function withId(db: Database, tenantId: string, id: string) {
  return db
    .selectFrom('schedule_requests')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
}

type ScheduleRequestValues = Omit<ScheduleRequest, 'version' | 'created_at' | 'updated_at'>

export async function insertScheduleRequest(
  db: Transaction,
  actor: Actor,
  request: ScheduleRequestValues,
): Promise<ScheduleRequest> {
  const { availability_windows: windows, windows_before: before, ...scalars } = request
  const availability_windows = windows && JSON.stringify(windows)
  const windows_before = before && JSON.stringify(before)
  await db
    .insertInto('schedule_requests')
    .values({ ...scalars, availability_windows, windows_before, tenant_id: actor.tenant.id })
    .execute()
  await recordChanges(db, actor, [changeEntryFor('schedule_request', undefined, request)])
  return requireScheduleRequest(db, actor.tenant.id, request.id)
}

type Decision = Pick<ScheduleRequest, 'status' | 'answer'>

export async function updateScheduleRequest(
  db: Transaction,
  actor: Actor,
  stored: ScheduleRequest,
  decision: Decision,
): Promise<ScheduleRequest> {
  const next = { ...stored, ...decision }
  if (!changedFields(stored, next)) return stored
  await db
    .updateTable('schedule_requests')
    .set({ ...decision, ...nextVersion })
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', stored.id)
    .execute()
  await recordChanges(db, actor, [changeEntryFor('schedule_request', stored, next)])
  return requireScheduleRequest(db, actor.tenant.id, stored.id)
}
