import { addLocation, changeLocation, deleteLocation } from '../../booking/locations.ts'
import { ref } from '../../contract/fields.ts'
import { LocationChangeSchema, LocationSchema, NewLocationSchema } from '../../contract/location.ts'
import { LOCATIONS, listLocations } from '../../db/locations.ts'
import { findRow } from '../../db/resource-rows.ts'
import { operation } from '../operation.ts'
import { sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, intentOf, sendFound, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { readable, sendNoContent } from '../responses/responses.ts'
import { changes, creates, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('location')

export function locationRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/locations',
    operation('locations', {
      permission: 'see_the_catalogue',
      operationId: 'listLocations',
      summary: 'List the locations of the school, by name, id',
      description: 'Schools with one branch usually have none.',
      returns: 'The locations, or a page of them.',
      ...lists(LocationSchema, {}),
    }),
    async (request, reply) => sendList(request, reply, listLocations(db, request.actor.tenant.id)),
  )

  app.post(
    '/locations',
    operation('locations', {
      permission: 'plan',
      operationId: 'addLocation',
      summary: 'Add a location',
      description:
        'Only the name is required. Instructors, vehicles and appointments can then refer to it. 404 if `travel_minutes` names an unknown location.',
      returns: 'The location as stored.',
      ...creates(NewLocationSchema, LocationSchema, 403, 404),
    }),
    async (request, reply) =>
      sendMade(service, reply, (key) => addLocation(db, request.actor, request.body, key)),
  )

  app.get(
    '/locations/:id',
    operation('locations', {
      permission: 'see_the_catalogue',
      operationId: 'getLocation',
      summary: 'Read a location',
      description:
        'Use it to get the version before a change. A deleted location is 404; its history stays readable.',
      returns: 'The location.',
      params,
      response: readable(ref(LocationSchema), 401, 404),
    }),
    async ({ actor, params }, reply) => sendFound(reply, findRow(db, actor.tenant.id, LOCATIONS, params.id)),
  )

  app.patch(
    '/locations/:id',
    operation('locations', {
      permission: 'plan',
      operationId: 'changeLocation',
      summary: 'Change a location',
      description:
        'Send only the fields to change; `travel_minutes` is replaced as a whole, for both locations of each pair.',
      returns: 'The location as changed.',
      params,
      ...changes(LocationChangeSchema, LocationSchema, 404),
    }),
    async (request, reply) =>
      sendVersioned(reply, await changeLocation(db, request.actor, request.params.id, intentOf(request))),
  )

  app.delete(
    '/locations/:id',
    operation('locations', {
      permission: 'plan',
      operationId: 'deleteLocation',
      summary: 'Delete a location that nobody uses',
      description:
        '409 `in_use` while an instructor, a vehicle or an upcoming appointment has it. Past lessons keep it.',
      returns: 'The location is deleted.',
      params,
      ...deletes('The location is deleted', 409),
    }),
    async (request, reply) =>
      sendNoContent(reply, deleteLocation(db, request.actor, request.params.id, expectedVersion(request))),
  )
}
