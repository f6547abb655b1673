import { type Static, Type } from 'typebox'
import { dayOf, weekdayOf } from '../domain/local-time.ts'
import {
  APPOINTMENT_MINUTES,
  MAX_LESSONS_OF_A_SERIES,
  MAX_SHIFTS,
  SERIES_COUNT,
  SERIES_DAYS,
  SERIES_WEEKS,
  SHIFTED_DAYS,
} from '../domain/ranges.ts'
import { BROKEN_RULES } from '../domain/refusal.ts'
import { endsInTime, type Repeat, repetitionsOf } from '../domain/repeat.ts'
import { AppointmentSchema, appointmentFaultsFor, NewAppointmentSchema } from './appointment.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import { SlotSchema } from './slot.ts'

const RepeatSchema = field.closed(
  {
    every_weeks: field.optional(
      field.described(field.integer(SERIES_WEEKS), 'The weeks from one lesson to the next.'),
    ),
    every_days: field.optional(
      field.described(field.integer(SERIES_DAYS), 'The days from one lesson to the next.'),
    ),
    weekdays: field.optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description:
          'The weekdays of the lessons beside `every_weeks`, ISO: Monday is 1. One of them is that of the first lesson.',
      }),
    ),
    count: field.optional(
      field.described(field.integer(SERIES_COUNT), 'The number of all lessons, the first one included.'),
    ),
    until: field.optional(
      field.described(field.LocalDate, 'The last date on which a lesson may start, `YYYY-MM-DD`.'),
    ),
  },
  {
    description: `Either \`every_weeks\` or \`every_days\`; and either \`count\`, of all lessons, or \`until\`, a date on which the last one may
start. With \`topics\` neither of these two. The time of day stays the same when the clocks change. At most ${MAX_LESSONS_OF_A_SERIES} lessons.`,
  },
)

export const NewSeriesSchema = field.closed(
  {
    appointment: field.described(
      field.ref(NewAppointmentSchema),
      'The first lesson; the others differ from it only in their times.',
    ),
    repeat: RepeatSchema,
    topics: field.optional(
      Type.Array(field.TopicName, {
        minItems: 1,
        maxItems: MAX_LESSONS_OF_A_SERIES,
        description: 'The `topic` of each lesson of a course, in order: one lesson for each.',
      }),
    ),
    on_refusal: field.optional(
      Type.Enum(['skip', 'stop', 'shift'], {
        description: `Whether to skip a refused lesson and go on, to stop there, or to book it and the following on the next dates; by default \`skip\`. \`shift\` gives up after ${MAX_SHIFTS} refused dates and returns no alternatives.`,
      }),
    ),
    dry_run: field.optional(
      Type.Boolean({
        description: 'Whether only to return the expected result, without booking; by default `false`.',
      }),
    ),
  },
  { $id: 'NewSeries', description: 'The first lesson, and how it repeats.', examples: [example.newSeries] },
)
export type NewSeries = Static<typeof NewSeriesSchema>

/** A lesson of a series that was not booked, with the broken rules or nonexistent times, and alternatives. */
export const RefusedLessonSchema = field.closed(
  {
    start_at: field.described(
      field.LocalDateTime,
      "The start of the refused lesson on the school's wall clock.",
    ),
    end_at: field.described(field.LocalDateTime, "The end of the refused lesson on the school's wall clock."),
    refusals: Type.Array(
      field.closed({
        code: Type.Enum([...BROKEN_RULES, 'skipped_time'], {
          description:
            '`skipped_time`: the clocks of `params.timezone` jump over `params.time`, the `params.field` of the lesson.',
        }),
        params: field.described(
          Type.Record(Type.String(), Type.Unknown()),
          'The numbers behind the code, as in a problem.',
        ),
      }),
      { description: 'Every broken rule, or a time that does not exist.' },
    ),
    alternatives: Type.Array(field.ref(SlotSchema), {
      maxItems: 3,
      description: 'The nearest free times, after the lessons of the series have been booked.',
    }),
  },
  {
    $id: 'RefusedLesson',
    description: 'A refused lesson of a series, with free times instead.',
    examples: [example.refusedLesson],
  },
)
export type RefusedLesson = Static<typeof RefusedLessonSchema>

export const SeriesSchema = field.closed(
  {
    series_id: field.described(
      field.Id,
      'The id that the booked lessons share; list them with `GET /appointments?series_id=`.',
    ),
    booked: Type.Array(field.ref(AppointmentSchema), {
      description:
        'The booked lessons, in order. In a dry run the ids are not stored, but refusals may name them.',
    }),
    refused: Type.Array(field.ref(RefusedLessonSchema), {
      description: 'The lessons that were not booked, in order.',
    }),
  },
  {
    $id: 'Series',
    description: 'The booked and the refused lessons of a series.',
    examples: [example.series],
  },
)
export type Series = Static<typeof SeriesSchema>

export const SeriesCancellationSchema = field.closed(
  {
    from: field.described(field.LocalDate, "The first day to cancel, `YYYY-MM-DD` of the school's calendar."),
  },
  { $id: 'SeriesCancellation', description: 'The date to cancel from.', examples: [{ from: '2026-05-11' }] },
)

export const NewSeriesChangeSchema = field.closed(
  {
    from: field.described(field.LocalDate, "The first day to change, `YYYY-MM-DD` of the school's calendar."),
    change: field.closed(
      {
        shift_days: field.optional(
          field.described(field.integer(SHIFTED_DAYS), 'The days by which each lesson moves.'),
        ),
        start_time: field.optional(field.described(field.TimeOfDay, 'The time of day at which each begins.')),
        minutes: field.optional(
          field.described(field.integer(APPOINTMENT_MINUTES), 'The length of each lesson in minutes.'),
        ),
        instructor_id: field.optional(
          field.described(
            field.Id,
            'The instructor who teaches. The usual vehicles follow unless `vehicle_ids` are given.',
          ),
        ),
        vehicle_ids: field.optional(field.described(field.VehicleIds, 'The vehicles of each lesson.')),
        lesson_type_id: field.optional(field.described(field.Id, 'The kind of lesson.')),
        pickup_place: field.optional(
          field.described(field.nullable(field.Title), 'The place where each begins; null for none.'),
        ),
        title: field.optional(field.described(field.Title, 'The title of each lesson.')),
      },
      { description: 'The fields to change, at least one; all others stay.' },
    ),
    on_refusal: Type.Enum(['skip', 'stop', 'nothing'], {
      description:
        '`skip`: a refused lesson stays as it is; `stop`: so do all after the first one; `nothing`: a refusal is a 409, and all stay as they are.',
    }),
    dry_run: field.optional(
      Type.Boolean({
        description: 'Whether only to return the expected result, without writing; by default `false`.',
      }),
    ),
  },
  {
    $id: 'NewSeriesChange',
    description: 'A change of the lessons of a series from a day on.',
    examples: [{ from: '2026-05-11', change: { shift_days: 1, start_time: '16:00' }, on_refusal: 'skip' }],
  },
)
export type NewSeriesChange = Static<typeof NewSeriesChangeSchema>

const { start_at: _, end_at: __, ...whyRefused } = RefusedLessonSchema.properties

export const ChangedSeriesSchema = field.closed(
  {
    set_id: field.described(
      field.Id,
      'The set of all changes, which `POST /changes/sets/{id}/undo` takes back.',
    ),
    changed: Type.Array(field.ref(AppointmentSchema), { description: 'The changed lessons, by start.' }),
    refused: Type.Array(
      field.closed({
        appointment_id: field.described(field.Id, 'The lesson that stays as it is.'),
        ...whyRefused,
      }),
      { description: 'The refused lessons, with the reasons and the nearest free times.' },
    ),
  },
  {
    $id: 'ChangedSeries',
    description: 'The changed and the refused lessons of a series.',
    examples: [
      {
        set_id: example.change.set_id,
        changed: [example.appointment],
        refused: [
          {
            appointment_id: example.appointment.id,
            refusals: example.refusedLesson.refusals,
            alternatives: example.refusedLesson.alternatives,
          },
        ],
      },
    ],
  },
)
export type ChangedSeries = Static<typeof ChangedSeriesSchema>

/** Returns the faults of a change of a series: one that changes nothing. */
export function seriesChangeFaultsFor({ change }: Partial<NewSeriesChange>): readonly Fault[] {
  if (!change || Object.keys(change).length > 0) return []
  return [{ pointer: '/change', code: 'required', detail: 'change needs at least one field.' }]
}

/** Returns the faults that no schema can express. */
export function seriesFaultsFor(
  { appointment, repeat, topics }: Partial<NewSeries>,
  timezone: string,
): readonly Fault[] {
  const times = appointment ? appointmentFaultsFor(appointment, timezone) : []
  const within = times.map((fault) => ({ ...fault, pointer: `/appointment${fault.pointer}` }))
  if (!repeat) return within
  const choices = [
    ...choiceFaults(repeat, 'every_weeks', 'every_days'),
    ...(topics ? topicFaults(repeat, appointment) : choiceFaults(repeat, 'count', 'until')),
    ...(repeat.weekdays && repeat.every_days !== undefined
      ? [notBeside('/repeat/weekdays', 'weekdays', 'every_days')]
      : []),
  ]
  if (choices.length > 0 || times.length > 0 || !appointment) return [...within, ...choices]
  const whole = withTopicCount(repeat, topics)
  const pointer = topics ? '/topics' : repeat.until === undefined ? '/repeat/count' : '/repeat/until'
  return [...weekdayFaults(appointment, repeat), ...lengthFaults(appointment, whole, pointer)]
}

/** Returns the repetition of a series: a course has a lesson for each topic. */
export function withTopicCount(repeat: Repeat, topics: NewSeries['topics']): Repeat {
  return topics ? { ...repeat, count: topics.length } : repeat
}

/** Checks that exactly one of the two is given. */
function choiceFaults(repeat: Repeat, one: keyof Repeat, other: keyof Repeat): readonly Fault[] {
  if (repeat[one] === undefined && repeat[other] === undefined)
    return [{ pointer: `/repeat/${one}`, code: 'required', detail: `${one} or ${other} is required.` }]
  if (repeat[one] === undefined || repeat[other] === undefined) return []
  return [notBeside(`/repeat/${other}`, other, one)]
}

/** Checks that `topics` is not combined with another number of lessons or another topic. */
function topicFaults(repeat: Repeat, appointment: NewSeries['appointment'] | undefined): readonly Fault[] {
  const lengths = (['count', 'until'] as const).filter((one) => repeat[one] !== undefined)
  return [
    ...lengths.map((one) => notBeside(`/repeat/${one}`, one, 'topics')),
    ...(appointment?.topic == null ? [] : [notBeside('/appointment/topic', 'topic', 'topics')]),
  ]
}

function notBeside(pointer: string, one: string, other: string): Fault {
  return { pointer, code: 'not_allowed', detail: `${one} cannot stand beside ${other}.` }
}

function weekdayFaults(
  { start_at }: NewSeries['appointment'],
  { weekdays }: Pick<Repeat, 'weekdays'>,
): readonly Fault[] {
  const weekday = weekdayOf(dayOf(start_at))
  if (!weekdays || weekdays.includes(weekday)) return []
  const detail = `weekdays must include ${weekday}, the weekday of ${start_at}.`
  return [{ pointer: '/repeat/weekdays', code: 'out_of_range', detail }]
}

function lengthFaults(first: NewSeries['appointment'], repeat: Repeat, pointer: string): readonly Fault[] {
  const count = repetitionsOf(first, repeat)
  if (count === 0)
    return [{ pointer, code: 'wrong_order', detail: `until must not be before ${first.start_at}.` }]
  if (count > MAX_LESSONS_OF_A_SERIES) {
    const detail = `These would be ${count} lessons; a series has at most ${MAX_LESSONS_OF_A_SERIES}.`
    return [{ pointer, code: 'out_of_range', detail }]
  }
  if (endsInTime(first, repeat)) return []
  return [{ pointer, code: 'out_of_range', detail: 'The last lesson would be after the year 2099.' }]
}
