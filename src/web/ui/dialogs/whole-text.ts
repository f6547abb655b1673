import type { MouseEvent } from 'react'

/** Selects the whole text, of which the beginning stays in sight. */
export function selectWhole(input: HTMLInputElement): void {
  input.setSelectionRange(0, input.value.length, 'backward')
  input.scrollLeft = 0
}

/** A click into a field without the focus would put a caret into its text, which typing shall replace. */
export function focusWhole(event: MouseEvent<HTMLInputElement>): void {
  if (document.activeElement === event.currentTarget) return
  event.preventDefault()
  event.currentTarget.focus()
}
