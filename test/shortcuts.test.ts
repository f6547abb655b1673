import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { de } from '../src/web/ui/i18n/de.ts'
import { en } from '../src/web/ui/i18n/en.ts'
import { keyLabelsFor } from '../src/web/ui/key-names.ts'
import { isPressed, SHORTCUTS, type Shortcut } from '../src/web/ui/shortcuts.ts'

const shortcuts = Object.keys(SHORTCUTS) as Shortcut[]
const NO_KEYS = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
const CTRL = { ctrlKey: true }
const ALT = { altKey: true }
const SHIFT = { shiftKey: true }

/** Returns a row of the table in the documents. */
function rowOf(shortcut: Shortcut): string {
  const keys = keyLabelsFor(SHORTCUTS[shortcut].keys, 'en').map((press) =>
    press.map((key) => `\`${key}\``).join(' '),
  )
  return `| ${keys.join(', ')} | ${en.keys[shortcut]} |`
}

describe('the keyboard shortcuts', () => {
  it('match the table in docs/board.md', () => {
    const text = readFileSync(join(import.meta.dirname, '../docs/board.md'), 'utf8')
    const [, table = ''] = /\| Key \| \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(text) ?? []
    expect(table.trim().split('\n')).toEqual(shortcuts.map(rowOf))
  })

  it.each(Object.entries({ de, en }))('are all explained in %s', (_, { keys }) => {
    expect(Object.keys(keys)).toEqual(['title', ...shortcuts])
  })

  it('are labelled with the keys of a German keyboard in German', () => {
    expect(keyLabelsFor(SHORTCUTS.redo.keys, 'de')).toEqual([
      ['Strg', 'Umschalt', 'Z'],
      ['Strg', 'Y'],
    ])
    expect(keyLabelsFor(SHORTCUTS.resize.keys, 'de')).toEqual([['Alt', 'Umschalt', '↑', '↓']])
  })

  it('use each key combination once', () => {
    const keys = shortcuts.flatMap((shortcut) => [...SHORTCUTS[shortcut].keys])
    expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(keys.length)
  })

  it.each([
    ['n', {}, 'book'],
    ['N', {}, 'book'],
    ['N', SHIFT, undefined],
    ['n', CTRL, undefined],
    ['/', {}, 'search'],
    ['/', SHIFT, 'search'],
    ['?', SHIFT, 'help'],
    ['k', CTRL, 'search'],
    ['k', { metaKey: true }, 'search'],
    ['k', {}, undefined],
    ['z', CTRL, 'undo'],
    ['z', {}, undefined],
    ['Z', { ...CTRL, ...SHIFT }, 'redo'],
    ['y', CTRL, 'redo'],
    ['z', { ...CTRL, ...ALT }, undefined],
    ['ArrowLeft', {}, 'earlier'],
    ['ArrowLeft', ALT, 'move'],
    ['ArrowLeft', { ...ALT, ...SHIFT }, undefined],
    ['ArrowUp', { ...ALT, ...SHIFT }, 'resize'],
  ] as const)('map %s with %o to %s', (key, held, meant) => {
    const pressed = shortcuts.filter((shortcut) => isPressed(shortcut, { key, ...NO_KEYS, ...held }))
    expect(pressed).toEqual(meant === undefined ? [] : [meant])
  })
})
