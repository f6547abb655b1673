import { phonePattern } from './phone.ts'

/** Every value that a person's fields have ever had. */
export type PersonalValues = Readonly<
  Record<'first_name' | 'last_name' | 'email' | 'phone', readonly string[]>
>

/** The places where a word can begin. In JSON a line break is a backslash and a letter. */
const BEGINNING = '(?:(?<!\\w)|(?<=\\\\[bfnrt]))'

const BETWEEN_NAMES = '(?:[\\s,]|\\\\[nrt])+'

/** A name of one letter would match too much. */
const FEWEST_LETTERS = 2

/**
 * Returns a regular expression, for PostgreSQL and JavaScript, that finds a person in plain or JSON text by full name in
 * either order, e-mail address, or phone number in any format of `country`. Use it case-insensitively. Undefined if nothing
 * could be found.
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

/** Escapes a text, with any white space for a space. */
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
}
