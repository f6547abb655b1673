import { requireProof } from '../../auth/proof.ts'
import { endRestriction, eraseStudent } from '../../booking/students/erase-student.ts'
import type { Actor } from '../../contract/actor.ts'
import { type Erasure, ErasureSchema, type NewErasure, NewErasureSchema } from '../../contract/erasure.ts'
import { ref } from '../../contract/fields.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { sqlStateOf } from '../../db/connection/transaction.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { pathId } from '../requests/path-id.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('student')

/** The code of PostgreSQL. */
const INSUFFICIENT_PRIVILEGE = '42501'

/** Routes for the erasure of students by an owner. */
export function erasureRoutes(app: App, service: Service): void {
  const { db } = service

  app.post(
    '/students/:id/erasure',
    operation('students', {
      permission: 'run_the_school',
      operationId: 'eraseStudent',
      summary: 'Erase a student for good, or all but the training record; needs a recent proof',
      description:
        'Only for owners, with a proof of the last five minutes (`POST /auth/proof`). A student who is not deleted is deleted first. Lessons stay as evidence of worked time, without the student. While the law of the country wants the training record kept, or an enrolment is open, name, date of birth, address, enrolments, lessons, credits and tests stay, and the student is `restricted`: hidden from everybody, except that owners list them with `restricted=true`. Repeat the request after that day to erase the rest.',
      returns: 'The outcome.',
      params,
      body: ref(NewErasureSchema),
      response: responses({ 200: ref(ErasureSchema) }, 401, 403, 404, 409, ...BODY),
    }),
    async (request) => {
      const { actor, params, session, body } = request
      await requireProof(db, session)
      const erasure = await eraseAsOwner(service, actor, params.id, body)
      logAccess(request, `student_${erasure.state}`)
      return erasure
    },
  )

  app.delete(
    '/students/:id/erasure',
    operation('students', {
      permission: 'run_the_school',
      operationId: 'endRestriction',
      summary: 'End the restriction of a student',
      description:
        'Erased data stays erased. The student is a deleted one again, and can be restored. 404 if the student is not restricted.',
      params,
      response: responses({ 204: noContent('The restriction is ended') }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params }, reply) => sendNoContent(reply, endRestriction(db, actor, params.id)),
  )
}

/** Runs work as the owner of the tables. Throws `owner_role_needed` if the service does not know that role. */
export async function asTableOwner<Result>(
  { asOwner }: Pick<Service, 'asOwner'>,
  work: (db: DatabasePool) => Promise<Result>,
): Promise<Result> {
  return asOwner(work).catch((error) => {
    throw sqlStateOf(error) === INSUFFICIENT_PRIVILEGE ? new Problem('owner_role_needed') : error
  })
}

async function eraseAsOwner(
  service: Service,
  actor: Actor,
  id: string,
  { reason, agreed = false }: NewErasure,
): Promise<Erasure> {
  const {
    outcome,
    texts,
    until = null,
  } = await asTableOwner(service, (owner) =>
    eraseStudent(owner, actor, id, { isAgreed: agreed, hides: true, reason }),
  )
  if (outcome === 'on_hold') throw new Problem('on_hold', { params: { until } })
  if (outcome === 'not_agreed') throw new Problem('mentioned_elsewhere', { params: { texts } })
  if (outcome !== 'erased' && outcome !== 'restricted') throw notFound()
  return { state: outcome, until }
}
