import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownOf } from '../../auth/permissions.ts'
import { changeInstructor, hireInstructor } from '../../booking/change-instructor.ts'
import { impactOfChange, type PagedImpact } from '../../booking/instructor-impact.ts'
import { ref } from '../../contract/fields.ts'
import { type Impact, ImpactSchema } from '../../contract/impact.ts'
import {
  InstructorChangeSchema,
  InstructorSchema,
  instructorFaultsFor,
  NewInstructorSchema,
} from '../../contract/instructor.ts'
import { notFound } from '../../contract/problem.ts'
import { findInstructor, listInstructors } from '../../db/instructors.ts'
import { operation } from '../operation.ts'
import { sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { intentOf, sendJson, sendVersioned } from '../responses/entity-tag.ts'
import { begun, sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses } from '../responses/responses.ts'
import { changes, creates, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('instructor')

/** Routes for instructors. They are never deleted, but become inactive when they leave. */
export function instructorRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/instructors',
    operation('instructors', {
      permission: 'look',
      operationId: 'listInstructors',
      summary: 'List the instructors, by last name, first name, id',
      description: 'Inactive instructors are listed, too. An instructor gets only their own row.',
      returns: 'The instructors, or a page of them.',
      ...lists(InstructorSchema, {}),
    }),
    async (request, reply) =>
      sendList(request, reply, listInstructors(db, request.actor.tenant.id, ownOf(request.actor))),
  )

  app.post(
    '/instructors',
    operation('instructors', {
      permission: 'plan',
      faultsFor: instructorFaultsFor,
      operationId: 'hireInstructor',
      summary: 'Hire an instructor',
      description:
        "Only the names are required; omitted limits, breaks and windows take the school's defaults.",
      returns: 'The instructor as stored.',
      ...creates(NewInstructorSchema, InstructorSchema, 403, 404),
    }),
    async (request, reply) =>
      sendMade(service, reply, (key) => hireInstructor(db, request.actor, request.body, key)),
  )

  app.get(
    '/instructors/:id',
    operation('instructors', {
      permission: 'look',
      operationId: 'getInstructor',
      summary: 'Read an instructor',
      description: 'Instructors can read only themselves; others are 404.',
      returns: 'The instructor.',
      params,
      response: readable(ref(InstructorSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const { own = params.id } = ownOf(actor)
      const instructor = own === params.id ? await findInstructor(db, actor.tenant.id, own) : undefined
      if (!instructor) throw notFound()
      return sendVersioned(reply, instructor)
    },
  )

  app.patch(
    '/instructors/:id',
    operation('instructors', {
      permission: 'plan',
      faultsFor: instructorFaultsFor,
      operationId: 'changeInstructor',
      summary: 'Change an instructor; booked lessons stay, even if they then break a rule',
      description:
        'Send only the fields to change; lists are replaced as a whole. `POST /instructors/{id}/impact` lists the lessons that would break a rule.',
      returns: 'The instructor as changed.',
      params,
      ...changes(InstructorChangeSchema, InstructorSchema, 404),
    }),
    async (request, reply) =>
      sendVersioned(reply, await changeInstructor(db, request.actor, request.params.id, intentOf(request))),
  )

  app.post(
    '/instructors/:id/impact',
    operation('instructors', {
      permission: 'plan',
      faultsFor: instructorFaultsFor,
      operationId: 'instructorImpact',
      summary: 'List the upcoming appointments that would break a rule after a change',
      description:
        'Use it before storing a vacation, other hours or lower limits. Send the change as you would to `PATCH /instructors/{id}`.',
      returns: 'The upcoming appointments that would newly break a rule.',
      params,
      body: ref(InstructorChangeSchema),
      response: responses({ 200: ref(ImpactSchema) }, 401, 403, 404, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, body, pieces } = request
      const change = { id: params.id, change: body }
      return sendImpact(request, reply, await impactOfChange(db, actor, change, pieces))
    },
  )
}

/** Sends an impact, page by page if it has more than one. */
async function sendImpact(
  request: FastifyRequest,
  reply: FastifyReply,
  { checked, pages }: PagedImpact,
): Promise<Impact | FastifyReply> {
  const [first] = pages
  if (pages.length < 2) return { checked, appointments: first ? await first() : [] }
  await request.server.openResponses.enter(request, reply)
  return sendJson(reply, await begun(textOf({ checked, pages }, request)))
}

async function* textOf(
  { checked, pages }: PagedImpact,
  { turn, pieces }: FastifyRequest,
): AsyncGenerator<string> {
  let before = `{"checked":${checked},"appointments":[`
  for (const page of pages) {
    const hits = await turn.read(page)
    if (hits.length === 0) continue
    await pieces.rest()
    yield before + JSON.stringify(hits).slice(1, -1)
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}
