import { type RefObject, useEffect, useMemo } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { type Interval, intervalOf, minutesOf } from '../../domain/interval.ts'
import { useSchool } from '../ui/school.tsx'
import type { Beside, BoardColumn } from './drop-zones.ts'
import { useHover } from './use-moves.ts'

/**
 * The time for zones in one frame, in milliseconds. Forty columns at once would take longer than a frame, and the lesson
 * would not follow the pointer.
 */
const SLICE_MS = 6

type Shown = Beside & {
  /** Returns the columns with the place of a lesson in each. The function must be stable while the columns are the same. */
  readonly columnsFor: (lesson: Appointment) => readonly BoardColumn[]
  /** The hours shown, in minutes of the day. */
  readonly hours: Interval
}

/** Paints drop zones during a drag. */
export function useDropZones(board: RefObject<HTMLElement | null>, shown: Shown): void {
  const { columnsFor, lessons, ghosts, hours } = shown
  const school = useSchool()
  const draft = useHover()?.draft
  const all = useMemo(() => [...lessons, ...(ghosts?.lessons ?? [])], [lessons, ghosts])
  const held = draft && all.find(({ id }) => id === draft.id)
  // Zones are for moves, not for resizing.
  const isMoved = held && minutesOf(intervalOf(held)) === minutesOf(intervalOf(draft))
  const moved = isMoved ? held.id : undefined

  useEffect(() => {
    const lesson = moved === undefined ? undefined : all.find(({ id }) => id === moved)
    if (!lesson) return
    let isWanted = true
    const days = [...(board.current?.querySelectorAll<HTMLElement>('.board-day') ?? [])]
    const columns = columnsFor(lesson)
    const paint = async () => {
      const { paintOf, zonesFor } = await import('./drop-zones.ts')
      if (days.length !== columns.length) return
      const zonesIn = zonesFor(lesson, school, { lessons, ghosts })
      let end = 0
      for (const [index, column] of columns.entries()) {
        if (performance.now() >= end) {
          await nextFrame()
          end = performance.now() + SLICE_MS
        }
        if (!isWanted) return
        const isHoliday = school.days?.warnedOn?.(column.date) !== undefined
        days[index]?.style.setProperty('--drop-zones', paintOf(zonesIn(column), hours, isHoliday))
      }
    }
    // Offline, the columns stay unpainted; the verdict still appears.
    paint().catch(() => undefined)
    return () => {
      isWanted = false
      for (const day of days) day.style.removeProperty('--drop-zones')
    }
  }, [board, moved, columnsFor, all, lessons, ghosts, hours, school])
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve))
}
