import { type Static, Type } from 'typebox'
import {
  CANCELLATION_REASONS,
  CANCELLED_BY,
  type Cancellation,
  type CancellationPolicy,
  type PolicyStep,
} from '../domain/cancellation.ts'
import * as range from '../domain/ranges.ts'
import * as example from './examples-of-cancellations.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const By = Type.Enum([...CANCELLED_BY], { description: 'The party that cancelled.' })
const Reason = Type.Unsafe<Cancellation['reason']>({
  type: ['string', 'null'],
  enum: [...CANCELLATION_REASONS, null],
  description: 'The reason; null if none is given.',
})
const Note = field.described(
  field.nullable(field.Notes),
  'A note for the school; students do not see it. Null for none.',
)
const FeePercent = field.integer(range.FEE_PERCENT)

/** The cancellation of an appointment, or null. Avoids `anyOf`, with which the serializer would validate each lesson. */
export const NullableCancellation = Type.Unsafe<Cancellation | null>({
  ...field.closed({
    at: field.described(field.Timestamp, 'When the lesson was cancelled: UTC, RFC 3339.'),
    by: By,
    note: Note,
    reason: Reason,
    charged: Type.Boolean({ description: 'Whether a fee is charged.' }),
    is_late: Type.Boolean({
      description:
        "Whether the notice of the school's `cancellation_policy` was missed, whatever the reason.",
    }),
    fee_percent: field.described(FeePercent, 'The fee, in percent of the price of the lesson.'),
    notice_minutes: Type.Integer({
      description: 'Whole minutes from `at` to the start of the lesson; negative after it.',
    }),
  }),
  type: ['object', 'null'],
  readOnly: true,
  description:
    'The party, the time, the reason and the fee of the cancellation; null while the lesson is not cancelled, and for one cancelled before this was recorded.',
})

const act = {
  by: By,
  reason: Type.Optional(Reason),
  note: Type.Optional(Note),
  at: Type.Optional(
    field.described(
      field.Timestamp,
      'When the lesson was cancelled: UTC, RFC 3339, by default now, at most five minutes ahead.',
    ),
  ),
  charge: Type.Optional(
    field.nullable(
      Type.Boolean({
        description:
          "The decision on the fee: null takes the policy's proposal; true charges it, or the highest fee for the category if none is proposed; false charges nothing.",
      }),
    ),
  ),
}

/** The cancellation in a decision on a lesson. */
export const DecidedCancellation = field.closed(act, {
  description: 'The cancellation for `cancel`; by default one by the school.',
})

export const NewCancellationSchema = field.closed(
  {
    ...act,
    dry_run: Type.Optional(
      Type.Boolean({
        description:
          'Whether only to assess the cancellation: the response is the same, and nothing is written.',
      }),
    ),
  },
  {
    $id: 'NewCancellation',
    description: 'The cancellation to record.',
    examples: [example.newCancellation],
  },
)
export type NewCancellation = Static<typeof NewCancellationSchema>

export const FeeDecisionSchema = field.closed(
  {
    charge: field.nullable(
      Type.Boolean({
        description:
          "The decision on the fee, as in a cancellation: null takes the policy's proposal for the time of the cancellation, or for a no-show.",
      }),
    ),
  },
  { $id: 'FeeDecision', description: 'Another decision on the fee.', examples: [{ charge: false }] },
)

const NoticeSchema = Type.Unsafe<PolicyStep['notice']>(
  field.closed(
    field.optionals({
      hours: field.described(
        field.integer(range.NOTICE_HOURS),
        'Hours before the start, as elapsed time, also across a clock change.',
      ),
      working_days: field.described(
        field.integer(range.NOTICE_DAYS),
        "Working days before the lesson, until its time of day. Saturdays, Sundays, public holidays of the school's region and closures are not working days.",
      ),
      days_before: field.described(field.integer(range.NOTICE_DAYS), 'Days before the lesson, with `until`.'),
      until: field.described(field.TimeOfDay, 'The last time of day on the day of `days_before`.'),
      working: Type.Boolean({ description: 'Whether `days_before` counts working days only.' }),
    }),
    { description: 'The notice: `hours`, or `working_days`, or `days_before` with `until`.' },
  ),
)

export const NullableNoShowFee = Type.Unsafe<number | null>({
  ...field.nullable(FeePercent),
  readOnly: true,
  description:
    'The fee of a no-show, in percent of the price of the lesson: as the policy proposes when it is marked, or as decided since; 0 for none. Null for other lessons, groups, and no-shows before this was recorded.',
})

/** A school's cancellation policy. */
export const CancellationPolicySchema = Type.Unsafe<CancellationPolicy>(
  Type.Array(
    field.closed(
      {
        categories: field.nullable(
          Type.Array(field.text(range.CATEGORY_LENGTH), {
            maxItems: range.MAX_POLICY_STEPS,
            uniqueItems: true,
            description: 'Categories of lesson types; null for all.',
          }),
        ),
        notice: Type.Optional(NoticeSchema),
        no_show: Type.Optional(
          Type.Literal(true, {
            description:
              'In place of `notice`: the fee for students who do not come. Without such a step they pay that of the first notice.',
          }),
        ),
        fee_percent: field.described(FeePercent, 'The proposed fee, in percent of the price.'),
      },
      { description: 'A step of the policy: with a `notice`, or for a `no_show`.' },
    ),
    { maxItems: range.MAX_POLICY_STEPS, examples: [example.cancellationPolicy] },
  ),
)

/** Returns the faults of steps that do not have exactly one of notice and no_show, and of incomplete notices. */
export function policyFaultsFor(pointer: string, policy: CancellationPolicy): readonly Fault[] {
  return policy.flatMap(({ notice, no_show }, at) => {
    if (no_show && !notice) return []
    const detail = no_show || !notice ? 'A step has exactly one of notice and no_show.' : noticeFault(notice)
    return detail === undefined ? [] : [{ pointer: `${pointer}/${at}/notice`, code: 'required', detail }]
  })
}

function noticeFault(notice: Readonly<Record<string, unknown>>): string | undefined {
  const kinds = ['hours', 'working_days', 'days_before'].filter((kind) => notice[kind] !== undefined)
  if (kinds.length !== 1) return 'A notice has exactly one of hours, working_days and days_before.'
  const hasDays = kinds[0] === 'days_before'
  if (hasDays && notice.until === undefined) return 'days_before needs until, a time of day.'
  const isBeside = notice.until !== undefined || notice.working !== undefined
  return isBeside && !hasDays ? `until and working stand beside days_before, not ${kinds[0]}.` : undefined
}
