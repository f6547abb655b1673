import { useLayoutEffect } from 'react'

/** The element outside of any dialog that had the focus last. */
let lastOutside: HTMLElement | undefined
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role="dialog"]')) lastOutside = target
})

/** For a dialog: returns the focus to where it was, even through a dialog in between. */
export function useFocusReturn(): void {
  // Before the dialog's own fields appear, and take the focus.
  useLayoutEffect(() => {
    const before = document.activeElement
    return () => {
      // Another dialog may take this one's place, and the focus.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) restoreFocus(before)
      })
    }
  }, [])
}

function restoreFocus(before: Element | null): void {
  const isThere = before?.isConnected && before !== document.body
  if (!isThere && document.querySelector('[role="dialog"]')) return
  const outside = lastOutside?.isConnected ? lastOutside : redrawnElement(lastOutside)
  const found = isThere ? before : (outside ?? document.getElementById('content'))
  if (found instanceof HTMLElement) found.focus()
}

/** The calendar draws a lesson anew when it changes. */
function redrawnElement(block: HTMLElement | undefined): Element | null {
  const id = block?.dataset.lesson
  return id === undefined ? null : document.querySelector(`[data-lesson="${CSS.escape(id)}"]`)
}
