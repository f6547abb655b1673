import { addLocation, changeLocation, deleteLocation } from '../../booking/school/locations.ts'
import { NewLocationSchema } from '../../contract/location.ts'
import { LOCATIONS, listLocations } from '../../db/school/locations.ts'
import { finding, resourceRoutes } from '../resource-routes.ts'
import type { App, Service } from '../service.ts'

export function locationRoutes(app: App, service: Service): void {
  resourceRoutes(app, service, {
    path: '/locations',
    tag: 'locations',
    noun: 'location',
    reads: 'see_the_catalogue',
    writes: 'plan',
    rows: LOCATIONS,
    list: {
      run: (db, { tenant }) => listLocations(db, tenant.id),
      operationId: 'listLocations',
      summary: 'List the locations of the school, by name, id',
      description: 'Schools with one branch usually have none.',
    },
    add: {
      run: addLocation,
      body: NewLocationSchema,
      refuses: [403, 404],
      operationId: 'addLocation',
      summary: 'Add a location',
      description:
        'Only the name is required. Instructors, vehicles and appointments can then refer to it. 404 if `travel_minutes` names an unknown location.',
    },
    get: {
      run: finding(LOCATIONS),
      operationId: 'getLocation',
      summary: 'Read a location',
      description:
        'Use it to get the version before a change. A deleted location is 404; its history stays readable.',
    },
    change: {
      run: changeLocation,
      operationId: 'changeLocation',
      summary: 'Change a location',
      description:
        'Send only the fields to change; `travel_minutes` is replaced as a whole, for both locations of each pair.',
    },
    remove: {
      run: deleteLocation,
      refuses: [409],
      operationId: 'deleteLocation',
      summary: 'Delete a location that nobody uses',
      description:
        '409 `in_use` while an instructor, a vehicle or an upcoming appointment has it. Past lessons keep it.',
    },
  })
}
