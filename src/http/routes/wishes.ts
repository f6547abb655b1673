import { Type } from 'typebox'
import { seenStudentsOf } from '../../auth/permissions.ts'
import { addWish, withdrawWish } from '../../booking/students/wishes.ts'
import { described, Id, ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import { NewWishSchema, WishSchema, wishFaultsFor } from '../../contract/wish.ts'
import { findStudent } from '../../db/students/students.ts'
import { findWish, listWishes } from '../../db/students/wishes.ts'
import { operation } from '../operation.ts'
import { makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { readable, sendNoContent } from '../responses/responses.ts'
import { creates, deletes, lists } from '../route-schemas.ts'
import { API_PREFIX, type App, type Service } from '../service.ts'

const params = pathId('student')
const wishParams = Type.Object({
  ...params.properties,
  wish_id: described(Id, 'The id of the wish. One that is malformed, unknown or of another student is 404.'),
})

/** Routes for the wishes of students. */
export function wishRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/students/:id/wishes',
    operation('gaps', {
      permission: 'look',
      operationId: 'listWishes',
      summary: "List a student's wishes for lessons, oldest first",
      description: 'Instructors can read it for the students whom they see.',
      returns: 'The wishes, or a page of them.',
      params,
      ...lists(WishSchema, {}, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      if (!(await findStudent(db, actor.tenant.id, params.id, seenStudentsOf(actor)))) throw notFound()
      return sendList(request, reply, listWishes(db, actor.tenant.id, params.id))
    },
  )

  app.post(
    '/students/:id/wishes',
    operation('gaps', {
      permission: 'plan',
      faultsFor: wishFaultsFor,
      operationId: 'addWish',
      summary: 'Add a wish of a student',
      description:
        '`GET /gaps` lists the student for matching free times. A student has at most 20 wishes that have not expired, otherwise 400 `too_many`; an unknown instructor or lesson type is 404.',
      returns: 'The wish as stored.',
      params,
      ...creates(NewWishSchema, WishSchema, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const result = await makeOnce(service, request, (key) =>
        addWish(db, actor, params.id, { wish: body, key }),
      )
      reply.code(201).header('location', `${API_PREFIX}/students/${params.id}/wishes/${result.value.id}`)
      return sendIdempotentResult(reply, { ...result, value: sendVersioned(reply, result.value) })
    },
  )

  app.get(
    '/students/:id/wishes/:wish_id',
    operation('gaps', {
      permission: 'look',
      operationId: 'getWish',
      summary: 'Read a wish of a student',
      description: 'Instructors can read it for the students whom they see. A withdrawn wish is 404.',
      returns: 'The wish.',
      params: wishParams,
      response: readable(ref(WishSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const { id: student_id, wish_id } = params
      if (!(await findStudent(db, actor.tenant.id, student_id, seenStudentsOf(actor)))) throw notFound()
      const wish = await findWish(db, actor.tenant.id, { student_id, wish_id })
      if (!wish) throw notFound()
      return sendVersioned(reply, wish)
    },
  )

  app.delete(
    '/students/:id/wishes/:wish_id',
    operation('gaps', {
      permission: 'plan',
      operationId: 'withdrawWish',
      summary: 'Withdraw a wish of a student',
      description: 'An open offer that answers it ends for the student.',
      params: wishParams,
      ...deletes('The wish is withdrawn'),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const { id: student_id, wish_id } = params
      await withdrawWish(db, actor, { student_id, wish_id, isExpected: expectedVersion(request) })
      return sendNoContent(reply)
    },
  )
}
