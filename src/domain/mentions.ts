import { phonePattern } from './phone.ts'

/** Every value that a person's fields have had: a name or a number that was changed is the person's, too. */
export type Traits = Readonly<Record<'first_name' | 'last_name' | 'email' | 'phone', readonly string[]>>

/** The places where a word can begin: in JSON a line break is a backslash and a letter. */
const BEGINNING = '(?:(?<!\\w)|(?<=\\\\[bfnrt]))'

/** The characters between two names. */
const BETWEEN_NAMES = '(?:[\\s,]|\\\\[nrt])+'

/** A name of one letter is found in too much else. */
const FEWEST_LETTERS = 2

/**
 * A regular expression, for PostgreSQL and for JavaScript, of what calls a person in a text: first and last name in either order, an
 * e-mail address, a phone number however it is written in `country`. It stands between what is no letter or digit, in a text or
 * in the JSON of one, and is to be compared without regard to case. Nothing if the person has nothing that could be found.
 */
export function mentionsOf(traits: Traits, country: string): string | undefined {
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

/** The text itself; where it has spaces, any. */
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
}
