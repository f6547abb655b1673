import { Type } from 'typebox'
import { ownOf } from '../../auth/may.ts'
import { changeInstructor, hireInstructor } from '../../booking/change-instructor.ts'
import { impactOfChange } from '../../booking/instructor-impact.ts'
import { closed, Id, ref } from '../../contract/fields.ts'
import { ImpactSchema } from '../../contract/impact.ts'
import {
  InstructorChangeSchema,
  InstructorSchema,
  instructorFaultsFor,
  NewInstructorSchema,
} from '../../contract/instructor.ts'
import { notFound } from '../../contract/problem.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { findInstructor, listInstructors } from '../../db/instructors.ts'
import { answers, BODY, empty } from '../answers.ts'
import { expectedVersion, ifMatch, sendVersioned } from '../entity-tag.ts'
import { idempotencyKey, makeOnce, sendMade } from '../idempotency.ts'
import { sendImpact } from '../impact-reply.ts'
import { pageParameters, sendList } from '../list-reply.ts'
import type { App, Service } from '../service.ts'

const tags = ['instructors']
const params = Type.Object({ id: Id })

/** Instructors: list, read, hire, change, and ask what a change would do. There is no deletion; an instructor who leaves becomes inactive. */
export function instructorRoutes(app: App, service: Service): void {
  listRoute(app, service)
  hireRoute(app, service)
  readRoute(app, service)
  changeRoute(app, service)
  impactRoute(app, service)
}

function listRoute(app: App, { db }: Service): void {
  app.get(
    '/instructors',
    {
      config: { may: 'look' },
      schema: {
        tags,
        operationId: 'listInstructors',
        summary: 'List the instructors, by last name, first name, id',
        querystring: closed(pageParameters),
        response: answers({ 200: Type.Array(ref(InstructorSchema)), 304: empty('Not modified') }, 401),
      },
    },
    async (request, reply) =>
      sendList(request, reply, listInstructors(db, request.actor.tenant.id, ownOf(request.actor))),
  )
}

function hireRoute(app: App, service: Service): void {
  app.post(
    '/instructors',
    {
      config: { may: 'plan', faultsFor: instructorFaultsFor },
      schema: {
        tags,
        operationId: 'hireInstructor',
        summary: 'Hire an instructor',
        headers: idempotencyKey,
        body: ref(NewInstructorSchema),
        response: answers({ 201: ref(InstructorSchema) }, 401, 403, 404, 409, 422, ...BODY),
      },
    },
    async (request, reply) => {
      const make = (key?: IdempotencyKey) => hireInstructor(service.db, request.actor, request.body, key)
      return sendMade(request, reply, await makeOnce(service, request, make))
    },
  )
}

function readRoute(app: App, { db }: Service): void {
  app.get(
    '/instructors/:id',
    {
      config: { may: 'look' },
      schema: {
        tags,
        operationId: 'getInstructor',
        summary: 'Read an instructor',
        params,
        response: answers({ 200: ref(InstructorSchema), 304: empty('Not modified') }, 401, 404),
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const { own = params.id } = ownOf(actor)
      const instructor = own === params.id ? await findInstructor(db, actor.tenant.id, own) : undefined
      if (!instructor) throw notFound()
      return sendVersioned(request, reply, instructor)
    },
  )
}

function changeRoute(app: App, { db }: Service): void {
  app.patch(
    '/instructors/:id',
    {
      config: { may: 'plan', faultsFor: instructorFaultsFor },
      schema: {
        tags,
        operationId: 'changeInstructor',
        summary: 'Change an instructor, even if lessons then break a rule',
        params,
        headers: ifMatch,
        body: ref(InstructorChangeSchema),
        response: answers({ 200: ref(InstructorSchema) }, 401, 403, 404, 412, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const intent = { change: body, isExpected: expectedVersion(request) }
      return sendVersioned(request, reply, await changeInstructor(db, actor, params.id, intent))
    },
  )
}

function impactRoute(app: App, { db }: Service): void {
  app.post(
    '/instructors/:id/impact',
    {
      config: { may: 'plan', faultsFor: instructorFaultsFor },
      schema: {
        tags,
        operationId: 'instructorImpact',
        summary: 'Which coming appointments a change would make break a rule; nothing is written',
        params,
        body: ref(InstructorChangeSchema),
        response: answers({ 200: ref(ImpactSchema) }, 401, 403, 404, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, params, body, pieces } = request
      const change = { id: params.id, change: body }
      return sendImpact(request, reply, await impactOfChange(db, actor, change, pieces))
    },
  )
}
