import type { Calendar } from '@event-calendar/core'
import { useEffect, useMemo, useRef } from 'react'
import { isSlotId } from '../slots/offered.ts'

/** Keeps the focus on a lesson whose block the calendar has drawn anew. */
export function useLessonFocus(): Pick<Calendar.Options, 'eventDidMount'> {
  const focused = useRef<string>(undefined)

  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      focused.current = target instanceof HTMLElement ? target.dataset.lesson : undefined
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])

  return useMemo(
    () => ({
      eventDidMount: ({ el, event }) => {
        if (event.display !== 'auto' || isSlotId(String(event.id))) return
        el.dataset.lesson = String(event.id)
        if (focused.current === el.dataset.lesson && document.activeElement === document.body) el.focus()
      },
    }),
    [],
  )
}
