import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { duplicateProperties, LineCount, previewSchema } from './file-import.ts'
import { NewVehicleSchema } from './vehicle.ts'

/** A line whose vehicle probably exists already, or is in an earlier line. */
export const DuplicateVehicleSchema = field.closed(
  duplicateProperties(
    { name: Type.String({ description: 'The name.' }) },
    Type.Enum(['plate', 'name'], {
      description: 'The matching field: `name` if the plates do not differ.',
    }),
    {
      vehicle_id: field.described(
        field.nullable(field.Id),
        'The vehicle of the school; null if it is another line.',
      ),
    },
  ),
  {
    $id: 'DuplicateVehicle',
    description: 'A line whose vehicle probably exists in the school or in an earlier line.',
  },
)
export type DuplicateVehicle = Static<typeof DuplicateVehicleSchema>

export const VehicleImportPreviewSchema = previewSchema(
  'VehicleImportPreview',
  {
    vehicles: LineCount,
    sample: Type.Array(field.ref(NewVehicleSchema), { description: 'The first vehicles without a fault.' }),
    duplicates: Type.Array(field.ref(DuplicateVehicleSchema), {
      description: 'The probable duplicates by line, among the lines without a fault.',
    }),
  },
  {
    columns: [
      { heading: 'Name', column: 'name', example: 'Golf 1' },
      { heading: 'Art', column: 'kind', example: 'Auto' },
    ],
    vehicles: 1,
    sample: [{ name: 'Golf 1', kind: 'car' }],
    duplicates: [
      {
        line: 2,
        name: 'Golf 1',
        likeness: 'name',
        same_as: { vehicle_id: example.vehicle.id, line: null, name: 'Golf 1' },
      },
    ],
  },
)
export type VehicleImportPreview = Static<typeof VehicleImportPreviewSchema>
