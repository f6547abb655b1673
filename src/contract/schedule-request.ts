import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { AvailabilityWindowSchema, NewAvailabilityWindows, windowFaultsFor } from './instructor.ts'
import type { Fault } from './problem.ts'

const asked = {
  instructor_id: example.instructor.id,
  start_date: '2026-08-03',
  end_date: '2026-08-14',
  note: 'Summer',
}

const { version, created_at, updated_at } = example.instructor
const stored = {
  id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b22',
  ...asked,
  availability_windows: null,
  windows_before: null,
  status: 'open',
  answer: null,
  version,
  created_at,
  updated_at,
}

export const ScheduleRequestStatusSchema = Type.Enum(['open', 'accepted', 'declined', 'withdrawn'], {
  description: 'The state of the request; only an `open` one can be decided.',
})

export const ScheduleRequestSchema = field.resource(
  {
    instructor_id: field.described(field.Id, 'The instructor who asks.'),
    start_date: field.described(
      field.nullable(field.LocalDate),
      'The first day off, `YYYY-MM-DD`; null for a request of hours.',
    ),
    end_date: field.described(
      field.nullable(field.LocalDate),
      'The last day off, `YYYY-MM-DD`, included; null for a request of hours.',
    ),
    availability_windows: Type.Unsafe<Static<typeof AvailabilityWindowSchema>[] | null>({
      type: ['array', 'null'],
      items: field.ref(AvailabilityWindowSchema),
      description:
        'The requested working hours; null for days off. Accepting changes the weekdays that differ from `windows_before`.',
    }),
    windows_before: Type.Unsafe<Static<typeof AvailabilityWindowSchema>[] | null>({
      type: ['array', 'null'],
      items: field.ref(AvailabilityWindowSchema),
      description:
        "The instructor's hours at the time of the request; null for days off, and for older requests, whose hours replace all others.",
    }),
    note: field.described(
      field.nullable(field.Notes),
      "The instructor's note to the office; null if there is none.",
    ),
    status: ScheduleRequestStatusSchema,
    answer: field.described(
      field.nullable(field.Notes),
      'The note of the office with its decision; null if there is none.',
    ),
    version: field.Version,
  },
  {
    $id: 'ScheduleRequest',
    description: "An instructor's request to the office: days off, or other working hours.",
    examples: [stored],
  },
)
export type ScheduleRequest = Static<typeof ScheduleRequestSchema>

export const NewScheduleRequestSchema = field.closed(
  {
    instructor_id: field.described(field.Id, 'The instructor who asks: their own id for an instructor.'),
    start_date: field.optional(field.described(field.LocalDate, 'The first day off, `YYYY-MM-DD`.')),
    end_date: field.optional(
      field.described(field.LocalDate, 'The last day off, `YYYY-MM-DD`; it is included.'),
    ),
    availability_windows: field.optional(
      field.described(NewAvailabilityWindows, 'The requested working hours of the whole week.'),
    ),
    note: field.optional(field.described(field.nullable(field.Notes), 'A note to the office.')),
  },
  {
    $id: 'NewScheduleRequest',
    description: 'Either `start_date` and `end_date`, both inclusive, or `availability_windows`.',
    examples: [asked],
  },
)
export type NewScheduleRequest = Static<typeof NewScheduleRequestSchema>

export const ScheduleRequestChangeSchema = field.closed(
  {
    status: field.optional(
      Type.Enum(['accepted', 'declined', 'withdrawn'], {
        description:
          'The new state of an open request: the office accepts or declines it, the instructor or the office withdraws it.',
      }),
    ),
    answer: field.optional(
      Type.Unsafe<string | null>({
        ...field.nullable(field.Notes),
        description: 'The note of the office with its decision.',
      }),
    ),
  },
  {
    $id: 'ScheduleRequestChange',
    description: 'The decision, or the withdrawal.',
    examples: [{ status: 'declined', answer: 'Two are away that week.' }],
  },
)
export type ScheduleRequestChange = Static<typeof ScheduleRequestChangeSchema>

/** Returns the faults that no schema can express: both or neither of dates and hours, or an end before its start. */
export function scheduleRequestFaultsFor(body: Partial<NewScheduleRequest>): readonly Fault[] {
  const { start_date, end_date, availability_windows: windows } = body
  if (windows !== undefined)
    return [...windowFaultsFor('/availability_windows', windows), ...besideWindows(body)]
  if (start_date === undefined) return [missing('start_date', ', or availability_windows')]
  if (end_date === undefined) return [missing('end_date')]
  if (start_date <= end_date) return []
  const detail = `end_date must be on or after the start, ${start_date}.`
  return [{ pointer: '/end_date', code: 'wrong_order', detail }]
}

function besideWindows(body: Partial<NewScheduleRequest>): readonly Fault[] {
  const dates = (['start_date', 'end_date'] as const).filter((name) => body[name] !== undefined)
  return dates.map((name) => ({
    pointer: `/${name}`,
    code: 'not_allowed',
    detail: `${name} cannot stand beside availability_windows.`,
  }))
}

function missing(name: string, or = ''): Fault {
  return { pointer: `/${name}`, code: 'required', detail: `${name}${or} is required.` }
}
