import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import * as field from './fields.ts'

export const FEED_DETAILS = ['full', 'lesson', 'busy'] as const
export type FeedDetail = (typeof FEED_DETAILS)[number]

const detail = Type.Enum([...FEED_DETAILS], {
  description:
    "`full`: lesson type, the student's name and phones, the lesson's notes. `lesson`: lesson type, first name and initial. `busy`: only that the time is taken.",
})
const times = {
  created_at: field.described(field.Timestamp, 'When it was made: UTC, RFC 3339.'),
  used_at: Type.Unsafe<string | null>({
    ...field.nullable(field.Timestamp),
    description: 'When it was last used, to the minute; null if never.',
  }),
}
const when = { created_at: '2026-05-01T06:00:00.000Z', used_at: '2026-05-04T06:00:00.000Z' }

export const NewCalendarFeedSchema = field.closed(
  { detail },
  {
    $id: 'NewCalendarFeed',
    description: 'The details that the feed shows.',
    examples: [{ detail: 'lesson' }],
  },
)

export const FeedSchema = field.closed(
  { detail, ...times },
  { $id: 'CalendarFeed', description: "An instructor's calendar feed, without its address." },
)
export const StudentLinkSchema = field.closed(times, {
  $id: 'StudentLink',
  description: "The link to a student's page, without its address.",
})

/** An instructor's feed, if any. Its address is shown only when it is created. */
export const CalendarFeedStateSchema = field.closed(
  { feed: field.described(orNull(FeedSchema), 'The feed; null if there is none.') },
  {
    $id: 'CalendarFeedState',
    description: 'Whether the instructor has a calendar feed.',
    examples: [{ feed: { detail: 'lesson', ...when } }],
  },
)
export type CalendarFeedState = Static<typeof CalendarFeedStateSchema>

/** The link to a student's page, if any. Its address is shown only when it is created. */
export const StudentLinkStateSchema = field.closed(
  { link: field.described(orNull(StudentLinkSchema), 'The link; null if there is none.') },
  {
    $id: 'StudentLinkState',
    description: "Whether the student's page has a link.",
    examples: [{ link: when }],
  },
)
export type StudentLinkState = Static<typeof StudentLinkStateSchema>

export const MadeLinkSchema = field.closed(
  { url: Type.String({ description: 'The secret address, shown only once.' }) },
  {
    $id: 'MadeLink',
    description: 'A new secret link.',
    examples: [{ url: 'https://fahrplan.example/s/AZfzwl1OehCMGy9qnT5LUA…' }],
  },
)
export type MadeLink = Static<typeof MadeLinkSchema>

function orNull<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ anyOf: [field.ref(schema), Type.Null()] })
}
