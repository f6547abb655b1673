import { Type } from 'typebox'
import { hiddenFrom } from '../../auth/may.ts'
import { undoSet } from '../../booking/undo-set.ts'
import type { Actor } from '../../contract/actor.ts'
import { ChangeSchema, ChangesSinceSchema, ResourceSchema } from '../../contract/change.ts'
import { closed, Id, LocalDate, ref } from '../../contract/fields.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import { SetUndoSchema } from '../../contract/undo.ts'
import { type ChangeFilter, isKnown, listChanges } from '../../db/change-log.ts'
import { currentPosition, type Followable, followChanges } from '../../db/follow-changes.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { answers, BODY, empty } from '../answers.ts'
import { cursorFor, positionIn } from '../change-cursor.ts'
import { sendJson } from '../entity-tag.ts'
import { idempotencyKey, makeOnce, sendOutcome } from '../idempotency.ts'
import { pageParameters, sendList } from '../list-reply.ts'
import type { App, Service } from '../service.ts'

const tags = ['changes']
const params = Type.Object({ id: Id })
const DryRun = Type.Optional(
  Type.Enum(['true', 'false'], { description: 'Say what would be undone, and write nothing.' }),
)
const list = { 200: Type.Array(ref(ChangeSchema)), 304: empty('Not modified') }
const HISTORIES = {
  appointments: { resource: 'appointment', operationId: 'appointmentHistory', one: 'one appointment' },
  students: { resource: 'student', operationId: 'studentHistory', one: 'one student' },
  instructors: { resource: 'instructor', operationId: 'instructorHistory', one: 'one instructor' },
  'lesson-types': { resource: 'lesson_type', operationId: 'lessonTypeHistory', one: 'one lesson type' },
} as const

/** Routes for the log of changes: of the school, of one resource, and since a follower's last poll; and for undoing a set. */
export function changeRoutes(app: App, service: Service): void {
  for (const path of Object.keys(HISTORIES) as (keyof typeof HISTORIES)[]) historyRoute(app, service, path)
  listRoute(app, service)
  followRoute(app, service)
  undoRoute(app, service)
}

function historyRoute(app: App, { db }: Service, path: keyof typeof HISTORIES): void {
  const { resource, operationId, one } = HISTORIES[path]
  app.get(
    `/${path}/:id/history`,
    {
      config: { may: 'see_history' },
      schema: {
        tags,
        operationId,
        summary: `What happened to ${one}, newest first; also to one that is deleted`,
        params,
        querystring: closed(pageParameters),
        response: answers(list, 401, 403, 404),
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      if (!(await isKnown(db, actor.tenant.id, { resource, id: params.id }))) throw notFound()
      const changes = listChanges(db, actor.tenant, { resource, resource_id: params.id })
      return sendList(request, reply, changes)
    },
  )
}

function listRoute(app: App, { db }: Service): void {
  app.get(
    '/changes',
    {
      config: { may: 'see_history' },
      schema: {
        tags,
        operationId: 'listChanges',
        summary: 'What happened in the school, newest first',
        description:
          'The days `from` and `to` are included, by the clock of the school. Changes of users are for owners: `resource=user` is 403 for the office, and without it they are left out.',
        querystring: closed({
          resource: Type.Optional(ResourceSchema),
          resource_id: Type.Optional(Id),
          actor_id: Type.Optional(Id),
          from: Type.Optional(LocalDate),
          to: Type.Optional(LocalDate),
          ...pageParameters,
        }),
        response: answers(list, 401, 403),
      },
    },
    async (request, reply) => {
      const { limit: _, cursor: __, ...filter } = request.query
      const { tenant, role } = request.actor
      const { hidden } = hiddenFrom({ role })
      if (hidden !== undefined && filter.resource === hidden) throw new Problem('forbidden')
      requireOrder(filter)
      return sendList(request, reply, listChanges(db, tenant, { ...filter, hidden }))
    },
  )
}

function followRoute(app: App, { db }: Service): void {
  app.get(
    '/changes/since',
    {
      config: { may: 'see_history' },
      schema: {
        tags,
        operationId: 'followChanges',
        summary: 'What a follower has not seen yet',
        description:
          'Without a cursor: no changes, and where to begin. A change may come twice, with the same id; none is missed, however late it was committed. When many have happened, the answer holds the first of them, and its cursor leads on. Changes of users are for owners; everybody else follows those of their own user only.',
        querystring: closed({ cursor: Type.Optional(Type.String({ maxLength: 10_000 })) }),
        response: answers({ 200: ref(ChangesSinceSchema) }, 401, 403),
      },
    },
    async ({ query: { cursor }, actor }, reply) => {
      const { json, position } =
        cursor === undefined
          ? { json: '', position: await currentPosition(db) }
          : await followChanges(db, followableBy(actor), positionIn(cursor))
      return sendJson(reply, `{"changes":[${json}],"cursor":"${cursorFor(position)}"}`)
    },
  )
}

function undoRoute(app: App, service: Service): void {
  app.post(
    '/changes/sets/:id/undo',
    {
      config: { may: 'note_outcomes' },
      schema: {
        tags,
        operationId: 'undoSet',
        summary: 'Take back what one request did, where nothing has changed since and the rules allow it',
        description:
          'Deletes what the set created, restores what it deleted, and gives the fields that it changed their earlier values. Takes the same role as the requests that do so. The undo is a set of its own; undoing it does again what was undone. A set of which nothing can be taken back may be tried again.',
        params,
        querystring: closed({ dry_run: DryRun }),
        headers: idempotencyKey,
        response: answers({ 200: ref(SetUndoSchema) }, 401, 403, 404, 409, 422, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, params, query, pieces } = request
      const undo = (way: { isDryRun: boolean; key?: IdempotencyKey | undefined }) =>
        undoSet(service.db, actor, params.id, { pieces, ...way })
      if (query.dry_run === 'true') return undo({ isDryRun: true })
      return sendOutcome(reply, await makeOnce(service, request, (key) => undo({ isDryRun: false, key })))
    },
  )
}

/** A change of the reader's own user is theirs to see: it may change what the app shows them. */
function followableBy(actor: Actor): Followable {
  const { hidden } = hiddenFrom(actor)
  return { tenantId: actor.tenant.id, ...(hidden && { hidden, reader: actor.id ?? undefined }) }
}

function requireOrder({ from, to }: ChangeFilter): void {
  if (from === undefined || to === undefined || from <= to) return
  const detail = `to must not be before from, ${from}.`
  throw invalidRequest([{ pointer: '?to', code: 'wrong_order', detail }])
}
