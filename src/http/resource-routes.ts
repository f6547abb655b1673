import type { FastifyContextConfig } from 'fastify'
import type { TSchema } from 'typebox'
import type { Permission } from '../auth/permissions.ts'
import type { ExpectedVersion, Intent } from '../booking/expected-version.ts'
import type { Actor } from '../contract/actor.ts'
import { ref } from '../contract/fields.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import type { JsonList } from '../db/json-list.ts'
import { findRow, type ResourceRows } from '../db/resource-rows.ts'
import type { Database } from '../db/schema/tables.ts'
import { operation } from './operation.ts'
import { sendMade } from './requests/idempotency.ts'
import { pathId } from './requests/path-id.ts'
import { expectedVersion, intentOf, sendFound, sendVersioned } from './responses/entity-tag.ts'
import { sendList } from './responses/list-reply.ts'
import { BODY, readable, responses, sendNoContent } from './responses/responses.ts'
import { changes, creates, deletes, lists } from './route-schemas.ts'
import type { App, Service } from './service.ts'

/** The parameters of a list, validated by its filters. */
type Query = Readonly<Record<string, string | undefined>>

type Versioned = { readonly id: string; readonly version: number }

/** The texts of a route, its use case, and the statuses that it may have beside those of every such route. */
type Route<Run> = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly run: Run
  readonly returns?: string
  readonly refuses?: readonly number[]
  readonly faultsFor?: FastifyContextConfig['faultsFor']
}

type OnOne<Rest extends unknown[], Result> = (
  db: DatabasePool,
  actor: Actor,
  id: string,
  ...rest: Rest
) => Promise<Result>

/** The routes of a resource; what they accept and return follows from its rows. */
export type ResourceRoutes<One extends Versioned, New = never, Change = never> = {
  readonly path: string
  readonly tag: string
  readonly noun: string
  readonly reads: Permission
  readonly writes: Permission
  readonly rows: Pick<ResourceRows<One>, 'schema' | 'change' | 'one'>
  readonly list?: Route<(db: Database, actor: Actor, query: Query) => JsonList> & {
    readonly filters?: Readonly<Record<string, TSchema>>
  }
  readonly get?: Route<OnOne<[], One | undefined>>
  readonly add?: Route<(db: DatabasePool, actor: Actor, given: New, key?: IdempotencyKey) => Promise<One>> & {
    readonly body: TSchema
  }
  readonly change?: Route<OnOne<[Intent<Change>], One>>
  readonly remove?: Route<OnOne<[ExpectedVersion], void>>
  readonly restore?: Route<OnOne<[], One>>
}

/** Returns the reading of a row that everybody in the school may see. */
export function finding<One extends Versioned>(rows: ResourceRows<One>): OnOne<[], One | undefined> {
  return (db, { tenant }, id) => findRow(db, tenant.id, rows, id)
}

/** Adds the described routes of a resource. */
export function resourceRoutes<One extends Versioned, New, Change>(
  app: App,
  service: Service,
  routes: ResourceRoutes<One, New, Change>,
): void {
  readingRoutes(app, service, routes)
  writingRoutes(app, service, routes)
  removingRoutes(app, service, routes)
}

function readingRoutes<One extends Versioned>(
  app: App,
  { db }: Service,
  { path, tag, noun, reads, rows, list, get }: ResourceRoutes<One>,
): void {
  if (list) {
    const { run, filters = {}, refuses = [], ...texts } = list
    const returns = `The ${noun}s, or a page of them.`
    const schema = lists(rows.schema, filters, ...refuses)
    app.get(
      path,
      operation(tag, { permission: reads, returns, ...texts, ...schema }),
      async (request, reply) => sendList(request, reply, run(db, request.actor, request.query as Query)),
    )
  }
  if (get) {
    const { run, refuses = [], ...texts } = get
    const response = readable(ref(rows.schema), 401, 404, ...refuses)
    app.get(
      `${path}/:id`,
      operation(tag, {
        permission: reads,
        returns: `The ${noun}.`,
        ...texts,
        params: pathId(noun),
        response,
      }),
      async ({ actor, params }, reply) => sendFound(reply, run(db, actor, params.id)),
    )
  }
}

function writingRoutes<One extends Versioned, New, Change>(
  app: App,
  service: Service,
  { path, tag, noun, writes, rows, add, change }: ResourceRoutes<One, New, Change>,
): void {
  const { db } = service
  const access = { permission: writes }
  if (add) {
    const { run, body, refuses = [], ...texts } = add
    const schema = creates(body, rows.schema, ...refuses)
    app.post(
      path,
      operation(tag, { ...access, returns: `The ${noun} as stored.`, ...texts, ...schema }),
      async (request, reply) =>
        sendMade(service, reply, (key) => run(db, request.actor, request.body as New, key)),
    )
  }
  if (change && rows.change) {
    const { run, refuses = [], ...texts } = change
    const schema = changes(rows.change, rows.schema, 404, ...refuses)
    const params = pathId(noun)
    app.patch(
      `${path}/:id`,
      operation(tag, { ...access, returns: `The ${noun} as changed.`, ...texts, params, ...schema }),
      async (request, reply) => {
        const intent = intentOf(request) as Intent<Change>
        return sendVersioned(reply, await run(db, request.actor, request.params.id, intent))
      },
    )
  }
}

function removingRoutes<One extends Versioned, New, Change>(
  app: App,
  { db }: Service,
  { path, tag, noun, writes, rows, remove, restore }: ResourceRoutes<One, New, Change>,
): void {
  const [permission, params] = [writes, pathId(noun)]
  if (remove) {
    const { run, refuses = [], ...texts } = remove
    const outcome = `The ${noun} is deleted`
    app.delete(
      `${path}/:id`,
      operation(tag, { permission, ...texts, params, ...deletes(outcome, ...refuses) }),
      async (request, reply) =>
        sendNoContent(reply, run(db, request.actor, request.params.id, expectedVersion(request))),
    )
  }
  if (restore) {
    const { run, refuses = [], ...texts } = restore
    app.post(
      `${path}/:id/restore`,
      operation(tag, {
        permission,
        returns: `The ${noun} as restored.`,
        ...texts,
        params,
        sends: ['ETag'],
        response: responses({ 200: ref(rows.schema) }, 401, 403, 404, ...refuses, ...BODY),
      }),
      async ({ actor, params: { id } }, reply) => sendVersioned(reply, await run(db, actor, id)),
    )
  }
}
