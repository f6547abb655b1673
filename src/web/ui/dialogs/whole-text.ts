import type { MouseEvent } from 'react'

/** Selects the whole text and keeps its beginning in sight. */
export function selectWhole(input: HTMLInputElement): void {
  input.setSelectionRange(0, input.value.length, 'backward')
  input.scrollLeft = 0
}

/** A click into an unfocused field would place a caret instead of selecting the text. */
export function focusWhole(event: MouseEvent<HTMLInputElement>): void {
  if (document.activeElement === event.currentTarget) return
  event.preventDefault()
  event.currentTarget.focus()
  selectWhole(event.currentTarget)
}
