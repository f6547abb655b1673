import { type Static, Type } from 'typebox'
import { dayOf, localDateFor } from '../domain/local-time.ts'
import { MAX_PLAN_DAYS, PLAN_EFFORT, PLAN_WEIGHT } from '../domain/ranges.ts'
import { BROKEN_RULES } from '../domain/refusal.ts'
import { AppointmentSchema } from './appointment.ts'
import { ChangeSchema } from './change.ts'
import * as example from './examples-of-plans.ts'
import * as field from './fields.ts'
import { OfferSchema } from './offer.ts'
import type { Fault } from './problem.ts'
import { WARNINGS } from './slot.ts'

const days = {
  from: field.described(field.LocalDate, 'The first planned day, tomorrow at the earliest.'),
  to: field.described(field.LocalDate, `The last planned day, at most ${MAX_PLAN_DAYS - 1} days later.`),
}
const ids = (description: string) =>
  field.described(
    field.nullable(Type.Array(field.Id, { minItems: 1, maxItems: 1000, uniqueItems: true })),
    description,
  )
const limits = {
  instructor_ids: ids('The instructors to plan; null for all who are active.'),
  student_ids: ids('The students to plan; null for all who have wishes or an availability.'),
}
const weight = (description: string) => field.described(field.integer(PLAN_WEIGHT), description)
const weights = {
  waiting: weight('The importance of the time for which a student has waited.'),
  full_days: weight('The importance of days without free time that is too short for a lesson.'),
  own_instructor: weight("The importance of the student's preferred instructor."),
}
const Weights = field.closed(weights, {
  description: 'The importance of the parts of the score, from 0 to 3.',
})
const NewWeights = field.closed(field.optionals(weights), {
  description: 'The importance of the parts of the score, from 0 to 3; 1 by default.',
})
const effort = field.described(
  field.integer(PLAN_EFFORT),
  'The work to put into the search; 3 is about a second of processor for 10 instructors and 120 wishes.',
)
const seed = field.described(
  Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  'The start of the random numbers: the same data, weights, effort and seed give the same plan.',
)
const overrides = Type.Boolean({
  description: "Whether lessons may exceed instructors' limits as far as their overrides allow.",
})

const times = {
  start_at: field.described(field.LocalDateTime, "The start on the school's wall clock, `YYYY-MM-DD HH:MM`."),
  end_at: field.described(field.LocalDateTime, "The end on the school's wall clock, `YYYY-MM-DD HH:MM`."),
}
const proposedId = field.described(field.Id, 'The proposed lesson.')

export const PlanRefusalSchema = field.closed(
  {
    code: Type.Enum([...BROKEN_RULES, 'too_far', 'too_many_offers', 'not_found', 'in_the_past'], {
      description:
        'The code of the rule, as in the 409 of a booking, or `too_far`: the way from or to the lesson beside it takes longer than the free time. When it is applied, also `too_many_offers`, `not_found` if the student or another part no longer exists, and `in_the_past` for an offer of a time that has begun.',
    }),
    params: Type.Record(Type.String(), Type.Unknown(), { description: 'The numbers for the code.' }),
  },
  {
    $id: 'PlanRefusal',
    description: 'The reason why a proposed lesson does not fit.',
    examples: [{ code: 'school_closed', params: { date: '2026-05-05', note: null } }],
  },
)

export const ProposedLessonSchema = field.closed(
  {
    id: field.described(field.Id, 'A UUID made by the service.'),
    student_id: field.described(field.Id, 'The student.'),
    wish_id: field.described(
      field.nullable(field.Id),
      "The wish that it fulfils; null for a week's own answer, or for a lesson that was moved elsewhere.",
    ),
    instructor_id: field.described(field.Id, 'The instructor.'),
    lesson_type_id: field.described(field.Id, 'The lesson type.'),
    ...times,
    vehicle_ids: field.described(field.VehicleIds, 'The vehicles, as the booking form fills them in.'),
    warnings: Type.Array(
      field.closed(
        {
          code: Type.Enum([...WARNINGS, 'outside_wish'], {
            description:
              'The code of a warning, as in the check of a booking, or `outside_wish`: it was moved out of the hours of the student.',
          }),
          params: Type.Record(Type.String(), Type.Unknown(), { description: 'The numbers for the code.' }),
        },
        { description: 'A fact to know.' },
      ),
      { description: 'Facts to know before it is booked.' },
    ),
    is_locked: Type.Boolean({ description: 'Whether planning again keeps it.' }),
    score: Type.Number({ description: "The points that it adds to the plan's score." }),
  },
  {
    $id: 'ProposedLesson',
    description: 'A lesson that a plan proposes. Nothing is booked.',
    examples: [example.draft.proposed[0]],
  },
)
export type PlannedLesson = Static<typeof ProposedLessonSchema>

export const LEFT_OUT_REASONS = [
  'no_window',
  'enough_booked',
  'no_instructor',
  'no_start',
  'taken',
  'several_in_the_way',
  'free_now',
] as const

export const LeftOutSchema = field.closed(
  {
    student_id: field.described(field.Id, 'The student.'),
    wish_id: field.described(field.nullable(field.Id), 'The wish; null if there is none.'),
    lesson_type_id: field.described(field.nullable(field.Id), 'The lesson type; null if it is unknown.'),
    minutes: Type.Integer({ minimum: 0, description: 'The length of the lesson; 0 if it is unknown.' }),
    reason: field.closed(
      {
        code: Type.Enum([...LEFT_OUT_REASONS], {
          description: `\`no_window\`: the student has no wish and no availability in the range; only for students who were named.
\`enough_booked\`: as many lessons as the student wants are booked in the week.
\`no_instructor\`: nobody who teaches the class, or not the wished one, works in the hours of the student.
\`no_start\`: no start in these hours is free; \`params.refusals\` counts the first reason for each start and instructor.
\`taken\`: \`params.start_at\` with \`params.instructor_id\` would be free without the proposed lesson \`params.instead_of\`.
\`several_in_the_way\`: likewise, without all of the proposed lessons \`params.instead_of\`.
\`free_now\`: the start is free since a proposed lesson was dropped or moved by hand.`,
        }),
        params: Type.Record(Type.String(), Type.Unknown(), {
          description: 'The numbers, times and ids for the code.',
        }),
      },
      { description: 'The reason why the lesson is missing.' },
    ),
  },
  {
    $id: 'LeftOutLesson',
    description: 'A lesson that a student asks for and that the plan lacks.',
    examples: [example.draft.left_out[0]],
  },
)
export type LeftOutLesson = Static<typeof LeftOutSchema>

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const PlanFiguresSchema = field.closed(
  {
    score: Type.Number({ description: 'The points of all proposed lessons.' }),
    lessons: count('The number of proposed lessons.'),
    minutes: count('Their minutes.'),
    wished_minutes: count('The minutes of the proposed and the missing lessons.'),
    own_instructor_lessons: count("The number of lessons with the student's preferred instructor."),
    travel_minutes: count('The minutes of the ways before and after proposed lessons.'),
    unusable_gap_minutes: count('The free minutes beside proposed lessons that are too short for a lesson.'),
    instructors: Type.Array(
      field.closed(
        {
          instructor_id: field.described(field.Id, 'The instructor.'),
          minutes: count('The proposed minutes.'),
          available_minutes: field.described(
            field.nullable(Type.Integer({ minimum: 0 })),
            'The minutes of the working hours on the planned days; null without hours.',
          ),
        },
        { description: 'The load of an instructor.' },
      ),
      { description: 'The instructors who were planned.' },
    ),
  },
  { $id: 'PlanFigures', description: 'The figures of a plan.', examples: [example.draft.figures] },
)
export type PlanFiguresShown = Static<typeof PlanFiguresSchema>

export const PlanSchema = field.resource(
  {
    ...days,
    state: Type.Enum(['draft', 'outdated', 'applied', 'discarded'], {
      description:
        '`outdated`: something has changed so that a proposed lesson no longer fits; `broken` names it.',
    }),
    ...limits,
    overrides,
    weights: Weights,
    effort,
    seed,
    proposed: Type.Array(field.ref(ProposedLessonSchema), { description: 'The proposed lessons by start.' }),
    left_out: Type.Array(field.ref(LeftOutSchema), { description: 'The lessons that are missing.' }),
    broken: Type.Array(
      field.closed(
        {
          id: proposedId,
          refusals: Type.Array(field.ref(PlanRefusalSchema), { description: 'The reasons.' }),
        },
        { description: 'A proposed lesson that no longer fits.' },
      ),
      { description: 'The proposed lessons that no longer fit; empty unless the plan is outdated.' },
    ),
    figures: field.described(field.ref(PlanFiguresSchema), 'Its figures.'),
    actor: ChangeSchema.properties.actor,
    version: field.Version,
  },
  { $id: 'Plan', description: 'A plan of some days. Nothing of it is booked.', examples: [example.draft] },
)
export type Plan = Static<typeof PlanSchema>

export const NewPlanSchema = field.closed(
  {
    ...days,
    ...field.optionals(limits),
    weights: field.optional(NewWeights),
    effort: field.optional(effort),
    seed: field.optional(seed),
    overrides: field.optional(overrides),
  },
  { $id: 'NewPlan', description: 'The days to plan. Only these are required.', examples: [example.newPlan] },
)
export type NewPlan = Static<typeof NewPlanSchema>

const some = (description: string) =>
  field.optional(Type.Array(field.Id, { minItems: 1, maxItems: 1000, uniqueItems: true, description }))

export const PlanChangeSchema = field.closed(
  {
    lock: some('The proposed lessons to keep when planning again.'),
    unlock: some('The proposed lessons that planning again may change.'),
    drop: some('The proposed lessons to remove; they stay away when planning again.'),
    move: field.optional(
      Type.Array(
        field.closed(
          {
            id: proposedId,
            instructor_id: field.optional(field.described(field.Id, 'The instructor; the same by default.')),
            start_at: times.start_at,
            end_at: field.optional(
              field.described(field.LocalDateTime, 'The end; the length stays by default.'),
            ),
          },
          { description: 'The new time of a proposed lesson, which is locked.' },
        ),
        { minItems: 1, maxItems: 1000, description: 'The proposed lessons to move, judged together.' },
      ),
    ),
  },
  {
    $id: 'PlanChange',
    description: 'Changes of a draft by hand. A lesson can be named in one list only.',
    examples: [example.planChange],
  },
)
export type PlanChange = Static<typeof PlanChangeSchema>

export const ReplanSchema = field.closed(
  {
    weights: field.optional(NewWeights),
    effort: field.optional(effort),
    seed: field.optional(seed),
    forget: field.optional(Type.Boolean({ description: 'Whether to propose again what was dropped.' })),
  },
  {
    $id: 'Replan',
    description: 'A new search around the locked lessons.',
    examples: [example.replan],
  },
)
export type Replan = Static<typeof ReplanSchema>

export const PlanApplicationSchema = field.closed(
  {
    as: Type.Enum(['booked', 'offers'], {
      description: 'Whether to book the lessons, or to offer each to its student.',
    }),
    despite_changes: field.optional(
      Type.Boolean({ description: 'Whether to leave out the lessons that no longer fit.' }),
    ),
  },
  { $id: 'PlanApplication', description: 'How to apply a plan.', examples: [example.planApplication] },
)
export type PlanApplication = Static<typeof PlanApplicationSchema>

export const AppliedPlanSchema = field.closed(
  {
    set_id: field.described(field.Id, 'The set of changes, which `POST /changes/sets/{id}/undo` takes back.'),
    booked: Type.Array(field.ref(AppointmentSchema), { description: 'The booked lessons, as they are now.' }),
    offers: Type.Array(field.ref(OfferSchema), { description: 'The offers, as they are now.' }),
    refused: Type.Array(
      field.closed(
        {
          id: proposedId,
          refusals: Type.Array(field.ref(PlanRefusalSchema), { description: 'The reasons.' }),
        },
        { description: 'A proposed lesson that was refused.' },
      ),
      { description: 'The proposed lessons that were neither booked nor offered.' },
    ),
  },
  { $id: 'AppliedPlan', description: 'The lessons of an applied plan.', examples: [example.appliedPlan] },
)
export type AppliedPlan = Static<typeof AppliedPlanSchema>

export function planFaultsFor({ from, to }: Partial<NewPlan>): readonly Fault[] {
  if (!from || !to) return []
  if (to < from)
    return [{ pointer: '/to', code: 'wrong_order', detail: `to must not be before from, ${from}.` }]
  const last = localDateFor(dayOf(from) + MAX_PLAN_DAYS - 1)
  if (to <= last) return []
  return [
    {
      pointer: '/to',
      code: 'too_long',
      detail: `to must be ${last} at the latest: a plan has at most ${MAX_PLAN_DAYS} days.`,
    },
  ]
}

export function planChangeFaultsFor({
  lock = [],
  unlock = [],
  drop = [],
  move = [],
}: Partial<PlanChange>): readonly Fault[] {
  const all = [...lock, ...unlock, ...drop, ...move.map(({ id }) => id)]
  const twice = all.find((id, index) => all.indexOf(id) < index)
  return twice === undefined
    ? []
    : [{ pointer: '', code: 'duplicate', detail: `The lesson ${twice} is named twice.` }]
}
