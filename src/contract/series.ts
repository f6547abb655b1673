import { type Static, Type } from 'typebox'
import { MOST_LESSONS_OF_A_SERIES, SERIES_COUNT, SERIES_DAYS, SERIES_WEEKS } from '../domain/ranges.ts'
import { countOf, endsInTime, type Repeat } from '../domain/repeat.ts'
import { AppointmentSchema, appointmentFaultsFor, NewAppointmentSchema } from './appointment.ts'
import { BROKEN_RULES } from './check.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import { SlotSchema } from './slot.ts'

const RepeatSchema = field.closed(
  {
    every_weeks: field.optional(field.integer(SERIES_WEEKS)),
    every_days: field.optional(field.integer(SERIES_DAYS)),
    count: field.optional(field.integer(SERIES_COUNT)),
    until: field.optional(field.LocalDate),
  },
  {
    description: `Either \`every_weeks\` or \`every_days\`; and either \`count\`, of all lessons, or \`until\`, a date on which the last one may
start. The time of day stays the same when the clocks change. At most ${MOST_LESSONS_OF_A_SERIES} lessons.`,
  },
)

export const NewSeriesSchema = field.closed(
  {
    appointment: field.ref(NewAppointmentSchema),
    repeat: RepeatSchema,
    on_refusal: field.optional(
      Type.Enum(['skip', 'stop'], {
        description: 'What becomes of the rest when a lesson is refused. Left out: `skip`.',
      }),
    ),
    dry_run: field.optional(
      Type.Boolean({ description: 'Say what would be booked and refused, and write nothing.' }),
    ),
  },
  { $id: 'NewSeries', examples: [example.newSeries] },
)
export type NewSeries = Static<typeof NewSeriesSchema>

/** A lesson of a series that was not booked: every broken rule, or the times that do not exist; and what is free instead. */
const RefusedLessonSchema = field.closed(
  {
    start_at: field.LocalDateTime,
    end_at: field.LocalDateTime,
    refusals: Type.Array(
      field.closed({
        code: Type.Enum([...BROKEN_RULES, 'skipped_time'], {
          description:
            '`skipped_time`: the clocks of `params.timezone` jump over `params.time`, the `params.field` of the lesson.',
        }),
        params: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    alternatives: Type.Array(field.ref(SlotSchema), {
      maxItems: 3,
      description: 'Nearest in time, beside all that the series has booked, as in a check.',
    }),
  },
  { $id: 'RefusedLesson', examples: [example.refusedLesson] },
)
export type RefusedLesson = Static<typeof RefusedLessonSchema>

export const SeriesSchema = field.closed(
  {
    series_id: field.Id,
    booked: Type.Array(field.ref(AppointmentSchema), {
      description: 'In order. The ids of a dry run are those of nothing, but the refusals name them.',
    }),
    refused: Type.Array(field.ref(RefusedLessonSchema)),
  },
  { $id: 'Series', examples: [example.series] },
)
export type Series = Static<typeof SeriesSchema>

export const SeriesCancellationSchema = field.closed(
  { from: field.LocalDate },
  { $id: 'SeriesCancellation', examples: [{ from: '2026-05-11' }] },
)

/** The schemas that stand once in the OpenAPI document. */
export const seriesParts = [RefusedLessonSchema, SeriesSchema, NewSeriesSchema, SeriesCancellationSchema]

/** Faults that no schema can express: of the first lesson's times, and of what is given beside each other. */
export function seriesFaultsFor(
  { appointment, repeat }: Partial<NewSeries>,
  timezone: string,
): readonly Fault[] {
  const times = appointment ? appointmentFaultsFor(appointment, timezone) : []
  const within = times.map((fault) => ({ ...fault, pointer: `/appointment${fault.pointer}` }))
  if (!repeat) return within
  const choices = [
    ...choiceFaults(repeat, 'every_weeks', 'every_days'),
    ...choiceFaults(repeat, 'count', 'until'),
  ]
  if (choices.length > 0 || times.length > 0 || !appointment) return [...within, ...choices]
  return lengthFaults(appointment, repeat)
}

/** Exactly one of the two must be given. */
function choiceFaults(repeat: Repeat, one: keyof Repeat, other: keyof Repeat): readonly Fault[] {
  if (repeat[one] === undefined && repeat[other] === undefined)
    return [{ pointer: `/repeat/${one}`, code: 'required', detail: `${one} or ${other} is required.` }]
  if (repeat[one] === undefined || repeat[other] === undefined) return []
  return [
    { pointer: `/repeat/${other}`, code: 'not_allowed', detail: `${other} cannot stand beside ${one}.` },
  ]
}

function lengthFaults(first: NewSeries['appointment'], repeat: Repeat): readonly Fault[] {
  const pointer = repeat.until === undefined ? '/repeat/count' : '/repeat/until'
  const count = countOf(first, repeat)
  if (count === 0)
    return [{ pointer, code: 'wrong_order', detail: `until must not be before ${first.start_at}.` }]
  if (count > MOST_LESSONS_OF_A_SERIES) {
    const detail = `These would be ${count} lessons; a series has at most ${MOST_LESSONS_OF_A_SERIES}.`
    return [{ pointer, code: 'out_of_range', detail }]
  }
  if (endsInTime(first, repeat)) return []
  return [{ pointer, code: 'out_of_range', detail: 'The last lesson would be after the year 2099.' }]
}
