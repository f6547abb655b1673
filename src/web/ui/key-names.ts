/** The language of key names. */
export type KeyNames = 'de' | 'en'

const ARROWS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const GERMAN: Readonly<Record<string, string>> = { Ctrl: 'Strg', Shift: 'Umschalt', Enter: 'Eingabe' }

/** Returns keys as labelled on a keyboard; those that differ only in the last key are joined. */
export function keyLabelsFor(keys: readonly string[], names: KeyNames): readonly (readonly string[])[] {
  const presses = new Map<string, string[]>()
  for (const key of keys) {
    const parts = key.split('+').map((part) => nameOf(part, names))
    const held = parts.slice(0, -1)
    const press = presses.get(held.join()) ?? [...held]
    presses.set(held.join(), [...press, parts.at(-1) ?? ''])
  }
  return [...presses.values()]
}

function nameOf(key: string, names: KeyNames): string {
  return ARROWS[key] ?? (names === 'de' ? (GERMAN[key] ?? key) : key)
}
