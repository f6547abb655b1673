import type { KeyboardEvent } from 'react'
import type { ChoiceState } from './use-choice.ts'

/** Handles the keys of a search field and stops the propagation of those that it uses. */
export function pressIn(event: KeyboardEvent, choice: ChoiceState): void {
  const { hits, marked, isOpen, isFaulty } = choice
  if (event.nativeEvent.isComposing) return
  const hit = hits[marked]
  const use = () => {
    event.preventDefault()
    event.stopPropagation()
  }
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      use()
      if (!isOpen) choice.open()
      else if (hits.length > 0) choice.mark(event.key === 'ArrowDown' ? 1 : -1)
      return
    case 'Tab':
      if (hit) choice.take(hit)
      return
    case 'Enter':
      if (!hit && !isFaulty) return
      use()
      if (hit) choice.take(hit)
      else choice.complain()
      return
    case 'Escape':
      if (!isOpen && !isFaulty) return
      use()
      choice.giveUp()
  }
}
