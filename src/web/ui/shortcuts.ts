import { useEffect, useRef } from 'react'
import { takesText } from './dom.ts'

/**
 * The keys of the app and what they do, in the order in which they are explained. `when`: on a `page` while no dialog is
 * open; `outside` of text fields and forms; or it is the `browser` that acts, or the board with a lesson in hand.
 */
export const SHORTCUTS = {
  search: { keys: ['/', 'Ctrl+K'], when: 'page' },
  book: { keys: ['n'], when: 'page' },
  find: { keys: ['f'], when: 'page' },
  today: { keys: ['t'], when: 'page' },
  earlier: { keys: ['ArrowLeft'], when: 'page' },
  later: { keys: ['ArrowRight'], when: 'page' },
  day: { keys: ['d'], when: 'page' },
  week: { keys: ['w'], when: 'page' },
  walk: { keys: ['Tab'], when: 'browser' },
  open: { keys: ['Enter'], when: 'browser' },
  move: { keys: ['Alt+ArrowUp', 'Alt+ArrowDown', 'Alt+ArrowLeft', 'Alt+ArrowRight'], when: 'lesson' },
  resize: { keys: ['Alt+Shift+ArrowUp', 'Alt+Shift+ArrowDown'], when: 'lesson' },
  undo: { keys: ['Ctrl+Z'], when: 'outside' },
  redo: { keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], when: 'outside' },
  help: { keys: ['?'], when: 'page' },
} as const

export type Shortcut = keyof typeof SHORTCUTS

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

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Whether these are the keys of a shortcut. The command key of a Mac counts as Ctrl. */
export function isPressed(shortcut: Shortcut, { key, altKey, ctrlKey, metaKey, shiftKey }: Press): boolean {
  return SHORTCUTS[shortcut].keys.some((keys) => {
    const parts = keys.split('+')
    const wanted = parts.at(-1) ?? ''
    // Which sign needs Shift, keyboards of different countries decide.
    const isSign = wanted.length === 1 && wanted.toLowerCase() === wanted.toUpperCase()
    return (
      key.toLowerCase() === wanted.toLowerCase() &&
      altKey === parts.includes('Alt') &&
      (ctrlKey || metaKey) === parts.includes('Ctrl') &&
      (isSign || shiftKey === parts.includes('Shift'))
    )
  })
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
