import { type RefObject, useEffect } from 'react'
import type { LocalDate } from '../../domain/local-time.ts'

/** Scrolls to the column of today where the days shown are wider than the window, as a week is on a phone. */
export function useTodayInSight(box: RefObject<HTMLElement | null>, dates: readonly LocalDate[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other days are another sight
  useEffect(() => {
    // The calendar has drawn them by the next picture.
    const frame = requestAnimationFrame(() => {
      const grid = box.current?.querySelector('.ec-main')
      const today = grid?.querySelector<HTMLElement>('.ec-col-head.ec-today')
      const first = grid?.querySelector<HTMLElement>('.ec-col-head')
      if (grid && today && first) grid.scrollLeft = today.offsetLeft - first.offsetLeft
    })
    return () => cancelAnimationFrame(frame)
  }, [box, dates])
}
