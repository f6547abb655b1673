import { type Static, Type } from 'typebox'
import { MESSAGE_CHANNELS } from '../domain/message-channels.ts'
import { ACTION_KINDS, MESSAGE_KINDS } from '../domain/messages.ts'
import * as example from './examples-of-messages.ts'
import * as field from './fields.ts'

export const MessageStateSchema = Type.Enum(['waiting', 'sent', 'failed', 'dropped'], {
  description:
    'Whether the message waits, was sent, was refused by the mail server, or was dropped because it is no longer true.',
})

/** A message to a student, an instructor or the office. */
export const MessageSchema = field.closed(
  {
    id: field.described(field.Id, 'A UUID made by the service.'),
    kind: Type.Enum([...MESSAGE_KINDS, ...ACTION_KINDS], { description: 'The occasion of the message.' }),
    to: field.nullable(
      Type.String({ description: 'The address of the recipient; null if there is none, or for `push`.' }),
    ),
    channel: Type.Enum([...MESSAGE_CHANNELS], {
      description:
        'The channel of the message; `push` leads to the devices of the student, and for `call` a person of the school calls the student, who gets no messages.',
    }),
    state: MessageStateSchema,
    reason: field.nullable(
      Type.String({
        description:
          'Why the message was dropped (`no_address`, `no_webhook`, `no_consent`, `no_recipient`, `switched_off`, `cancelled`, `moved`, `planned`, `past`, `quiet`, `withdrawn`, `answered`, `not_enrolled`), or its last failure; null if there is none.',
      }),
    ),
    send_at: field.described(field.Timestamp, 'When the message is due: UTC, RFC 3339.'),
    sent_at: field.described(
      field.nullable(field.Timestamp),
      'When the message was sent: UTC, RFC 3339; null before.',
    ),
  },
  {
    $id: 'Message',
    description: 'A message to a student, an instructor or the office.',
    examples: [example.message],
  },
)
export type Message = Static<typeof MessageSchema>
