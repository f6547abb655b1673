import { type Static, Type } from 'typebox'
import { absenceTimesFor } from '../domain/absence-period.ts'
import { skippedFaultsFor } from '../domain/appointment-times.ts'
import { dayOf, isLocalDateTime } from '../domain/local-time.ts'
import { MAX_DAYS_OF_ABSENCE, MAX_DECISIONS, MAX_MOVED_LESSONS } from '../domain/ranges.ts'
import { AbsenceDecisionSchema, decisionsFaultsFor, NewAbsenceDecisionSchema } from './absence-decision.ts'
import { AppointmentSchema, inText } from './appointment.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import { SlotSchema } from './slot.ts'

const period = {
  start_date: field.described(field.LocalDate, 'The first day of the absence.'),
  end_date: field.described(
    field.LocalDate,
    `The last day of the absence, at most ${MAX_DAYS_OF_ABSENCE} days after the first.`,
  ),
  start_time: Type.Optional(
    field.described(
      field.nullable(field.TimeOfDay),
      'The time at which it begins on the first day; null for the whole day.',
    ),
  ),
  end_time: Type.Optional(
    field.described(
      field.nullable(field.EndOfWindow),
      'The time at which it ends on the last day; null for the whole day.',
    ),
  ),
  note: Type.Optional(field.described(field.nullable(field.Notes), 'A note on the absence; null for none.')),
}

export const AbsenceRequestSchema = field.closed(period, {
  $id: 'AbsenceRequest',
  description: 'An absence of an instructor or a vehicle, before it is stored.',
  examples: [{ start_date: '2026-05-04', end_date: '2026-05-06', note: 'ill' }],
})
export type AbsenceRequest = Static<typeof AbsenceRequestSchema>

export const InstructorAbsenceRequestSchema = field.closed(
  {
    ...period,
    may_move: Type.Optional(
      field.described(
        field.integer({ min: 0, max: MAX_MOVED_LESSONS }),
        'The most lessons of others to move. If it is given, the answer has a `ladder`.',
      ),
    ),
  },
  {
    $id: 'InstructorAbsenceRequest',
    description:
      'An absence of an instructor, before it is stored, and the lessons of others that may be moved.',
    examples: [{ start_date: '2026-05-04', end_date: '2026-05-06', note: 'ill', may_move: 2 }],
  },
)

const LadderSchema = Type.Array(
  field.closed({
    moved: Type.Integer({ minimum: 0, description: 'The most lessons of others that are moved.' }),
    saved: Type.Integer({
      minimum: 0,
      description:
        'The lessons that stay on the days of the absence: with another instructor at the same time, or moved to another time with an instructor whom the student has had.',
    }),
    decisions: Type.Array(field.ref(AbsenceDecisionSchema), {
      description:
        'A decision on each lesson of the plan, and a `move` for each lesson of others. They fit together, and can be sent back as they are.',
    }),
  }),
  {
    description:
      'For each number of lessons of others from 0 to `may_move`: the decisions that save the most lessons. Others are never cancelled, never moved to hours that their wishes or the answer for the week exclude, and never if they are signed or begin within 24 hours. Only if `may_move` is given.',
  },
)

export const AbsencePlanSchema = field.closed(
  {
    appointments: Type.Array(
      field.closed({
        appointment: field.described(field.ref(AppointmentSchema), 'The appointment as it is booked.'),
        phones: Type.Array(Type.String(), { description: "The student's phone numbers." }),
        take_over: Type.Array(field.ref(SlotSchema), {
          description:
            'The same time with other instructors, at most five: first those whom the student prefers or has already had.',
        }),
        other_vehicle: Type.Array(field.ref(SlotSchema), {
          description:
            'The same time with other vehicles of the same kind, at most five; only if a vehicle is absent.',
        }),
        move: Type.Array(field.ref(SlotSchema), {
          description: 'Other times, at most five: first those of the same instructor.',
        }),
        proposal: field.described(
          field.ref(AbsenceDecisionSchema),
          'A decision as it can be sent back, such as to `POST /instructors/{id}/absences`; those of a plan fit together.',
        ),
      }),
      { description: 'The planned appointments that the change affects, by start.' },
    ),
    ladder: Type.Optional(LadderSchema),
  },
  {
    $id: 'AbsencePlan',
    description: 'The lessons that a change affects, with substitutes and other times for each.',
    examples: [
      {
        appointments: [
          {
            appointment: example.appointment,
            phones: ['+49 30 5550145'],
            take_over: [example.slot],
            other_vehicle: [],
            move: [],
            proposal: {
              appointment_id: example.appointment.id,
              version: 1,
              action: 'take_over',
              instructor_id: example.instructor.id,
            },
          },
        ],
      },
    ],
  },
)
export type AbsencePlan = Static<typeof AbsencePlanSchema>

/** The decisions on the lessons of a plan, as the last field of a request. */
export const decisions = Type.Array(field.ref(NewAbsenceDecisionSchema), {
  maxItems: MAX_DECISIONS,
  description: 'A decision on each appointment that the plan lists.',
})

export const NewAbsencePlanSchema = field.closed(
  { ...period, decisions },
  {
    $id: 'DecidedAbsence',
    description: 'An absence, and a decision on each lesson during it.',
    examples: [
      {
        start_date: '2026-05-04',
        end_date: '2026-05-06',
        note: 'ill',
        decisions: [{ appointment_id: example.appointment.id, version: 1, action: 'keep' }],
      },
    ],
  },
)
export type DecidedAbsence = Static<typeof NewAbsencePlanSchema>

export const AbsenceSetSchema = field.closed(
  {
    set_id: field.described(
      field.Id,
      'The set of all changes: `POST /changes/sets/{id}/undo` takes the change and every decision back.',
    ),
    appointments: Type.Array(field.ref(AppointmentSchema), {
      description: 'The appointments after the decisions were carried out, in the order of the decisions.',
    }),
  },
  {
    $id: 'AbsenceSet',
    description: 'A stored change, such as an absence, and its lessons.',
    examples: [{ set_id: example.change.set_id, appointments: [example.appointment] }],
  },
)
export type AbsenceSet = Static<typeof AbsenceSetSchema>

/** Returns the faults of an absence: an end before the start, too many days, unsupported years, or skipped times. */
export function absenceFaultsFor(absence: Partial<AbsenceRequest>, timezone: string): readonly Fault[] {
  const { start_date, end_date, start_time, end_time } = absence
  if (start_date === undefined || end_date === undefined) return []
  if (end_date < start_date)
    return [
      { pointer: '/end_date', code: 'wrong_order', detail: `end_date must be on or after ${start_date}.` },
    ]
  if (dayOf(end_date) - dayOf(start_date) > MAX_DAYS_OF_ABSENCE) {
    const detail = `An absence with a plan ends at most ${MAX_DAYS_OF_ABSENCE} days after ${start_date}.`
    return [{ pointer: '/end_date', code: 'out_of_range', detail }]
  }
  if (start_date === end_date && (end_time ?? '24:00') <= (start_time ?? '00:00'))
    return [
      {
        pointer: '/end_time',
        code: 'wrong_order',
        detail: `end_time must be after ${start_time ?? '00:00'}.`,
      },
    ]
  const { start_at, end_at } = absenceTimesFor({ start_date, end_date, start_time, end_time })
  const detail = 'The absence must lie in the years 2000 to 2099.'
  if (!isLocalDateTime(start_at)) return [{ pointer: '/start_date', code: 'out_of_range', detail }]
  if (!isLocalDateTime(end_at)) return [{ pointer: '/end_date', code: 'out_of_range', detail }]
  const given = { start_at: start_time ? start_at : undefined, end_at: end_time ? end_at : undefined }
  return skippedFaultsFor(given, timezone).map((fault) => ({
    ...inText(fault),
    pointer: fault.field === 'start_at' ? '/start_time' : '/end_time',
  }))
}

/** Returns the faults of an absence and its decisions. */
export function decidedAbsenceFaultsFor(
  { decisions, ...absence }: Partial<DecidedAbsence>,
  timezone: string,
): readonly Fault[] {
  return [...absenceFaultsFor(absence, timezone), ...decisionsFaultsFor(decisions, timezone)]
}
