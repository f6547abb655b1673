import { planDecisions } from '../../booking/absences/plan-absence.ts'
import { instructorAbsence, vehicleAbsence } from '../../booking/absences/plan-causes.ts'
import { recordDecided } from '../../booking/absences/record-absence.ts'
import { type LadderOrder, ladderInThread } from '../../booking/plans/planner.ts'
import {
  AbsenceRequestSchema,
  absenceFaultsFor,
  decidedAbsenceFaultsFor,
  InstructorAbsenceRequestSchema,
  NewAbsencePlanSchema,
} from '../../contract/absence-plan.ts'
import { ref } from '../../contract/fields.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import type { App, Service } from '../service.ts'
import { decidedChangeRoutes, planned, recorded } from './decided-changes.ts'

const ofInstructor = pathId('instructor')
const ofVehicle = pathId('vehicle')

/** Routes for the absence of an instructor or a vehicle: a plan of the lessons, and the absence with their decisions. */
export function absenceRoutes(app: App, service: Service): void {
  const { db } = service
  decidedChangeRoutes(app, service)

  app.post(
    '/instructors/:id/absence-plan',
    operation('instructors', {
      permission: 'plan',
      reads: true,
      faultsFor: absenceFaultsFor,
      operationId: 'planAbsence',
      summary: 'List the lessons during an absence, with substitutes and other times',
      description:
        'Use it when an instructor falls ill. Nothing is written or reserved. The proposals fit together, and `POST /instructors/{id}/absences` accepts them as decisions.',
      returns: 'The planned lessons during the absence, by start.',
      params: ofInstructor,
      body: ref(InstructorAbsenceRequestSchema),
      response: planned,
    }),
    async ({ actor, params, body, slicer, turn, deadline }) => {
      const { may_move, ...period } = body
      const search = (order: LadderOrder) => {
        turn.giveBack()
        return deadline.beside(() => ladderInThread(actor.tenant.id, order))
      }
      const ladder = may_move === undefined ? undefined : { may_move, search, inTurn: turn.read.bind(turn) }
      return planDecisions(db, actor, { cause: instructorAbsence(params.id, period), slicer, ladder })
    },
  )

  app.post(
    '/instructors/:id/absences',
    operation('instructors', {
      permission: 'plan',
      faultsFor: decidedAbsenceFaultsFor,
      operationId: 'recordAbsence',
      summary: 'Store an absence with a decision on each lesson during it, all or nothing',
      description:
        'The decisions must cover exactly the lessons of the plan, otherwise 409 `plan_outdated`. They are checked together, so that two lessons may swap; a broken rule is a 409 whose `params` name the `decision_appointment_id`. One undo of the set takes all of it back.',
      returns: 'The set, and the lessons as they are now.',
      params: ofInstructor,
      headers: idempotencyKey,
      body: ref(NewAbsencePlanSchema),
      response: recorded,
    }),
    async (request, reply) => {
      const { actor, params, body, slicer } = request
      const { decisions, ...period } = body
      const cause = instructorAbsence(params.id, period)
      const result = await makeOnce(service, request, (key) =>
        recordDecided(db, actor, { cause, decisions, key, slicer }),
      )
      return sendIdempotentResult(reply, result)
    },
  )

  app.post(
    '/vehicles/:id/absence-plan',
    operation('vehicles', {
      permission: 'plan',
      reads: true,
      faultsFor: absenceFaultsFor,
      operationId: 'planVehicleAbsence',
      summary: 'List the lessons with a vehicle during its absence, with other vehicles and other times',
      description:
        'Use it before a vehicle goes to the workshop. Nothing is written or reserved. The proposals fit together, and `POST /vehicles/{id}/absences` accepts them as decisions.',
      returns: 'The planned lessons with the vehicle during the absence, by start.',
      params: ofVehicle,
      body: ref(AbsenceRequestSchema),
      response: planned,
    }),
    async ({ actor, params, body, slicer }) =>
      planDecisions(db, actor, { cause: vehicleAbsence(params.id, body), slicer }),
  )

  app.post(
    '/vehicles/:id/absences',
    operation('vehicles', {
      permission: 'plan',
      faultsFor: decidedAbsenceFaultsFor,
      operationId: 'recordVehicleAbsence',
      summary: "Store a vehicle's absence with a decision on each of its lessons, all or nothing",
      description:
        'The same as `POST /instructors/{id}/absences`, for a vehicle: `other_vehicle` gives a lesson other vehicles at the same time.',
      returns: 'The set, and the lessons as they are now.',
      params: ofVehicle,
      headers: idempotencyKey,
      body: ref(NewAbsencePlanSchema),
      response: recorded,
    }),
    async (request, reply) => {
      const { actor, params, body, slicer } = request
      const { decisions, ...period } = body
      const cause = vehicleAbsence(params.id, period)
      const result = await makeOnce(service, request, (key) =>
        recordDecided(db, actor, { cause, decisions, key, slicer }),
      )
      return sendIdempotentResult(reply, result)
    },
  )
}
