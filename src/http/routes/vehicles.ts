import { addVehicle, changeVehicle, deleteVehicle, restoreVehicle } from '../../booking/school/vehicles.ts'
import { NewVehicleSchema, vehicleFaultsFor } from '../../contract/vehicle.ts'
import { listVehicles, VEHICLES } from '../../db/school/vehicles.ts'
import { finding, resourceRoutes } from '../resource-routes.ts'
import type { App, Service } from '../service.ts'

export function vehicleRoutes(app: App, service: Service): void {
  resourceRoutes(app, service, {
    path: '/vehicles',
    tag: 'vehicles',
    noun: 'vehicle',
    reads: 'see_the_catalogue',
    writes: 'plan',
    rows: VEHICLES,
    list: {
      run: (db, { tenant }) => listVehicles(db, tenant.id),
      operationId: 'listVehicles',
      summary: 'List the vehicles, by name, id',
      description: 'Inactive vehicles are listed, too.',
    },
    add: {
      run: addVehicle,
      body: NewVehicleSchema,
      faultsFor: vehicleFaultsFor,
      refuses: [403, 404],
      operationId: 'addVehicle',
      summary: 'Add a vehicle',
      description: 'Only name and kind are required. Appointments can then refer to it.',
    },
    get: {
      run: finding(VEHICLES),
      operationId: 'getVehicle',
      summary: 'Read a vehicle',
      description:
        'Use it to get the version before a change. A deleted vehicle is 404; its history stays readable.',
    },
    change: {
      run: changeVehicle,
      faultsFor: vehicleFaultsFor,
      operationId: 'changeVehicle',
      summary: 'Change a vehicle; booked lessons stay, even if they then break a rule',
      description: 'Send only the fields to change; the list of absences is replaced as a whole.',
    },
    remove: {
      run: deleteVehicle,
      refuses: [409],
      operationId: 'deleteVehicle',
      summary: 'Delete a vehicle that no upcoming appointment needs',
      description:
        '409 `in_use` while upcoming appointments need it. Past lessons keep it, and it can be restored.',
    },
    restore: {
      run: restoreVehicle,
      operationId: 'restoreVehicle',
      summary: 'Restore a deleted vehicle',
      description: 'For a vehicle that is not deleted nothing changes.',
    },
  })
}
