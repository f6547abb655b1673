import { type Static, Type } from 'typebox'
import * as range from '../domain/ranges.ts'
import { VEHICLE_KINDS } from '../domain/vehicles.ts'
import { absenceTimeFaultsFor } from './absence-times.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

export const VehicleKindSchema = Type.Enum([...VEHICLE_KINDS], { description: 'The kind of vehicle.' })

const times = {
  start_at: field.described(field.LocalDateTime, "The start on the school's wall clock, `YYYY-MM-DD HH:MM`."),
  end_at: field.described(
    field.LocalDateTime,
    "The end on the school's wall clock, after `start_at`; an absence may last for weeks.",
  ),
}
const note = field.described(field.nullable(field.Notes), 'A note; null if there is none.')

export const AbsenceSchema = field.closed(
  { ...times, note },
  { $id: 'VehicleAbsence', description: 'A time at which a vehicle is away, such as an inspection.' },
)

export const NewAbsenceSchema = field.closed(
  { ...times, note: field.optional(note) },
  { $id: 'NewVehicleAbsence', description: 'A time at which a vehicle is away, such as an inspection.' },
)

const required = {
  name: field.described(field.text(range.VEHICLE_NAME_LENGTH), 'The name of the vehicle in the school.'),
  kind: VehicleKindSchema,
}

const scalars = {
  gearbox: Type.Unsafe<'manual' | 'automatic' | null>({
    type: ['string', 'null'],
    enum: ['manual', 'automatic', null],
    description: 'The gearbox; null if unknown or not applicable.',
  }),
  license_classes: field.described(
    field.LicenseClasses,
    'The licence classes that it suits; an empty list means any.',
  ),
  plate: field.described(field.nullable(field.text(range.PLATE_LENGTH)), 'The licence plate.'),
  notes: field.described(
    field.nullable(field.text(range.VEHICLE_NOTES_LENGTH)),
    'Notes on the vehicle; instructors see them too.',
  ),
  location_id: field.described(
    field.nullable(field.Id),
    'The location to which it belongs; null if there is none.',
  ),
  active: Type.Boolean({ description: 'Whether lessons can be booked with it.' }),
}

const optionals = field.optionals({
  ...scalars,
  absences: field.described(
    Type.Array(field.ref(NewAbsenceSchema), { maxItems: range.MAX_ABSENCES }),
    'The times at which it is away. The list is replaced whole.',
  ),
})

export const VehicleSchema = field.resource(
  {
    ...required,
    ...scalars,
    absences: Type.Array(field.ref(AbsenceSchema), { description: 'The times at which it is away.' }),
    version: field.Version,
  },
  { $id: 'Vehicle', description: 'A vehicle.', examples: [example.vehicle] },
)
export type Vehicle = Static<typeof VehicleSchema>

export const NewVehicleSchema = field.closed(
  { ...required, ...optionals },
  { $id: 'NewVehicle', description: 'The vehicle to add.', examples: [example.newVehicle] },
)
export type NewVehicle = Static<typeof NewVehicleSchema>

export const VehicleChangeSchema = field.closed(
  { ...field.optionals(required), ...optionals },
  {
    $id: 'VehicleChange',
    description: 'The fields to change; omitted fields keep their values.',
    examples: [{ active: false }],
  },
)
export type VehicleChange = Static<typeof VehicleChangeSchema>

export function vehicleFaultsFor({ absences = [] }: VehicleChange, timezone: string): readonly Fault[] {
  return absenceTimeFaultsFor(absences, timezone)
}
