import { Type } from 'typebox'
import { hiddenFrom } from '../../auth/permissions.ts'
import { undoSet } from '../../booking/undo/undo-set.ts'
import type { Actor } from '../../contract/actor.ts'
import { ChangeSchema, ChangesSinceSchema, ResourceSchema } from '../../contract/change.ts'
import { closed, described, Id, LocalDate, optionals, ref } from '../../contract/fields.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import { SetUndoSchema } from '../../contract/undo.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { type ChangeFilter, isInLog, listChanges } from '../../db/log/change-log.ts'
import { currentPosition, type FollowerScope, followChanges } from '../../db/log/follow-changes.ts'
import { operation } from '../operation.ts'
import { cursorFor, positionIn } from '../requests/change-cursor.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { sendJson } from '../responses/entity-tag.ts'
import { pageParameters, sendList } from '../responses/list-reply.ts'
import { BODY, noContent, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const DryRun = Type.Optional(
  Type.Enum(['true', 'false'], {
    'x-published': { type: 'boolean', default: false },
    description: 'Whether only to return the expected result, without undoing anything; by default `false`.',
  }),
)
const filterParameters = optionals({
  resource: described(ResourceSchema, 'Only changes of resources of this kind.'),
  resource_id: described(Id, 'Only changes of this resource.'),
  actor_id: described(Id, 'Only changes that this user made.'),
  from: described(LocalDate, "The first day, `YYYY-MM-DD` of the school's calendar."),
  to: described(LocalDate, "The last day, `YYYY-MM-DD` of the school's calendar; it is included."),
})
const list = { 200: Type.Array(ref(ChangeSchema)), 304: noContent('You have the current version') }
const HISTORIES = {
  appointments: {
    resource: 'appointment',
    operationId: 'appointmentHistory',
    description: 'Shows each booking, move and cancellation with its author and the values before and after.',
  },
  students: {
    resource: 'student',
    operationId: 'studentHistory',
    description:
      "Shows each change of the student's data with author and time. Lessons have histories of their own.",
  },
  enrolments: {
    resource: 'enrolment',
    operationId: 'enrolmentHistory',
    description: 'Shows each change of the enrolment with author and time.',
  },
  instructors: {
    resource: 'instructor',
    operationId: 'instructorHistory',
    description:
      'Shows each change of limits, hours or vacations with author and time. Lessons have histories of their own.',
  },
  vehicles: {
    resource: 'vehicle',
    operationId: 'vehicleHistory',
    description:
      'Shows each change of the vehicle with author and time. Lessons have histories of their own.',
  },
  locations: {
    resource: 'location',
    operationId: 'locationHistory',
    description: 'Shows each change of the location and its travel times, with author and time.',
  },
  closures: {
    resource: 'closure',
    operationId: 'closureHistory',
    description: 'Shows the creation and deletion of the closure, with author and time.',
  },
  'lesson-types': {
    resource: 'lesson_type',
    operationId: 'lessonTypeHistory',
    description: 'Shows each change of the lesson type with author and time.',
  },
} as const

export function changeRoutes(app: App, service: Service): void {
  for (const path of Object.keys(HISTORIES) as (keyof typeof HISTORIES)[]) historyRoute(app, service, path)
  listRoute(app, service)
  followRoute(app, service)
  undoRoute(app, service)
}

function historyRoute(app: App, { db }: Service, path: keyof typeof HISTORIES): void {
  const { resource, operationId, description } = HISTORIES[path]
  const one = resource.replace('_', ' ')
  app.get(
    `/${path}/:id/history`,
    operation('changes', {
      permission: 'see_history',
      operationId,
      summary: `List the changes of one ${one}, newest first; also of a deleted one`,
      description,
      returns: 'The changes, or a page of them.',
      params: pathId(one),
      querystring: closed(pageParameters),
      response: responses(list, 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      if (!(await isInLog(db, actor.tenant.id, { resource, id: params.id }))) throw notFound()
      const changes = listChanges(db, actor.tenant, { resource, resource_id: params.id })
      return sendList(request, reply, changes)
    },
  )
}

function listRoute(app: App, { db }: Service): void {
  app.get(
    '/changes',
    operation('changes', {
      permission: 'see_history',
      operationId: 'listChanges',
      summary: 'List the changes of the school, newest first',
      description:
        "Use it as the school's log. Both days are included, by the school's calendar; changes of users are for owners: `resource=user` is 403 for the office, and without it they are left out.",
      returns: 'The changes, or a page of them.',
      querystring: closed({
        ...filterParameters,
        ...pageParameters,
      }),
      response: responses(list, 401, 403),
    }),
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

const Cursor = Type.String({ maxLength: 10_000, description: 'The `cursor` of the last response.' })

function followRoute(app: App, { db }: Service): void {
  app.get(
    '/changes/since',
    operation('changes', {
      permission: 'see_history',
      operationId: 'followChanges',
      summary: 'List the changes since a cursor',
      description:
        'Poll it with the cursor of the last response; without a cursor you get no changes and the first cursor. No change is missed, but one may come twice, with the same id; changes of users come only to owners and to that user.',
      returns: 'The changes since the cursor, and the next cursor.',
      querystring: closed({ cursor: Type.Optional(Cursor) }),
      response: responses({ 200: ref(ChangesSinceSchema) }, 401, 403),
    }),
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
    operation('changes', {
      permission: 'note_outcomes',
      operationId: 'undoSet',
      summary: 'Undo the changes of one request, as far as nothing has changed since and the rules allow it',
      description:
        'Deletes what the set created, restores what it deleted and gives changed fields their earlier values; a field that somebody has changed since stays. It needs the permissions of the original requests; 409 `already_undone` if the set was already undone.',
      returns: 'The resources that were undone, and the refused ones with reasons.',
      params: pathId('set, the `set_id` of its changes'),
      querystring: closed({ dry_run: DryRun }),
      headers: idempotencyKey,
      response: responses({ 200: ref(SetUndoSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, query, slicer } = request
      const undo = (way: { isDryRun: boolean; key?: IdempotencyKey | undefined }) =>
        undoSet(service.db, actor, params.id, { slicer, ...way })
      if (query.dry_run === 'true') return undo({ isDryRun: true })
      const result = await makeOnce(service, request, (key) => undo({ isDryRun: false, key }))
      // The set may have changed the school's settings.
      service.sessions.forgetTenant(actor.tenant.id)
      return sendIdempotentResult(reply, result)
    },
  )
}

/** Returns the changes that an actor may follow, including those of their own user, which may affect the app. */
function followableBy(actor: Actor): FollowerScope {
  const { hidden } = hiddenFrom(actor)
  return { tenantId: actor.tenant.id, ...(hidden && { hidden, reader: actor.id ?? undefined }) }
}

function requireOrder({ from, to }: ChangeFilter): void {
  if (from === undefined || to === undefined || from <= to) return
  const detail = `to must not be before from, ${from}.`
  throw invalidRequest([{ pointer: '?to', code: 'wrong_order', detail }])
}
