import { type RefObject, useEffect } from 'react'

/** Roles to remove: a table whose cells hold no lessons, and articles around buttons. */
const MISLEADING = '.ec [role], .ec[role], .ec-col-head time[aria-label]'
const BLOCKS = 'article:not([role])'

/**
 * Repairs the calendar's accessibility after each render: it declares a table (https://github.com/vkurko/calendar/issues/161)
 * and loses the focus of a redrawn lesson.
 */
export function useCalendarA11y(board: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = board.current
    if (!box) return
    let focused: string | undefined
    const mend = () => {
      for (const element of box.querySelectorAll(MISLEADING)) {
        if (element.role === 'none') continue
        for (const name of ['role', 'aria-colindex', 'aria-label']) element.removeAttribute(name)
      }
      for (const block of box.querySelectorAll(BLOCKS)) block.role = 'none'
      if (focused === undefined || document.activeElement !== document.body) return
      box.querySelector<HTMLElement>(`[data-lesson="${CSS.escape(focused)}"]`)?.focus()
    }
    const note = ({ target }: Event) => {
      const block = target instanceof Element ? target.closest<HTMLElement>('[data-lesson]') : null
      focused = block?.dataset.lesson
    }
    const drawn = new MutationObserver(mend)
    drawn.observe(box, { childList: true, subtree: true })
    mend()
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', note)
    return () => {
      drawn.disconnect()
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', note)
    }
  }, [board])
}
