import { type Static, Type } from 'typebox'
import { MAX_OPENING_ENTRIES, OPENING_UNITS } from '../domain/ranges.ts'
import * as example from './examples-of-school.ts'
import * as field from './fields.ts'

export const openingEntry = {
  lesson_type_id: field.described(field.Id, 'The lesson type.'),
  units: field.described(field.integer(OPENING_UNITS), 'The units, a whole number.'),
  date: field.described(field.LocalDate, 'The date by which the units were taken, `YYYY-MM-DD`.'),
  source: field.described(field.Title, 'The school or the record that they come from.'),
}

const OpeningEntrySchema = field.closed(openingEntry)
export type OpeningEntry = Static<typeof OpeningEntrySchema>

export const OpeningBalanceSchema = Type.Array(OpeningEntrySchema, {
  $id: 'OpeningBalance',
  maxItems: MAX_OPENING_ENTRIES,
  description:
    'The units that a student had elsewhere, or before the school used the service. Progress counts them as done; entries of the same lesson type add up.',
  examples: [example.openingBalance],
})
export type OpeningBalance = Static<typeof OpeningBalanceSchema>
