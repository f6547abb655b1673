import { phonePattern } from './phone.ts'

/** All present and former values of a person's fields. */
export type PersonalValues = Readonly<
  Record<'first_name' | 'last_name' | 'email' | 'phone', readonly string[]>
>

/** The beginning of a word, also after an escape such as `\n` in JSON. */
const BEGINNING = '(?:(?<!\\w)|(?<=\\\\[bfnrt]))'

const BETWEEN_NAMES = '(?:[\\s,]|\\\\[nrt])+'

/** The minimum length of a name: one letter would match too much. */
const FEWEST_LETTERS = 2

/**
 * Returns a regular expression, for PostgreSQL and JavaScript, that finds a person in plain or JSON text by full name in
 * either order, e-mail address, or phone number in any format of `country`. Use it case-insensitively. Undefined if there is
 * nothing to search for.
 */
export function personalDataPattern(traits: PersonalValues, country: string): string | undefined {
  const names = traits.first_name.flatMap((first) =>
    traits.last_name.flatMap((last) => (areFound(first, last) ? inBothOrders(first, last) : [])),
  )
  const phones = traits.phone.flatMap((phone) => phonePattern(phone, country) ?? [])
  const wanted = [...new Set([...names, ...traits.email.map(literal), ...phones])]
  return wanted.length === 0 ? undefined : `${BEGINNING}(?:${wanted.join('|')})(?!\\w)`
}

function areFound(...names: readonly string[]): boolean {
  return names.every((name) => name.length >= FEWEST_LETTERS)
}

function inBothOrders(first: string, last: string): readonly string[] {
  const inOrder = (...names: readonly string[]) => names.map(literal).join(BETWEEN_NAMES)
  return [inOrder(first, last), inOrder(last, first)]
}

/** Escapes a text for a regular expression. White space matches any white space. */
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
}
