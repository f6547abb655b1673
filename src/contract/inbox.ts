import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { BUSY_FAILURES } from '../domain/busy-policy.ts'
import { MESSAGE_CHANNELS } from '../domain/message-channels.ts'
import { ACTION_KINDS, MESSAGE_KINDS } from '../domain/messages.ts'
import { ChangeSchema } from './change.ts'
import * as example from './examples-of-inbox.ts'
import * as field from './fields.ts'
import { ScheduleRequestSchema } from './schedule-request.ts'
import { WishSchema } from './wish.ts'

export const INBOX_KINDS = [
  'student_cancelled',
  'student_moved',
  'student_confirmed',
  'student_wish',
  'offer_taken',
  'schedule_request',
  'request_decided',
  'message_undelivered',
  'retention_due',
  'busy_calendar_failing',
  'enquiry',
] as const
export type InboxKind = (typeof INBOX_KINDS)[number]

const time = {
  instructor_id: field.described(field.Id, 'The instructor.'),
  start_at: field.described(field.LocalDateTime, "The start, by the school's wall clock."),
  end_at: field.described(field.LocalDateTime, "The end, by the school's wall clock."),
}

/** A piece of news for the office or an instructor, computed from the log of changes, the messages and the month's notice. */
export const InboxEntrySchema = field.closed(
  {
    id: field.described(
      field.Id,
      'The id of the change, of the message, of the calendar, or of the enquiry.',
    ),
    at: field.described(field.Timestamp, 'When it happened: UTC, RFC 3339.'),
    kind: Type.Enum([...INBOX_KINDS], {
      description:
        'The event: a student cancelled, moved or confirmed a lesson, wished for times or took an offer; an instructor made a request, or the office decided on it; a message reached nobody; once a month, students are due to be erased; a private calendar of an instructor cannot be read; somebody sent the form for enquiries, and nobody has answered.',
    }),
    is_new: Type.Boolean({ description: 'Whether it happened after `seen_until`.' }),
    actor: ChangeSchema.properties.actor,
    student_id: field.described(field.nullable(field.Id), 'The student; null if it concerns none.'),
    instructor_id: field.described(field.nullable(field.Id), 'The instructor; null if it concerns none.'),
    lesson: field.nullable(
      field.closed(
        {
          appointment_id: field.described(field.Id, 'The lesson.'),
          lesson_type_id: field.described(field.nullable(field.Id), 'The lesson type; null in a message.'),
          ...time,
        },
        {
          description:
            'The lesson as it was cancelled, moved to, confirmed or booked; null if there is none.',
        },
      ),
    ),
    was: field.nullable(
      field.closed(time, { description: 'The time before a move; null for the other kinds.' }),
    ),
    freed: field.nullable(
      field.closed(time, {
        description:
          'The time that became free, for which another student can be found: null once it has begun or is taken.',
      }),
    ),
    fee_percent: field.nullable(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'The fee of a cancellation as it is decided now, in percent; null for the other kinds.',
      }),
    ),
    due: field.nullable(
      Type.Integer({
        minimum: 1,
        description: 'The number of students who were due to be erased; null for the other kinds.',
      }),
    ),
    calendar: field.nullable(
      field.closed(
        {
          name: field.described(field.Title, 'The name of the calendar.'),
          failure: Type.Enum([...BUSY_FAILURES], { description: 'The reason, as in the calendar.' }),
        },
        { description: 'The calendar that cannot be read; null for the other kinds.' },
      ),
    ),
    enquiry: field.nullable(
      field.closed(
        {
          first_name: field.described(field.Name, 'The first name.'),
          last_name: field.described(field.Name, 'The last name.'),
          license_class: field.described(field.LicenseClass, 'The licence class.'),
        },
        { description: 'The enquiry that waits for an answer; null for the other kinds.' },
      ),
    ),
    wish: orNull(WishSchema, 'The wish; null for the other kinds.'),
    request: orNull(ScheduleRequestSchema, 'The request as it is now; null for the other kinds.'),
    message: field.nullable(
      field.closed(
        {
          kind: Type.Enum([...MESSAGE_KINDS, ...ACTION_KINDS], {
            description: 'The occasion of the message.',
          }),
          channel: Type.Enum([...MESSAGE_CHANNELS], { description: 'The channel of the message.' }),
          to: field.nullable(Type.String({ description: 'The address; null if there was none.' })),
          reason: field.nullable(
            Type.String({ description: 'Why it reached nobody, as in `GET /messages`.' }),
          ),
          lessons: Type.Integer({ minimum: 0, description: 'The number of its lessons.' }),
          may_resend: Type.Boolean({
            description: 'Whether `POST /messages/{id}/resend` is possible: its lesson is still ahead.',
          }),
        },
        { description: 'The message that reached nobody; null for the other kinds.' },
      ),
    ),
  },
  {
    $id: 'InboxEntry',
    description: 'A piece of news for the office or an instructor.',
    examples: [example.entry],
  },
)
export type InboxEntry = Static<typeof InboxEntrySchema>

const seen_until = field.described(
  field.nullable(field.Timestamp),
  'The time until which the user has seen the news: UTC, RFC 3339; null if never.',
)
const counted = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'The number of new entries without confirmations, 100 at most: the figure of a badge.',
})

/** A page of the inbox, with the number of new entries. */
export const InboxSchema = field.closed(
  {
    new: counted,
    seen_until,
    entries: Type.Array(field.ref(InboxEntrySchema), { description: 'The news, the newest first.' }),
  },
  {
    $id: 'Inbox',
    description: 'News of the last 30 days since the user last looked, and before.',
    examples: [{ new: 1, seen_until: null, entries: [example.entry] }],
  },
)
export type Inbox = Static<typeof InboxSchema>

export const InboxMarkSchema = field.closed(
  { until: field.described(field.Timestamp, 'The `at` of the newest entry that the user has seen.') },
  {
    $id: 'InboxMark',
    description:
      'The time until which the user has seen the news. An earlier one than before changes nothing.',
    examples: [{ until: example.entry.at }],
  },
)

export const InboxCountSchema = field.closed(
  { new: counted, seen_until },
  {
    $id: 'InboxCount',
    description: 'The number of entries that are still new.',
    examples: [{ new: 0, seen_until: example.entry.at }],
  },
)

function orNull<T extends TSchema>(schema: T, description: string): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ anyOf: [field.ref(schema), Type.Null()], description })
}
