import { useMemo } from 'react'
import type { Darkness } from '../../domain/daylight.ts'
import { dayOf, type LocalDate, localDateTimeFor, midnightOf, timeOf } from '../../domain/local-time.ts'
import { backgroundCode } from '../ui/background-code.ts'
import { useSchool } from '../ui/school.tsx'
import type { GridEvent } from './grid-event.ts'

/** Returns the dark parts of an instructor's column; the evening's part shows the time of dusk. */
export function darkEvents(
  date: LocalDate,
  instructorId: string,
  darkness: Darkness | undefined,
): readonly GridEvent[] {
  const day = dayOf(date)
  return (darkness?.darkTimesOn(day) ?? []).map(({ start, end }) => ({
    id: `dark ${instructorId} ${start}`,
    start_at: localDateTimeFor(start),
    end_at: localDateTimeFor(end),
    resources: [instructorId],
    className: 'dark-time',
    isMovable: false,
    content: { kind: 'background', dusk: start > midnightOf(day) ? timeOf(localDateTimeFor(start)) : '' },
  }))
}

const daylight = backgroundCode(() => import('../../domain/daylight.ts'))

/** Fetches the code of `useDarkness` ahead. */
export const loadDarkness = daylight.load

/** Returns the darkness at the school's place; undefined until its code is loaded. The page does not wait for it. */
export function useDarkness(): Darkness | undefined {
  const { latitude, longitude, timezone } = useSchool().tenant
  const code = daylight.use()
  return useMemo(
    () => code?.darknessFor({ latitude, longitude, timezone }),
    [code, latitude, longitude, timezone],
  )
}
