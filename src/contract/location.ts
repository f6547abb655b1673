import { type Static, Type } from 'typebox'
import * as range from '../domain/ranges.ts'
import * as example from './examples-of-school.ts'
import * as field from './fields.ts'

const TravelMinutes = Type.Record(Type.String(), field.integer(range.TRAVEL_MINUTES), {
  maxProperties: range.MAX_LOCATIONS,
  description:
    'The travel time in minutes to other locations, by their id. It is the same in both directions; the list is replaced as a whole.',
})

const name = field.described(field.Name, 'The name of the branch in the school.')
const optionals = field.optionals({
  address: field.described(field.nullable(field.Title), 'The address; null if it is not known.'),
  travel_minutes: TravelMinutes,
})

export const LocationSchema = field.resource(
  {
    name,
    address: field.described(field.nullable(field.Title), 'The address; null if it is not known.'),
    travel_minutes: TravelMinutes,
    version: field.Version,
  },
  {
    $id: 'Location',
    description: 'A branch of the school: a place at which lessons begin.',
    examples: [example.location],
  },
)
export type Location = Static<typeof LocationSchema>

export const NewLocationSchema = field.closed(
  { name, ...optionals },
  { $id: 'NewLocation', description: 'The location to add.', examples: [example.newLocation] },
)
export type NewLocation = Static<typeof NewLocationSchema>

export const LocationChangeSchema = field.closed(
  { name: field.optional(name), ...optionals },
  {
    $id: 'LocationChange',
    description: 'The fields to change; omitted fields keep their values.',
    examples: [{ address: 'Hauptstraße 12' }],
  },
)
export type LocationChange = Static<typeof LocationChangeSchema>
