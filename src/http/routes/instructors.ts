import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ownOf } from '../../auth/permissions.ts'
import { impactOfChange, type PagedImpact } from '../../booking/absences/instructor-impact.ts'
import { changeInstructor, hireInstructor } from '../../booking/school/change-instructor.ts'
import { closed, ref } from '../../contract/fields.ts'
import { type Impact, ImpactSchema } from '../../contract/impact.ts'
import {
  InstructorChangeSchema,
  InstructorSchema,
  instructorFaultsFor,
  NewInstructorSchema,
} from '../../contract/instructor.ts'
import { findInstructor, listInstructors } from '../../db/school/instructors.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { resourceRoutes } from '../resource-routes.ts'
import { sendJson } from '../responses/entity-tag.ts'
import { begun } from '../responses/list-reply.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

/** Routes for instructors. They are never deleted, but become inactive when they leave. */
export function instructorRoutes(app: App, service: Service): void {
  resourceRoutes(app, service, {
    path: '/instructors',
    tag: 'instructors',
    noun: 'instructor',
    reads: 'look',
    writes: 'plan',
    rows: { schema: InstructorSchema, change: InstructorChangeSchema },
    list: {
      run: (db, actor) => listInstructors(db, actor.tenant.id, ownOf(actor)),
      operationId: 'listInstructors',
      summary: 'List the instructors, by last name, first name, id',
      description: 'Inactive instructors are listed, too. An instructor gets only their own row.',
    },
    add: {
      run: hireInstructor,
      body: NewInstructorSchema,
      faultsFor: instructorFaultsFor,
      refuses: [403, 404],
      operationId: 'hireInstructor',
      summary: 'Hire an instructor',
      description:
        "Only the names are required; omitted limits, breaks and windows take the school's defaults.",
    },
    get: {
      run: async (db, actor, id) => {
        const { own = id } = ownOf(actor)
        return own === id ? findInstructor(db, actor.tenant.id, own) : undefined
      },
      operationId: 'getInstructor',
      summary: 'Read an instructor',
      description: 'Instructors can read only themselves; others are 404.',
    },
    change: {
      run: changeInstructor,
      faultsFor: instructorFaultsFor,
      operationId: 'changeInstructor',
      summary: 'Change an instructor; booked lessons stay, even if they then break a rule',
      description:
        'Send only the fields to change; lists are replaced as a whole. `POST /instructors/{id}/impact` lists the lessons that would break a rule.',
    },
  })
  impactRoute(app, service)
}

function impactRoute(app: App, { db }: Service): void {
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
      params: pathId('instructor'),
      querystring: closed({
        sufficient: Type.Optional(
          Type.Enum(['true', 'false'], {
            description:
              'Lists only as many appointments as have to go for the others to keep the rules: of a day with too many units, the last ones.',
          }),
        ),
      }),
      body: ref(InstructorChangeSchema),
      response: responses({ 200: ref(ImpactSchema) }, 401, 403, 404, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, query, body, slicer } = request
      const asked = { id: params.id, change: body, isSufficient: query.sufficient === 'true' }
      return sendImpact(request, reply, await impactOfChange(db, actor, asked, slicer))
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
  { turn, slicer }: FastifyRequest,
): AsyncGenerator<string> {
  let before = `{"checked":${checked},"appointments":[`
  for (const page of pages) {
    const affected = await turn.read(page)
    if (affected.length === 0) continue
    await slicer.pause()
    yield before + JSON.stringify(affected).slice(1, -1)
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}
