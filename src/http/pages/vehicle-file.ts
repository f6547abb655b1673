import { findDuplicateVehicles, planVehicles } from '../../booking/imports/import-vehicles.ts'
import { strictAjv } from '../../contract/strict-ajv.ts'
import { type NewVehicle, NewVehicleSchema } from '../../contract/vehicle.ts'
import type { VehicleImportPreview } from '../../contract/vehicle-import.ts'
import { type VehicleColumn, vehicleColumns, vehicleLines } from '../../csv/vehicle-lines.ts'
import { readLicenseClasses } from '../../db/school/license-class-templates.ts'
import { MAX_IMPORTED_VEHICLES } from '../../domain/ranges.ts'
import { onFirstUse } from '../on-first-use.ts'
import { importedFile } from './imported-files.ts'

export const vehicleFile = importedFile<NewVehicle, VehicleColumn, VehicleImportPreview>({
  columns: vehicleColumns,
  required: ['name', 'kind'],
  mostLines: MAX_IMPORTED_VEHICLES,
  validator: onFirstUse(() => strictAjv().compile(NewVehicleSchema)),
  columnsByField: {},
  linesIn: async (table, reading, { db, actor: { tenant } }) =>
    vehicleLines(table, { ...reading, classes: await readLicenseClasses(db, tenant.id) }),
  plan: planVehicles,
  preview: async ({ lines, count, sample, outline }, { db, actor, slicer }) => ({
    ...outline,
    vehicles: count,
    sample,
    duplicates: await findDuplicateVehicles(db, actor.tenant.id, lines, slicer),
  }),
})
