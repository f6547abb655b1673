import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import * as field from './fields.ts'

export const FEED_DETAILS = ['full', 'lesson', 'busy'] as const
export type FeedDetail = (typeof FEED_DETAILS)[number]

const detail = Type.Enum([...FEED_DETAILS], {
  description:
    "`full`: lesson type, the student's name and phones, the lesson's notes. `lesson`: lesson type, first name and initial. `busy`: that it is taken, and no more.",
})
const times = {
  created_at: field.Timestamp,
  used_at: Type.Unsafe<string | null>({
    ...field.nullable(field.Timestamp),
    description: 'When it was last used, to a minute; null if it never was.',
  }),
}
const when = { created_at: '2026-05-01T06:00:00.000Z', used_at: '2026-05-04T06:00:00.000Z' }

export const NewCalendarFeedSchema = field.closed(
  { detail },
  { $id: 'NewCalendarFeed', examples: [{ detail: 'lesson' }] },
)

const FeedSchema = field.closed({ detail, ...times }, { $id: 'CalendarFeed' })
const StudentLinkSchema = field.closed(times, { $id: 'StudentLink' })

/** Whether an instructor has a feed, and which; its address is told once. */
export const CalendarFeedStateSchema = field.closed(
  { feed: orNull(FeedSchema) },
  { $id: 'CalendarFeedState', examples: [{ feed: { detail: 'lesson', ...when } }] },
)
export type CalendarFeedState = Static<typeof CalendarFeedStateSchema>

/** Whether a student's page can be reached; its address is told once. */
export const StudentLinkStateSchema = field.closed(
  { link: orNull(StudentLinkSchema) },
  { $id: 'StudentLinkState', examples: [{ link: when }] },
)
export type StudentLinkState = Static<typeof StudentLinkStateSchema>

export const MadeLinkSchema = field.closed(
  { url: Type.String({ description: 'A secret: it is told here and never again.' }) },
  { $id: 'MadeLink', examples: [{ url: 'https://fahrplan.example/s/AZfzwl1OehCMGy9qnT5LUA…' }] },
)
export type MadeLink = Static<typeof MadeLinkSchema>

export const linkParts = [
  NewCalendarFeedSchema,
  FeedSchema,
  StudentLinkSchema,
  CalendarFeedStateSchema,
  StudentLinkStateSchema,
  MadeLinkSchema,
]

function orNull<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ anyOf: [field.ref(schema), Type.Null()] })
}
