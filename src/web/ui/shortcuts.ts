/**
 * The keys of the app and what they do, in the order in which they are explained. `when`: on a `page` while no dialog is
 * open; `outside` of text fields and forms; or it is the `browser` that acts, or the board with a lesson in hand.
 */
export const SHORTCUTS = {
  search: { words: 'keys.search', keys: ['/', 'Ctrl+K'], when: 'page' },
  book: { words: 'keys.book', keys: ['n'], when: 'page' },
  find: { words: 'keys.find', keys: ['f'], when: 'page' },
  today: { words: 'keys.today', keys: ['t'], when: 'page' },
  earlier: { words: 'keys.earlier', keys: ['ArrowLeft'], when: 'page' },
  later: { words: 'keys.later', keys: ['ArrowRight'], when: 'page' },
  day: { words: 'keys.day', keys: ['d'], when: 'page' },
  week: { words: 'keys.week', keys: ['w'], when: 'page' },
  walk: { words: 'keys.walk', keys: ['Tab'], when: 'browser' },
  open: { words: 'keys.open', keys: ['Enter'], when: 'browser' },
  move: {
    words: 'keys.move',
    keys: ['Alt+ArrowUp', 'Alt+ArrowDown', 'Alt+ArrowLeft', 'Alt+ArrowRight'],
    when: 'lesson',
  },
  resize: { words: 'keys.resize', keys: ['Alt+Shift+ArrowUp', 'Alt+Shift+ArrowDown'], when: 'lesson' },
  undo: { words: 'keys.undo', keys: ['Ctrl+Z'], when: 'outside' },
  redo: { words: 'keys.redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], when: 'outside' },
  help: { words: 'keys.help', keys: ['?'], when: 'page' },
} as const

export type Shortcut = keyof typeof SHORTCUTS

/** A key that is pressed, and those that are held with it. */
export type Press = {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

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
