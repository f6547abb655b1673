/**
 * The app's shortcuts in the order of their explanation. `when`: on a `page` without a dialog; also beside a `card`; `outside` of
 * text fields and forms; handled by the `browser`; or on a focused `lesson` of the board.
 */
export const SHORTCUTS = {
  search: { label: 'keys.search', keys: ['/', 'Ctrl+K'], when: 'card' },
  book: { label: 'keys.book', keys: ['n'], when: 'card' },
  find: { label: 'keys.find', keys: ['f'], when: 'card' },
  today: { label: 'keys.today', keys: ['t'], when: 'page' },
  earlier: { label: 'keys.earlier', keys: ['ArrowLeft'], when: 'page' },
  later: { label: 'keys.later', keys: ['ArrowRight'], when: 'page' },
  day: { label: 'keys.day', keys: ['d'], when: 'page' },
  week: { label: 'keys.week', keys: ['w'], when: 'page' },
  team: { label: 'keys.team', keys: ['a'], when: 'page' },
  legend: { label: 'keys.legend', keys: ['l'], when: 'page' },
  walk: { label: 'keys.walk', keys: ['Tab'], when: 'browser' },
  open: { label: 'keys.open', keys: ['Enter'], when: 'browser' },
  move: {
    label: 'keys.move',
    keys: ['Alt+ArrowUp', 'Alt+ArrowDown', 'Alt+ArrowLeft', 'Alt+ArrowRight'],
    when: 'lesson',
  },
  resize: { label: 'keys.resize', keys: ['Alt+Shift+ArrowUp', 'Alt+Shift+ArrowDown'], when: 'lesson' },
  undo: { label: 'keys.undo', keys: ['Ctrl+Z'], when: 'outside' },
  redo: { label: 'keys.redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], when: 'outside' },
  help: { label: 'keys.help', keys: ['?'], when: 'card' },
} as const

export type Shortcut = keyof typeof SHORTCUTS

/** A key with its modifiers. */
export type KeyPress = {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

/** Whether the keys are those of a shortcut. Command on a Mac counts as Ctrl. */
export function isPressed(
  shortcut: Shortcut,
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress,
): boolean {
  return SHORTCUTS[shortcut].keys.some((keys) => {
    const parts = keys.split('+')
    const wanted = parts.at(-1) ?? ''
    // Whether a sign needs Shift depends on the keyboard layout.
    const isSign = wanted.length === 1 && wanted.toLowerCase() === wanted.toUpperCase()
    return (
      key.toLowerCase() === wanted.toLowerCase() &&
      altKey === parts.includes('Alt') &&
      (ctrlKey || metaKey) === parts.includes('Ctrl') &&
      (isSign || shiftKey === parts.includes('Shift'))
    )
  })
}
