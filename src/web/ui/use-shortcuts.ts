import { useEffect, useRef } from 'react'
import { takesText } from './dom.ts'
import { isPressed, SHORTCUTS, type Shortcut } from './shortcuts.ts'

/** Does what the keys are for, for as long as the component stands. */
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

/** A key that is held down goes through the days, but takes nothing more back. */
function isMeant(
  shortcut: Shortcut,
  { target, defaultPrevented, repeat, ctrlKey, metaKey }: KeyboardEvent,
): boolean {
  if (defaultPrevented) return false
  if (SHORTCUTS[shortcut].when === 'outside') return !repeat && !takesText(target) && !isInForm(target)
  return document.querySelector('[role="dialog"]') === null && (ctrlKey || metaKey || !takesText(target))
}

function isInForm(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('form') !== null
}
