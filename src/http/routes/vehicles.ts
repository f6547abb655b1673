import { addVehicle, changeVehicle, deleteVehicle, restoreVehicle } from '../../booking/change-vehicle.ts'
import { ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import {
  NewVehicleSchema,
  VehicleChangeSchema,
  VehicleSchema,
  vehicleFaultsFor,
} from '../../contract/vehicle.ts'
import { findVehicle, listVehicles } from '../../db/vehicles.ts'
import { sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, intentOf, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses, sendNoContent } from '../responses/responses.ts'
import { changes, creates, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const tags = ['vehicles']
const params = pathId('vehicle')

export function vehicleRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/vehicles',
    {
      config: { permission: 'see_the_catalogue' },
      schema: {
        tags,
        operationId: 'listVehicles',
        summary: 'List the vehicles, by name, id',
        description: 'Inactive vehicles are listed, too.',
        returns: 'The vehicles, or a page of them.',
        ...lists(VehicleSchema, {}),
      },
    },
    async (request, reply) => sendList(request, reply, listVehicles(db, request.actor.tenant.id)),
  )

  app.post(
    '/vehicles',
    {
      config: { permission: 'plan', faultsFor: vehicleFaultsFor },
      schema: {
        tags,
        operationId: 'addVehicle',
        summary: 'Add a vehicle',
        description: 'Only name and kind are required. Appointments can then refer to it.',
        returns: 'The vehicle as stored.',
        ...creates(NewVehicleSchema, VehicleSchema, 403, 404),
      },
    },
    async (request, reply) =>
      sendMade(service, reply, (key) => addVehicle(db, request.actor, request.body, key)),
  )

  app.get(
    '/vehicles/:id',
    {
      config: { permission: 'see_the_catalogue' },
      schema: {
        tags,
        operationId: 'getVehicle',
        summary: 'Read a vehicle',
        description:
          'Use it to get the version before a change. A deleted vehicle is 404; its history stays readable.',
        returns: 'The vehicle.',
        params,
        response: readable(ref(VehicleSchema), 401, 404),
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const vehicle = await findVehicle(db, actor.tenant.id, params.id)
      if (!vehicle) throw notFound()
      return sendVersioned(request, reply, vehicle)
    },
  )

  app.patch(
    '/vehicles/:id',
    {
      config: { permission: 'plan', faultsFor: vehicleFaultsFor },
      schema: {
        tags,
        operationId: 'changeVehicle',
        summary: 'Change a vehicle; booked lessons stay, even if they then break a rule',
        description: 'Send only the fields to change; the list of absences is replaced as a whole.',
        returns: 'The vehicle as changed.',
        params,
        ...changes(VehicleChangeSchema, VehicleSchema, 404),
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      return sendVersioned(request, reply, await changeVehicle(db, actor, params.id, intentOf(request)))
    },
  )

  app.delete(
    '/vehicles/:id',
    {
      config: { permission: 'plan' },
      schema: {
        tags,
        operationId: 'deleteVehicle',
        summary: 'Delete a vehicle that no upcoming appointment needs',
        description:
          '409 `in_use` while upcoming appointments need it. Past lessons keep it, and it can be restored.',
        returns: 'The vehicle is deleted.',
        params,
        ...deletes('The vehicle is deleted', 409),
      },
    },
    async (request, reply) =>
      sendNoContent(reply, deleteVehicle(db, request.actor, request.params.id, expectedVersion(request))),
  )

  app.post(
    '/vehicles/:id/restore',
    {
      config: { permission: 'plan' },
      schema: {
        tags,
        operationId: 'restoreVehicle',
        summary: 'Restore a deleted vehicle',
        description: 'For a vehicle that is not deleted nothing changes.',
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
