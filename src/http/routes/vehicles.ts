import { addVehicle, changeVehicle, deleteVehicle, restoreVehicle } from '../../booking/change-vehicle.ts'
import { ref } from '../../contract/fields.ts'
import {
  NewVehicleSchema,
  VehicleChangeSchema,
  VehicleSchema,
  vehicleFaultsFor,
} from '../../contract/vehicle.ts'
import { findRow } from '../../db/resource-rows.ts'
import { listVehicles, VEHICLES } from '../../db/vehicles.ts'
import { operation } from '../operation.ts'
import { sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, intentOf, sendFound, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses, sendNoContent } from '../responses/responses.ts'
import { changes, creates, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('vehicle')

export function vehicleRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/vehicles',
    operation('vehicles', {
      permission: 'see_the_catalogue',
      operationId: 'listVehicles',
      summary: 'List the vehicles, by name, id',
      description: 'Inactive vehicles are listed, too.',
      returns: 'The vehicles, or a page of them.',
      ...lists(VehicleSchema, {}),
    }),
    async (request, reply) => sendList(request, reply, listVehicles(db, request.actor.tenant.id)),
  )

  app.post(
    '/vehicles',
    operation('vehicles', {
      permission: 'plan',
      faultsFor: vehicleFaultsFor,
      operationId: 'addVehicle',
      summary: 'Add a vehicle',
      description: 'Only name and kind are required. Appointments can then refer to it.',
      returns: 'The vehicle as stored.',
      ...creates(NewVehicleSchema, VehicleSchema, 403, 404),
    }),
    async (request, reply) =>
      sendMade(service, reply, (key) => addVehicle(db, request.actor, request.body, key)),
  )

  app.get(
    '/vehicles/:id',
    operation('vehicles', {
      permission: 'see_the_catalogue',
      operationId: 'getVehicle',
      summary: 'Read a vehicle',
      description:
        'Use it to get the version before a change. A deleted vehicle is 404; its history stays readable.',
      returns: 'The vehicle.',
      params,
      response: readable(ref(VehicleSchema), 401, 404),
    }),
    async ({ actor, params }, reply) => sendFound(reply, findRow(db, actor.tenant.id, VEHICLES, params.id)),
  )

  app.patch(
    '/vehicles/:id',
    operation('vehicles', {
      permission: 'plan',
      faultsFor: vehicleFaultsFor,
      operationId: 'changeVehicle',
      summary: 'Change a vehicle; booked lessons stay, even if they then break a rule',
      description: 'Send only the fields to change; the list of absences is replaced as a whole.',
      returns: 'The vehicle as changed.',
      params,
      ...changes(VehicleChangeSchema, VehicleSchema, 404),
    }),
    async (request, reply) =>
      sendVersioned(reply, await changeVehicle(db, request.actor, request.params.id, intentOf(request))),
  )

  app.delete(
    '/vehicles/:id',
    operation('vehicles', {
      permission: 'plan',
      operationId: 'deleteVehicle',
      summary: 'Delete a vehicle that no upcoming appointment needs',
      description:
        '409 `in_use` while upcoming appointments need it. Past lessons keep it, and it can be restored.',
      returns: 'The vehicle is deleted.',
      params,
      ...deletes('The vehicle is deleted', 409),
    }),
    async (request, reply) =>
      sendNoContent(reply, deleteVehicle(db, request.actor, request.params.id, expectedVersion(request))),
  )

  app.post(
    '/vehicles/:id/restore',
    operation('vehicles', {
      permission: 'plan',
      operationId: 'restoreVehicle',
      summary: 'Restore a deleted vehicle',
      description: 'For a vehicle that is not deleted nothing changes.',
      returns: 'The vehicle as restored.',
      params,
      sends: ['ETag'],
      response: responses({ 200: ref(VehicleSchema) }, 401, 403, 404, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params } = request
      return sendVersioned(reply, await restoreVehicle(db, actor, params.id))
    },
  )
}
