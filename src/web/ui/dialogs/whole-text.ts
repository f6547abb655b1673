import type { MouseEvent } from 'react'

/** Selects the whole text and keeps its beginning in sight. */
export function selectWhole(input: HTMLInputElement): void {
  input.setSelectionRange(0, input.value.length, 'backward')
  input.scrollLeft = 0
}

/** The focused field that has been clicked since it got the focus. */
let clicked: HTMLInputElement | undefined

/**
 * Selects the whole text at the first press since the field got the focus. The browser would place a caret, even in a text that
 * Tab has selected. A later press places the caret.
 */
export function focusWhole(event: MouseEvent<HTMLInputElement>): void {
  const field = event.currentTarget
  const isFocused = document.activeElement === field
  if (isFocused && (clicked === field || !isWholeSelected(field))) return
  selectOnPress(event)
  clicked = field
  field.addEventListener('blur', () => (clicked = undefined), { once: true })
}

/** Selects the whole text at every press: for short texts, which are typed anew rather than corrected. */
export function selectOnPress(event: MouseEvent<HTMLInputElement>): void {
  event.preventDefault()
  event.currentTarget.focus()
  selectWhole(event.currentTarget)
}

function isWholeSelected({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionStart === 0 && selectionEnd === value.length
}
