import { type Static, Type } from 'typebox'
import { timeFaultsFor } from '../domain/appointment-times.ts'
import { MAX_STUDENTS_OF_AN_OFFER } from '../domain/ranges.ts'
import { inText } from './appointment.ts'
import * as example from './examples-of-school.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const times = {
  start_at: field.described(field.LocalDateTime, "The start on the school's wall clock, `YYYY-MM-DD HH:MM`."),
  end_at: field.described(field.LocalDateTime, "The end on the school's wall clock, `YYYY-MM-DD HH:MM`."),
}
const what = {
  instructor_id: field.described(field.Id, 'The instructor whose time is offered.'),
  ...times,
  lesson_type_id: field.described(field.Id, 'The lesson type.'),
}
const expiresAt = field.described(field.Timestamp, 'When the offer ends: UTC, RFC 3339.')

const OFFER_STATES = ['open', 'taken', 'expired', 'withdrawn', 'closed'] as const

export const OfferSchema = field.resource(
  {
    state: Type.Enum([...OFFER_STATES], {
      description:
        '`taken`: a student has accepted. `expired`: its time is over. `withdrawn`: by the school, or because the last wish behind it was withdrawn. `closed`: the rules no longer allow a lesson at that time.',
    }),
    ...what,
    expires_at: expiresAt,
    appointment_id: field.described(
      field.nullable(field.Id),
      'The lesson of the student who accepted; null for none.',
    ),
    taken_by: field.described(field.nullable(field.Id), 'The student who accepted; null for none.'),
    links: Type.Array(
      field.closed({
        student_id: field.described(field.Id, 'The student.'),
        url: field.nullable(
          Type.String({
            description:
              "The secret address of the offer's page for this student; null if it was made with another `JWT_SECRET`.",
          }),
        ),
      }),
      { description: 'The students to whom the time is offered, each with a link.' },
    ),
    version: field.Version,
  },
  {
    $id: 'Offer',
    description: 'A free time that is offered to students. The first one who accepts gets the lesson.',
    examples: [example.offer],
  },
)
export type Offer = Static<typeof OfferSchema>

export const NewOfferSchema = field.closed(
  {
    ...what,
    student_ids: Type.Array(field.Id, {
      minItems: 1,
      maxItems: MAX_STUDENTS_OF_AN_OFFER,
      uniqueItems: true,
      description: 'The students to whom the time is offered.',
    }),
    expires_at: field.optional(
      field.described(
        field.nullable(field.Timestamp),
        'When the offer ends: UTC, RFC 3339; by default, and at the latest, when the lesson would begin.',
      ),
    ),
  },
  { $id: 'NewOffer', description: 'The time to offer, and the students.', examples: [example.newOffer] },
)
export type NewOffer = Static<typeof NewOfferSchema>

export function offerFaultsFor({ start_at, end_at }: Partial<NewOffer>, timezone: string): readonly Fault[] {
  return timeFaultsFor({ start_at, end_at }, timezone).map((fault) => inText(fault))
}

/** The lesson of an accepted offer, as shown to the student. */
export const AcceptedOfferSchema = field.closed(
  {
    ...times,
    lesson_type: Type.String({ description: 'The name of the lesson type.' }),
    instructor: Type.String({ description: "The instructor's first name." }),
    pickup_place: field.nullable(Type.String({ description: 'Where the lesson begins; null if unknown.' })),
  },
  {
    $id: 'AcceptedOffer',
    description: 'The public part of the lesson.',
    examples: [example.acceptedOffer],
  },
)
export type AcceptedOffer = Static<typeof AcceptedOfferSchema>

const REASONS = [
  'matches_wish',
  'matches_week',
  'waited_longest',
  'waiting',
  'special_drive_missing',
  'preferred_instructor',
  'no_wish',
  'offered_often',
] as const

export const CandidateSchema = field.closed(
  {
    student_id: field.described(field.Id, 'The student.'),
    wish_id: field.described(
      field.nullable(field.Id),
      'The wish that the time fits; null for a student without a wish.',
    ),
    lesson_type_id: field.described(field.Id, 'The lesson type to book.'),
    minutes: field.described(
      field.integer({ min: 1, max: 1440 }),
      'The length of the lesson, which begins with the free time.',
    ),
    reasons: Type.Array(
      field.closed({
        code: Type.Enum([...REASONS], {
          description: `A stable code. More may be added: ignore those you do not know.
\`matches_wish\`: the time fits the wish \`params.wish_id\`.
\`matches_week\`: the time is one at which the student can come in the week of \`params.week_start\`, in place of the wishes.
\`waited_longest\`, \`waiting\`: the student has had no lesson for \`params.days\` days, since \`params.since\`; \`waited_longest\` for the one who waits longest.
\`special_drive_missing\`: of the special drive \`params.lesson_type_id\`, \`params.open_units\` units are open.
\`preferred_instructor\`: the instructor is the one whom the student prefers.
\`no_wish\`: the student has no wish, and no lesson within 14 days; \`params.open_units\` units are open.
\`offered_often\`: the student got \`params.offers\` offers within seven days, and can get no more now.`,
        }),
        params: Type.Record(Type.String(), Type.Unknown(), {
          description: 'The numbers and names for the code.',
        }),
      }),
      { description: 'Why the student is listed.' },
    ),
  },
  {
    $id: 'Candidate',
    description: 'A student who could have a lesson in a free time.',
    examples: [example.candidate],
  },
)
export type Candidate = Static<typeof CandidateSchema>
