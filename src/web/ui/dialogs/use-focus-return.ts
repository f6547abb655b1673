import { useLayoutEffect } from 'react'

/** The element outside of any dialog that had the focus last. */
let lastOutside: HTMLElement | undefined
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role="dialog"]')) lastOutside = target
})

/** Returns the focus from a dialog to the element that had it before, even if another dialog was open in between. */
export function useFocusReturn(): void {
  // A layout effect runs before the dialog's own fields take the focus.
  useLayoutEffect(() => {
    const before = document.activeElement
    return () => {
      // Another dialog may replace this one and take the focus.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) restoreFocus(before)
      })
    }
  }, [])
}

function restoreFocus(before: Element | null): void {
  const isThere = before?.isConnected && before !== document.body
  if (!isThere && document.querySelector('[role="dialog"]')) return
  const outside = lastOutside?.isConnected ? lastOutside : elementNow(lastOutside)
  const found = isThere ? before : (outside ?? document.getElementById('content'))
  if (found instanceof HTMLElement) found.focus()
}

/** Returns the element that shows a lesson after a change, which may be another one. */
function elementNow(block: HTMLElement | undefined): Element | null {
  const id = block?.dataset.lesson
  return id === undefined ? null : document.querySelector(`[data-lesson="${CSS.escape(id)}"]`)
}
