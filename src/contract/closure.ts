import { type Static, Type } from 'typebox'
import * as example from './examples-of-school.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const dates = {
  start_date: field.described(field.LocalDate, 'The first day, `YYYY-MM-DD`.'),
  end_date: field.described(field.LocalDate, 'The last day; it is included.'),
}
const note = field.described(field.nullable(field.Notes), 'The reason, for the people of the school.')

export const ClosureSchema = field.resource(
  { ...dates, note, version: field.Version },
  {
    $id: 'Closure',
    description: 'Days on which the whole school is closed and nothing can be booked.',
    examples: [example.closure],
  },
)
export type Closure = Static<typeof ClosureSchema>

export const NewClosureSchema = field.closed(
  { ...dates, note: field.optional(note) },
  {
    $id: 'NewClosure',
    description: 'The days on which the school is closed. Booked lessons stay.',
    examples: [example.newClosure],
  },
)
export type NewClosure = Static<typeof NewClosureSchema>

export function closureFaultsFor({ start_date, end_date }: Partial<NewClosure>): readonly Fault[] {
  if (start_date === undefined || end_date === undefined || start_date <= end_date) return []
  const detail = `end_date must be on or after start_date, ${start_date}.`
  return [{ pointer: '/end_date', code: 'out_of_order', detail }]
}

export const HolidaySchema = field.closed(
  {
    date: field.described(field.LocalDate, 'The day, `YYYY-MM-DD`.'),
    name: Type.String({ description: "The name, in the school's language if available." }),
    region: field.nullable(
      Type.String({ description: 'The region, ISO 3166-2; null for a holiday of the whole country.' }),
    ),
    is_public: Type.Boolean({
      description: 'Whether it is a public holiday; others have no effect on bookings.',
    }),
  },
  { $id: 'Holiday', description: 'A holiday.', examples: [example.holiday] },
)
export type Holiday = Static<typeof HolidaySchema>
