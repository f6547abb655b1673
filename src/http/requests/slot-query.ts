import { type Static, Type } from 'typebox'
import type { SlotQuery } from '../../booking/lessons/find-slots.ts'
import { closed, described, EndOfWindow, Id, optional, TimeOfDay } from '../../contract/fields.ts'
import { type Fault, invalidRequest } from '../../contract/problem.ts'
import { VehicleKindSchema } from '../../contract/vehicle.ts'
import type { Interval } from '../../domain/interval.ts'
import { MINUTES_PER_DAY, type Minute, minuteOf, minuteOfDay } from '../../domain/local-time.ts'
import { MAX_VEHICLES_OF_AN_APPOINTMENT } from '../../domain/ranges.ts'
import { pageParameters } from '../responses/list-reply.ts'
import { endOf, orderFault, RangeEnd, startOf } from './time-range.ts'

const DEFAULT_DAYS = 28
const MAX_DAYS = 92
const DEFAULT_STEP = 15
const DEFAULT_LIMIT = 20

export const SlotQuerySchema = closed({
  lesson_type_id: optional(
    described(
      Id,
      'The lesson type to book. It gives the default length, the limits that count and the rules about darkness.',
    ),
  ),
  minutes: optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,2}|1[0-3][0-9]{2}|14[0-3][0-9]|1440)$',
      'x-published': { type: 'integer', minimum: 1, maximum: 1440 },
      description:
        'The length in minutes, 1–1440; by default that of `lesson_type_id`. One of the two is required. Without a lesson type the slot counts toward limits.',
    }),
  ),
  student_id: optional(
    described(
      Id,
      'The student to book: slots overlap none of their appointments, and the instructors teach their class.',
    ),
  ),
  appointment_id: optional({
    ...Id,
    description:
      'The appointment to move: it is treated as if it were not booked. Without `student_id`, slots are for its student or attendees.',
  }),
  enrolment_id: optional({
    ...Id,
    description:
      'The enrolment of the student that the lesson is for; by default that of the moved appointment, else the current one.',
  }),
  instructor_id: optional(
    Type.Array(Id, {
      description:
        "The instructors to search; may be repeated. By default all active ones who, with `student_id`, teach the student's class.",
    }),
  ),
  vehicle_id: optional(
    Type.Array(Id, {
      maxItems: MAX_VEHICLES_OF_AN_APPOINTMENT,
      uniqueItems: true,
      description:
        'The vehicles of the lesson, or those beside the usual ones; may be repeated, up to three times. All of them are free at each slot.',
    }),
  ),
  vehicle: optional(
    Type.Enum(['any', 'usual'], {
      description:
        "`any`: each slot has one active vehicle that is free and, with `student_id`, suits the student's class; the instructor's usual one first. Not together with `vehicle_id`. `usual`: each slot has the vehicles that a booking form would fill in, and they are free: if lessons of the type are driven, the instructor's usual one (the only one of the student's class if that does not suit it) and, if the class needs a trailer, the only one that suits it. `vehicle_id` adds others; a trailer among them takes the place of the usual one.",
    }),
  ),
  vehicle_kind: optional(
    described(VehicleKindSchema, 'The kind of vehicle that `vehicle=any` chooses; by default any.'),
  ),
  from: optional({
    ...RangeEnd,
    description:
      "The start of the range, a date or `YYYY-MM-DD HH:MM` of the school's wall clock; by default now. Slots lie wholly within `from` to `to`.",
  }),
  to: optional({
    ...RangeEnd,
    description: `The end of the range; a bare date includes that whole day. By default ${DEFAULT_DAYS} days after \`from\`, at most ${MAX_DAYS} days after it.`,
  }),
  weekdays: optional(
    Type.String({
      pattern: '^[1-7](,[1-7]){0,6}$',
      description: 'The ISO weekdays on which slots may start, separated by commas; Monday is 1.',
      examples: ['1,3,5'],
    }),
  ),
  time_from: optional(
    described(
      TimeOfDay,
      "The earliest time of day at which a slot starts, `HH:MM` of the school's wall clock.",
    ),
  ),
  time_to: optional({
    ...EndOfWindow,
    description:
      'The latest time of day at which a slot ends. With this or `time_from` slots lie on one day; without both they may cross midnight.',
  }),
  step: optional(
    Type.String({
      pattern: '^([5-9]|[1-5][0-9]|60)$',
      'x-published': { type: 'integer', minimum: 5, maximum: 60, default: DEFAULT_STEP },
      description: `The grid of the starts in minutes since midnight, 5–60, by default ${DEFAULT_STEP}.`,
    }),
  ),
  overrides: optional(
    Type.Enum(['true', 'false'], {
      'x-published': { type: 'boolean', default: false },
      description: 'Whether to list slots that need a unit override; by default false.',
    }),
  ),
  order: optional(
    Type.Enum(['time', 'fit'], {
      description:
        "`time`, the default: by start, then the preferred instructor, then by name. `fit`: the preferred instructor first; then slots that leave no useless gap, one that is longer than the required break but too short for the school's shortest common lesson (the smallest default length of its visible lesson types that count toward limits); then by time.",
    }),
  ),
  limit: optional(
    Type.String({
      pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$',
      'x-published': { type: 'integer', minimum: 1, maximum: 200 },
      description: `The maximum number of slots per page, 1–200, by default ${DEFAULT_LIMIT}; the header \`Link\` leads to the next page.`,
    }),
  ),
  cursor: pageParameters.cursor,
})

type Given = Static<typeof SlotQuerySchema>

/** Parses the parameters; `now` is the school's wall clock. Throws `invalid_request` with every fault. */
export function slotQueryOf(given: Given, now: string): SlotQuery & { readonly limit: number } {
  const range = rangeOf(given, now)
  const hours = hoursOf(given)
  const faults = [
    lengthFault(given),
    rangeFault(given, range.start, now),
    hoursFault(hours),
    ...vehicleFaults(given),
  ]
  const found = faults.filter((fault) => fault !== undefined)
  if (found.length > 0) throw invalidRequest(found)
  return {
    lesson_type_id: given.lesson_type_id ?? null,
    minutes: given.minutes === undefined ? undefined : Number(given.minutes),
    student_id: given.student_id ?? null,
    appointment_id: given.appointment_id,
    enrolment_id: given.enrolment_id,
    instructor_ids: given.instructor_id,
    vehicles: vehiclesOf(given),
    range,
    weekdays: given.weekdays?.split(',').map(Number),
    hours,
    step: Number(given.step ?? DEFAULT_STEP),
    with_overrides: given.overrides === 'true',
    order: given.order ?? 'time',
    limit: Number(given.limit ?? DEFAULT_LIMIT),
  }
}

function vehiclesOf({ vehicle_id, vehicle, vehicle_kind }: Given): SlotQuery['vehicles'] {
  if (vehicle === 'any') return { kind: vehicle_kind }
  if (vehicle === 'usual') return { beside: vehicle_id ?? [] }
  return vehicle_id && { ids: vehicle_id }
}

function vehicleFaults({ vehicle_id, vehicle, vehicle_kind }: Given): readonly Fault[] {
  const faults: Fault[] = []
  if (vehicle === 'any' && vehicle_id)
    faults.push({
      pointer: '?vehicle',
      code: 'not_together',
      detail: 'vehicle=any and vehicle_id exclude each other.',
    })
  if (vehicle_kind && vehicle !== 'any')
    faults.push({ pointer: '?vehicle', code: 'required', detail: 'vehicle_kind needs vehicle=any.' })
  return faults
}

function rangeOf({ from, to }: Given, now: string): Interval {
  const start = minuteOf(from === undefined ? now : startOf(from))
  return { start, end: to === undefined ? start + DEFAULT_DAYS * MINUTES_PER_DAY : minuteOf(endOf(to)) }
}

function hoursOf({ time_from, time_to }: Given): Interval | undefined {
  if (time_from === undefined && time_to === undefined) return undefined
  return { start: minuteOfDay(time_from ?? '00:00'), end: minuteOfDay(time_to ?? '24:00') }
}

function lengthFault({ minutes, lesson_type_id }: Given): Fault | undefined {
  if (minutes !== undefined || lesson_type_id !== undefined) return undefined
  return { pointer: '?minutes', code: 'required', detail: 'minutes or lesson_type_id is required.' }
}

/** Returns the fault of a range. A date as `to` counts from its start: it may be `MAX_DAYS` after `from`, and is included. */
function rangeFault({ from, to }: Given, start: Minute, now: string): Fault | undefined {
  if (to === undefined) return undefined
  const fault = orderFault(from ?? now, to)
  if (fault || minuteOf(startOf(to)) - start <= MAX_DAYS * MINUTES_PER_DAY) return fault
  return {
    pointer: '?to',
    code: 'too_long',
    detail: `to is at most ${MAX_DAYS} days after from, ${from ?? now}.`,
  }
}

function hoursFault(hours: Interval | undefined): Fault | undefined {
  if (!hours || hours.start < hours.end) return undefined
  return { pointer: '?time_to', code: 'wrong_order', detail: 'time_to must be after time_from.' }
}
