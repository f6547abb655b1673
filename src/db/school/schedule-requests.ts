import { sql } from 'kysely'
import { notFound } from '../../contract/problem.ts'
import {
  type ScheduleRequest,
  ScheduleRequestChangeSchema,
  ScheduleRequestSchema,
} from '../../contract/schedule-request.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { resourceRows } from '../resource-rows.ts'
import { columnsOf } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const columns = columnsOf(ScheduleRequestSchema)

export type ScheduleRequestFilter = {
  readonly status?: ScheduleRequest['status']
  readonly instructor_id?: string
  readonly own?: string
}

const NEWEST_FIRST = {
  from: 'schedule_requests',
  orderedBy: { id: 'uuid' },
  isNewestFirst: true,
  versionedBy: 'version',
} as const

export const listScheduleRequests = jsonList(
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

export const SCHEDULE_REQUESTS = resourceRows({
  table: 'schedule_requests',
  resource: 'schedule_request',
  schema: ScheduleRequestSchema,
  change: ScheduleRequestChangeSchema,
  references: { instructor_id: 'instructors' },
  texts: ['note', 'answer'],
  isPermanent: true,
})
