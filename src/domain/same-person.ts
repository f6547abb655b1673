import { dialledDigits } from './phone.ts'
import { shortest, wordsIn } from './spelling.ts'

/** What people are told apart by; an empty text is as good as none. */
export type Identity = {
  readonly first_name: string
  readonly last_name: string
  readonly email: string | null
  readonly phone: string | null
  readonly birth_date: string | null
}

/** Why two people are probably one. */
export type Likeness = 'phone' | 'email' | 'birth_date'

/** A shorter number is not complete yet. */
const FEWEST_DIGITS = 6

/**
 * Who of `people` is probably the one who is described, and why: the same phone number, the same e-mail address, or the same name
 * and day of birth. The number may be written with or without the code of `country`, the name in any spelling and order.
 */
export function probablySame<T extends Identity>(
  described: Identity,
  people: readonly T[],
  country: string,
): readonly { readonly person: T; readonly likeness: Likeness }[] {
  const wanted = traitsOf(described, country)
  return people.flatMap((person) => {
    const traits = traitsOf(person, country)
    const likeness = LIKENESSES.find((one) => traits[one] !== '' && traits[one] === wanted[one])
    return likeness ? [{ person, likeness }] : []
  })
}

const LIKENESSES: readonly Likeness[] = ['phone', 'email', 'birth_date']

/** What is compared; empty where nothing is known. */
function traitsOf(
  { first_name, last_name, email, phone, birth_date }: Identity,
  country: string,
): Readonly<Record<Likeness, string>> {
  const digits = dialledDigits(phone ?? '', country)
  const name = wordsIn(`${first_name} ${last_name}`).map(shortest).toSorted().join(' ')
  return {
    phone: digits.length >= FEWEST_DIGITS ? digits : '',
    email: (email ?? '').trim().toLowerCase(),
    birth_date: birth_date && name ? `${birth_date} ${name}` : '',
  }
}
