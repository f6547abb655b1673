import { shareLink, unshareLink } from '../../booking/users/share-link.ts'
import { ref } from '../../contract/fields.ts'
import { MadeLinkSchema, StudentLinkStateSchema } from '../../contract/link.ts'
import { notFound } from '../../contract/problem.ts'
import { findLink } from '../../db/students/links.ts'
import { findStudent } from '../../db/students/students.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, sendLink } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, readable, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('student')
const kind = 'student_link'

export function studentLinkRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/students/:id/link',
    operation('links', {
      permission: 'plan',
      operationId: 'getStudentLink',
      summary: "Read whether the student's page has a link, since when, and when it was last opened",
      description:
        'Use it to show whether the student can open their page. The address itself is never shown again.',
      returns: 'The link, or null.',
      params,
      response: readable(ref(StudentLinkStateSchema), 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const { id } = params
      if (!(await findStudent(db, actor.tenant.id, id))) throw notFound()
      const link = await findLink(db, actor.tenant.id, { kind, id })
      const shown = link && { created_at: link.created_at, used_at: link.used_at }
      return sendWhole(request, reply, JSON.stringify({ link: shown ?? null }))
    },
  )

  app.post(
    '/students/:id/link',
    operation('links', {
      compress: false,
      permission: 'plan',
      operationId: 'makeStudentLink',
      summary: "Create a link to the student's page; an earlier one ends",
      description:
        "Pass the address on to the student: it opens a page with their upcoming lessons, without a login. The school's `student_actions` determine the actions that are available there after a proof.",
      returns:
        'The secret address of the page, shown only once, and to a retry with the same `Idempotency-Key`.',
      params,
      headers: idempotencyKey,
      response: responses({ 200: ref(MadeLinkSchema) }, 401, 403, 404, 409, 422, 429, ...BODY),
    }),
    async ({ actor, params: { id } }, reply) => {
      const urlOf = (token: string) => `${serviceUrl(app, service)}/s/${token}`
      const { linkSeals: seals } = service
      return sendLink(service, reply, (key) =>
        shareLink(service.db, actor, { kind, id }, { urlOf, seals, key }),
      )
    },
  )

  app.delete(
    '/students/:id/link',
    operation('links', {
      permission: 'plan',
      operationId: 'endStudentLink',
      summary: "End the link to the student's page, if there is one",
      description: 'The address stops working at once. Without a link nothing changes.',
      params,
      response: responses({ 204: noContent('There is no link') }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params: { id } }, reply) => sendNoContent(reply, unshareLink(db, actor, { kind, id })),
  )
}
