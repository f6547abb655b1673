import type { Calendar } from '@event-calendar/core'
import type { Sky } from '../../domain/daylight.ts'
import { dayOf, type LocalDate, localDateTimeFor, midnightOf, timeOf } from '../../domain/local-time.ts'

/** Returns the dark parts of an instructor's column; dusk shows its time. */
export function darkEvents(
  date: LocalDate,
  instructorId: string,
  sky: Sky | undefined,
): readonly Calendar.EventInput[] {
  const day = dayOf(date)
  return (sky?.darkTimesOn(day) ?? []).map(({ start, end }) => ({
    id: `dark ${instructorId} ${start}`,
    start: localDateTimeFor(start),
    end: localDateTimeFor(end),
    resourceIds: [instructorId],
    display: 'background',
    classNames: ['dark-time'],
    extendedProps: { dusk: start > midnightOf(day) ? timeOf(localDateTimeFor(start)) : '' },
  }))
}
