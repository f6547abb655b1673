import { type Static, Type } from 'typebox'
import { KEPT_REASONS } from '../domain/retention.ts'
import { enrolment, ids } from './examples-of-school.ts'
import * as field from './fields.ts'

const reason = field.described(
  field.text({ min: 1, max: 200 }),
  'The reason, such as a dispute about a fee. It goes with the student.',
)
const until = field.described(
  field.nullable(field.LocalDate),
  'The last day of the hold; null if it has no end. A day in the past is no hold.',
)

/** The hold of a student: until it ends, the student is not erased. */
export const HoldSchema = field.closed(
  { reason, until },
  {
    $id: 'Hold',
    description: 'The hold of a student, who is not erased until it ends.',
    examples: [{ reason: 'Dispute about an invoice', until: '2027-06-30' }],
  },
)
export type Hold = Static<typeof HoldSchema>

export const NewHoldSchema = field.closed(
  { reason, until: field.optional(until) },
  {
    $id: 'NewHold',
    description: 'The hold to set.',
    examples: [{ reason: 'Dispute about an invoice', until: '2027-06-30' }],
  },
)
export type NewHold = Static<typeof NewHoldSchema>

const RuleSchema = field.closed(
  {
    years: Type.Integer({ minimum: 1, description: 'The number of years.' }),
    from: Type.Enum(['day', 'end_of_year'], {
      description: 'Whether they count from the last day, or from the end of its year.',
    }),
  },
  { description: 'A number of years, and when they begin.' },
)

const student_id = field.described(field.Id, 'The student.')
const name = Type.String({ description: 'The name of the student.' })
const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }))
const digest = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'The digest of the students who are due, wholly or partly.',
})

const DueStudent = field.closed(
  {
    student_id,
    name,
    enrolments: Type.Array(
      field.closed(
        {
          id: field.described(field.Id, 'The enrolment.'),
          license_class: field.described(field.LicenseClass, 'The licence class.'),
          ends_on: field.described(field.LocalDate, 'The day on which it ended.'),
          retained_until: field.described(field.LocalDate, 'The last day of its record.'),
        },
        { description: 'An ended enrolment.' },
      ),
      { description: 'The enrolments; empty for a student who never had one.' },
    ),
    counts: field.described(Counts, 'The number of rows by resource.'),
  },
  { description: 'A student whose time is over.' },
)

/** A preview of the students whose time is over on a day. */
export const RetentionSchema = field.closed(
  {
    on: field.described(field.LocalDate, 'The day that the preview is for.'),
    rule: field.nullable(
      field.closed(
        {
          record: field.described(RuleSchema, 'For the training record, from the last day of instruction.'),
          other: field.described(
            field.nullable(RuleSchema),
            'For everything else; null if it stays as long as the record.',
          ),
        },
        { description: 'The rule of the country; null if it has none, so that nothing is ever due.' },
      ),
    ),
    due: Type.Array(DueStudent, { description: 'The students whom a run would erase.' }),
    partial: Type.Array(
      field.closed(
        {
          student_id,
          name,
          until: field.described(field.LocalDate, 'The last day of the record.'),
        },
        { description: 'A student of whom only the record may stay.' },
      ),
      { description: 'The students whom a run would restrict: all but the record goes.' },
    ),
    kept: Type.Array(
      field.closed(
        {
          student_id,
          name,
          reason: Type.Enum([...KEPT_REASONS], {
            description:
              'A hold, an open enrolment, an upcoming lesson, or a record that is still to be kept.',
          }),
          until: field.described(
            field.nullable(field.LocalDate),
            'The last day of the hold or record, or the day of the lesson; null if open.',
          ),
        },
        { description: 'A student who stays, and why.' },
      ),
      { description: 'Students on hold, restricted ones, and those whose time is over in part.' },
    ),
    unended: Type.Array(
      field.closed(
        {
          enrolment_id: field.described(field.Id, 'The enrolment.'),
          student_id,
          name,
          last_lesson_on: field.described(
            field.nullable(field.LocalDate),
            'The day of the last lesson; null if there was none.',
          ),
        },
        { description: 'An open enrolment without a lesson for twelve months.' },
      ),
      { description: 'Enrolments that nobody has ended, so that their time does not run.' },
    ),
    digest,
  },
  {
    $id: 'Retention',
    description: 'The students whose time is over on a day, and those who stay.',
    examples: [
      {
        on: '2032-01-01',
        rule: { record: { years: 5, from: 'end_of_year' }, other: { years: 5, from: 'day' } },
        due: [
          {
            student_id: ids.student,
            name: 'Lena Vogt',
            enrolments: [
              {
                id: enrolment.id,
                license_class: 'B',
                ends_on: '2026-06-30',
                retained_until: '2031-12-31',
              },
            ],
            counts: { enrolment: 1, appointment: 31, tick: 5 },
          },
        ],
        partial: [],
        kept: [],
        unended: [],
        digest: `sha256:${'0'.repeat(64)}`,
      },
    ],
  },
)
export type Retention = Static<typeof RetentionSchema>

/** The monthly notice of how many students are due, as stored with the school. */
export const RetentionNoticeSchema = field.closed({
  id: field.Id,
  month: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
  at: field.Timestamp,
  due: Type.Integer({ minimum: 0 }),
})
export type RetentionNotice = Static<typeof RetentionNoticeSchema>

const MAX_STUDENTS = 10_000

export const NewRetentionRunSchema = field.closed(
  {
    digest,
    student_ids: field.optional(
      field.nullable(
        Type.Array(field.Id, {
          minItems: 1,
          maxItems: MAX_STUDENTS,
          description: 'Only these students of the preview; null for all.',
        }),
      ),
    ),
    agreed: field.optional(
      Type.Boolean({
        description:
          'Whether texts about others that mention a student may be changed, too: names, addresses and numbers become "…". By default false: such students are skipped.',
      }),
    ),
  },
  {
    $id: 'NewRetentionRun',
    description: 'The run to start, or to continue.',
    examples: [{ digest: `sha256:${'0'.repeat(64)}`, student_ids: null }],
  },
)
export type NewRetentionRun = Static<typeof NewRetentionRunSchema>

export const SKIP_REASONS = [...KEPT_REASONS, 'not_due', 'mentioned_elsewhere', 'not_reached'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** A run that erases students, with counts and ids, but no names. */
export const RetentionRunSchema = field.closed(
  {
    id: field.described(field.Id, 'The run.'),
    at: field.described(field.Timestamp, 'When it began: UTC, RFC 3339.'),
    actor: field.closed(
      {
        kind: Type.Enum(['user', 'command'], { description: 'Whether a user ran it, or a command.' }),
        id: field.described(field.nullable(field.Id), "The user's id; null for a command."),
        name: Type.String({ description: "The user's name at that time, or the command's." }),
      },
      { description: 'The person or program that ran it.' },
    ),
    digest,
    counts: field.described(
      Counts,
      'The number of erased rows by resource; the students themselves are `student`.',
    ),
    erased: Type.Array(field.Id, { description: 'The erased students.' }),
    restricted: Type.Array(field.Id, { description: 'The students of whom the record stays.' }),
    skipped: Type.Array(
      field.closed(
        {
          student_id,
          reason: Type.Enum([...SKIP_REASONS], {
            description:
              'The reason, as in `kept`; `not_due`: no longer in the preview; `mentioned_elsewhere`: send `agreed: true`; `not_reached`: send the request again.',
          }),
        },
        { description: 'A student who stays, and why.' },
      ),
      { description: 'The students of the run who stay.' },
    ),
    finished_at: field.described(
      field.nullable(field.Timestamp),
      'When the last student was reached: UTC, RFC 3339; null if some are not.',
    ),
  },
  {
    $id: 'RetentionRun',
    description: 'A run that erases students whose time is over.',
    examples: [
      {
        id: ids.user,
        at: '2032-01-02T08:00:00.000Z',
        actor: { kind: 'user', id: ids.user, name: 'Office' },
        digest: `sha256:${'0'.repeat(64)}`,
        counts: { student: 1, enrolment: 1, appointment: 31, tick: 5 },
        erased: [ids.student],
        restricted: [],
        skipped: [],
        finished_at: '2032-01-02T08:00:01.000Z',
      },
    ],
  },
)
export type RetentionRun = Static<typeof RetentionRunSchema>
