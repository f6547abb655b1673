import { Type } from 'typebox'
import { planDecisions } from '../../booking/absences/plan-absence.ts'
import { instructorChange, schoolClosure, vehicleRetirement } from '../../booking/absences/plan-causes.ts'
import { recordDecided } from '../../booking/absences/record-absence.ts'
import { AbsencePlanSchema, AbsenceSetSchema } from '../../contract/absence-plan.ts'
import { NewClosureSchema } from '../../contract/closure.ts'
import {
  closurePlanFaultsFor,
  DecidedClosureSchema,
  DecidedInstructorChangeSchema,
  DecidedVehicleRetirementSchema,
  decidedChangeFaultsFor,
  decidedClosureFaultsFor,
  decidedRetirementFaultsFor,
  VehicleRetirementSchema,
} from '../../contract/decided-changes.ts'
import { ref } from '../../contract/fields.ts'
import { InstructorChangeSchema, instructorFaultsFor } from '../../contract/instructor.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, ifMatch } from '../responses/entity-tag.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('instructor')
const ofVehicle = pathId('vehicle')

export const planned = responses({ 200: ref(AbsencePlanSchema) }, 401, 403, 404, ...BODY)
export const recorded = responses({ 200: ref(AbsenceSetSchema) }, 401, 403, 404, 409, 412, 422, ...BODY)

/** Routes for closed days and changes of an instructor with a decision on each lesson, planned as an absence is. */
export function decidedChangeRoutes(app: App, service: Service): void {
  const { db } = service

  app.post(
    '/closures/plan',
    operation('closed days', {
      permission: 'plan',
      reads: true,
      faultsFor: closurePlanFaultsFor,
      operationId: 'planClosure',
      summary: 'List the lessons on days to be closed, with other times',
      description:
        'Use it before closing the school. Nothing is written or reserved. The proposals fit together, and `POST /closures/decided` accepts them as decisions.',
      returns: 'The planned lessons of all instructors on these days, by start.',
      body: ref(NewClosureSchema),
      response: planned,
    }),
    async ({ actor, body, slicer }) => planDecisions(db, actor, { cause: schoolClosure(body), slicer }),
  )

  app.post(
    '/closures/decided',
    operation('closed days', {
      permission: 'plan',
      faultsFor: decidedClosureFaultsFor,
      operationId: 'closeSchoolDecided',
      summary: 'Close the school with a decision on each lesson of the days, all or nothing',
      description:
        'The same as `POST /instructors/{id}/absences`, for the whole school. One undo of the set opens the days and takes every decision back.',
      returns: 'The set, and the lessons as they are now.',
      headers: idempotencyKey,
      body: ref(DecidedClosureSchema),
      response: recorded,
    }),
    async (request, reply) => {
      const { actor, body, slicer } = request
      const { decisions, ...closure } = body
      const cause = schoolClosure(closure)
      const result = await makeOnce(service, request, (key) =>
        recordDecided(db, actor, { cause, decisions, key, slicer }),
      )
      return sendIdempotentResult(reply, result)
    },
  )

  app.post(
    '/instructors/:id/change-plan',
    operation('instructors', {
      permission: 'plan',
      reads: true,
      faultsFor: instructorFaultsFor,
      operationId: 'planInstructorChange',
      summary:
        'List the upcoming lessons that a change of hours or limits affects, with substitutes and other times',
      description:
        'Send the change as you would to `PATCH /instructors/{id}`. Where a day or week has too many units, its last lessons are listed, as many as have to go. The proposals fit together, and `POST /instructors/{id}/changes` accepts them as decisions.',
      returns: 'The planned lessons without which the others keep the rules, by start.',
      params,
      body: ref(InstructorChangeSchema),
      response: planned,
    }),
    async ({ actor, params: { id }, body, slicer }) =>
      planDecisions(db, actor, { cause: instructorChange(id, body), slicer }),
  )

  app.post(
    '/instructors/:id/changes',
    operation('instructors', {
      permission: 'plan',
      faultsFor: decidedChangeFaultsFor,
      operationId: 'recordInstructorChange',
      summary: 'Change an instructor with a decision on each lesson that no longer fits, all or nothing',
      description:
        'The same as `POST /instructors/{id}/absences`, for a change as `PATCH /instructors/{id}` takes it. With `If-Match` another version is a 412.',
      returns: 'The set, and the lessons as they are now.',
      params,
      headers: Type.Object({ ...idempotencyKey.properties, ...ifMatch.properties }),
      body: ref(DecidedInstructorChangeSchema),
      response: recorded,
    }),
    async (request, reply) => {
      const {
        actor,
        params: { id },
        body,
        slicer,
      } = request
      const { decisions, ...change } = body
      const cause = instructorChange(id, change, expectedVersion(request))
      const result = await makeOnce(service, request, (key) =>
        recordDecided(db, actor, { cause, decisions, key, slicer }),
      )
      return sendIdempotentResult(reply, result)
    },
  )

  app.post(
    '/vehicles/:id/change-plan',
    operation('vehicles', {
      permission: 'plan',
      reads: true,
      operationId: 'planVehicleRetirement',
      summary:
        'List the upcoming lessons with a vehicle that is no longer used, with other vehicles and times',
      description:
        'Use it before a vehicle is sold or deleted. Nothing is written or reserved. The proposals fit together, and `POST /vehicles/{id}/changes` accepts them as decisions.',
      returns: 'The planned lessons with the vehicle that have not ended, by start.',
      params: ofVehicle,
      body: ref(VehicleRetirementSchema),
      response: planned,
    }),
    async ({ actor, params: { id }, slicer }) =>
      planDecisions(db, actor, { cause: vehicleRetirement(id), slicer }),
  )

  app.post(
    '/vehicles/:id/changes',
    operation('vehicles', {
      permission: 'plan',
      faultsFor: decidedRetirementFaultsFor,
      operationId: 'recordVehicleRetirement',
      summary: 'Take a vehicle out of use with a decision on each of its lessons, all or nothing',
      description:
        'The same as `POST /vehicles/{id}/absences`, for a vehicle that is no longer used. With `If-Match` another version is a 412.',
      returns: 'The set, and the lessons as they are now.',
      params: ofVehicle,
      headers: Type.Object({ ...idempotencyKey.properties, ...ifMatch.properties }),
      body: ref(DecidedVehicleRetirementSchema),
      response: recorded,
    }),
    async (request, reply) => {
      const {
        actor,
        params: { id },
        body: { decisions },
        slicer,
      } = request
      const cause = vehicleRetirement(id, expectedVersion(request))
      const result = await makeOnce(service, request, (key) =>
        recordDecided(db, actor, { cause, decisions, key, slicer }),
      )
      return sendIdempotentResult(reply, result)
    },
  )
}
