import { useEffect, useRef } from 'react'
import { isTextInput } from './dom.ts'
import { isPressed, SHORTCUTS, type Shortcut } from './shortcuts.ts'

export function useShortcuts(actions: Partial<Readonly<Record<Shortcut, () => void>>>): void {
  const now = useRef(actions)
  now.current = actions
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcuts = Object.keys(now.current) as Shortcut[]
      const pressed = shortcuts.find((shortcut) => isPressed(shortcut, event) && isMeant(shortcut, event))
      if (!pressed) return
      event.preventDefault()
      now.current[pressed]?.()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether the shortcut applies at this event. A held key repeats navigation but not undo. */
function isMeant(
  shortcut: Shortcut,
  { target, defaultPrevented, repeat, ctrlKey, metaKey }: KeyboardEvent,
): boolean {
  if (defaultPrevented) return false
  if (SHORTCUTS[shortcut].when === 'outside') return !repeat && !isTextInput(target) && !isInForm(target)
  const others = SHORTCUTS[shortcut].when === 'card' ? ':not([data-card])' : ''
  const isFree = document.querySelector(`[role="dialog"]${others}`) === null
  return isFree && (ctrlKey || metaKey || !isTextInput(target))
}

function isInForm(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('form') !== null
}
