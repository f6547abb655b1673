import { type Static, Type } from 'typebox'
import * as field from './fields.ts'

export const RoundStateSchema = Type.Enum(['waiting', 'asking', 'asked', 'skipped'], {
  description:
    'Whether the round is yet to come, in progress or over; `skipped` if the service was not running in time.',
})

/** The round of messages that asks students when they can come in a week. */
export const AvailabilityRoundSchema = field.closed(
  {
    round: field.nullable(
      field.closed(
        {
          due_at: field.described(field.Timestamp, 'When students are asked: UTC, RFC 3339.'),
          state: RoundStateSchema,
          asked: Type.Integer({ minimum: 0, description: 'How many students a message was made for.' }),
          answered: Type.Integer({ minimum: 0, description: 'How many of them have answered for the week.' }),
        },
        { description: 'The round of the week; null if none is planned and none took place.' },
      ),
    ),
  },
  {
    $id: 'AvailabilityRound',
    description: 'The messages that ask students when they can come in a week.',
    examples: [{ round: { due_at: '2026-05-07T15:00:00.000Z', state: 'asked', asked: 23, answered: 17 } }],
  },
)
export type RoundOfWeek = NonNullable<Static<typeof AvailabilityRoundSchema>['round']>
