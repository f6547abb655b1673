import { Type } from 'typebox'
import { addVehicle, changeVehicle, deleteVehicle, restoreVehicle } from '../../booking/change-vehicle.ts'
import { closed, ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import {
  NewVehicleSchema,
  VehicleChangeSchema,
  VehicleSchema,
  vehicleFaultsFor,
} from '../../contract/vehicle.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { findVehicle, listVehicles } from '../../db/vehicles.ts'
import { idempotencyKey, makeOnce, sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, ifMatch, sendVersioned } from '../responses/entity-tag.ts'
import { pageParameters, sendList } from '../responses/list-reply.ts'
import { BODY, noContent, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const tags = ['vehicles']
const params = pathId('vehicle')

export function vehicleRoutes(app: App, service: Service): void {
  listRoute(app, service)
  addRoute(app, service)
  readRoute(app, service)
  changeRoute(app, service)
  deleteRoute(app, service)
  restoreRoute(app, service)
}

function listRoute(app: App, { db }: Service): void {
  app.get(
    '/vehicles',
    {
      config: { permission: 'see_the_catalogue' },
      schema: {
        tags,
        operationId: 'listVehicles',
        summary: 'List the vehicles, by name, id',
        description:
          'Inactive vehicles are listed, too. The list is empty in a school that enters no vehicles.',
        returns: 'The vehicles, or a page of them.',
        querystring: closed(pageParameters),
        response: responses(
          { 200: Type.Array(ref(VehicleSchema)), 304: noContent('You have the current version') },
          401,
        ),
      },
    },
    async (request, reply) => sendList(request, reply, listVehicles(db, request.actor.tenant.id)),
  )
}

function addRoute(app: App, service: Service): void {
  app.post(
    '/vehicles',
    {
      config: { permission: 'plan', faultsFor: vehicleFaultsFor },
      schema: {
        tags,
        operationId: 'addVehicle',
        summary: 'Add a vehicle',
        description: 'Only name and kind are required. From then on appointments can have it.',
        returns: 'The vehicle as stored.',
        headers: idempotencyKey,
        body: ref(NewVehicleSchema),
        sends: ['Location', 'ETag'],
        response: responses({ 201: ref(VehicleSchema) }, 401, 403, 404, 409, 422, ...BODY),
      },
    },
    async (request, reply) => {
      const make = (key?: IdempotencyKey) => addVehicle(service.db, request.actor, request.body, key)
      return sendMade(request, reply, await makeOnce(service, request, make))
    },
  )
}

function readRoute(app: App, { db }: Service): void {
  app.get(
    '/vehicles/:id',
    {
      config: { permission: 'see_the_catalogue' },
      schema: {
        tags,
        operationId: 'getVehicle',
        summary: 'Read a vehicle',
        description:
          'Use it for the version to change. A deleted vehicle is 404; the history stays readable.',
        returns: 'The vehicle.',
        params,
        response: responses(
          { 200: ref(VehicleSchema), 304: noContent('You have the current version') },
          401,
          404,
        ),
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const vehicle = await findVehicle(db, actor.tenant.id, params.id)
      if (!vehicle) throw notFound()
      return sendVersioned(request, reply, vehicle)
    },
  )
}

function changeRoute(app: App, { db }: Service): void {
  app.patch(
    '/vehicles/:id',
    {
      config: { permission: 'plan', faultsFor: vehicleFaultsFor },
      schema: {
        tags,
        operationId: 'changeVehicle',
        summary: 'Change a vehicle, even if lessons then break a rule',
        description:
          'Send only the fields to change; the list of absences is replaced whole. Booked lessons stay as they are.',
        returns: 'The vehicle as changed.',
        params,
        headers: ifMatch,
        body: ref(VehicleChangeSchema),
        sends: ['ETag'],
        response: responses({ 200: ref(VehicleSchema) }, 401, 403, 404, 412, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const intent = { change: body, isExpected: expectedVersion(request) }
      return sendVersioned(request, reply, await changeVehicle(db, actor, params.id, intent))
    },
  )
}

function deleteRoute(app: App, { db }: Service): void {
  app.delete(
    '/vehicles/:id',
    {
      config: { permission: 'plan' },
      schema: {
        tags,
        operationId: 'deleteVehicle',
        summary: 'Delete a vehicle that no upcoming appointment has',
        description:
          '409 `in_use` while upcoming appointments have it. Past lessons keep it, and it can be restored.',
        returns: 'The vehicle is deleted.',
        params,
        headers: ifMatch,
        response: responses({ 204: noContent('The vehicle is deleted') }, 401, 403, 404, 409, 412, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      await deleteVehicle(db, actor, params.id, expectedVersion(request))
      reply.code(204)
      return null
    },
  )
}

function restoreRoute(app: App, { db }: Service): void {
  app.post(
    '/vehicles/:id/restore',
    {
      config: { permission: 'plan' },
      schema: {
        tags,
        operationId: 'restoreVehicle',
        summary: 'Restore a deleted vehicle',
        description: 'A vehicle that is not deleted stays as it is.',
        returns: 'The vehicle as restored.',
        params,
        sends: ['ETag'],
        response: responses({ 200: ref(VehicleSchema) }, 401, 403, 404, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      return sendVersioned(request, reply, await restoreVehicle(db, actor, params.id))
    },
  )
}
