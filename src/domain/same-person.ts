import { dialledDigits } from './phone.ts'
import { shortest, wordsIn } from './spelling.ts'

/** What people are told apart by; an empty text is as good as none. */
export type Identity = {
  readonly first_name: string
  readonly last_name: string
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly birth_date?: string | null | undefined
}

/** Why two people are probably one. Of a name alone: no two birthdays are known that would tell them apart. */
export type Likeness = 'phone' | 'email' | 'birth_date' | 'name'

export type Same<T> = { readonly person: T; readonly likeness: Likeness }

/** A shorter number is not complete yet. */
const FEWEST_DIGITS = 6

/**
 * Prepares the question who of `people` is probably the one who is described, and returns it. It answers also why: the same
 * phone number, the same e-mail address, or the same name and no other birthday. The number may be written with or without the
 * code of `country` (two letters as in ISO 3166), the name in any spelling and order.
 */
export function sameAmong<T extends Identity>(
  people: readonly T[],
  country: string,
): (described: Identity) => readonly Same<T>[] {
  const alikeTo = byTraits(people, country)
  return (described) => {
    const wanted = traitsOf(described, country)
    return inOrder(alikeTo(wanted).flat()).flatMap((one) => sameAs(wanted, one))
  }
}

/** The same question, where only the first answer is wanted: it takes no longer where many share a number. */
export function firstSameAmong<T extends Identity>(
  people: readonly T[],
  country: string,
): (described: Identity) => Same<T> | undefined {
  const alikeTo = byTraits(people, country)
  return (described) => {
    const wanted = traitsOf(described, country)
    const firsts = alikeTo(wanted).flatMap(
      (some) => some.find(({ traits }) => likenessOf(wanted, traits)) ?? [],
    )
    return inOrder(firsts).flatMap((one) => sameAs(wanted, one))[0]
  }
}

type Known<T> = { readonly person: T; readonly place: number; readonly traits: Traits }

/** Who shares the number, who the address and who the name, each in the order of `people`. */
function byTraits<T extends Identity>(
  people: readonly T[],
  country: string,
): (wanted: Traits) => readonly (readonly Known<T>[])[] {
  const known = people.map((person, place) => ({ person, place, traits: traitsOf(person, country) }))
  const groups = COMPARED.map((name) => [name, Map.groupBy(known, ({ traits }) => traits[name])] as const)
  return (wanted) => groups.map(([name, some]) => (wanted[name] === '' ? [] : (some.get(wanted[name]) ?? [])))
}

function inOrder<T>(some: readonly Known<T>[]): readonly Known<T>[] {
  return [...new Set(some)].sort((a, b) => a.place - b.place)
}

function sameAs<T>(wanted: Traits, { person, traits }: Known<T>): readonly Same<T>[] {
  const likeness = likenessOf(wanted, traits)
  return likeness ? [{ person, likeness }] : []
}

/** Who has none of these in common with somebody is somebody else. */
const COMPARED = ['phone', 'email', 'name'] as const

/** What is compared; empty where nothing is known. */
type Traits = Readonly<Record<Likeness, string>>

function traitsOf({ first_name, last_name, email, phone, birth_date }: Identity, country: string): Traits {
  const digits = dialledDigits(phone ?? '', country)
  const isWhole = first_name.trim() !== '' && last_name.trim() !== ''
  const words = wordsIn(`${first_name} ${last_name}`).map(shortest)
  return {
    phone: digits.length >= FEWEST_DIGITS ? digits : '',
    email: (email ?? '').trim().toLowerCase(),
    birth_date: birth_date ?? '',
    name: isWhole ? words.toSorted().join(' ') : '',
  }
}

function likenessOf(a: Traits, b: Traits): Likeness | undefined {
  const isSame = (name: Likeness) => a[name] !== '' && a[name] === b[name]
  if (isSame('phone')) return 'phone'
  if (isSame('email')) return 'email'
  if (!isSame('name')) return undefined
  if (isSame('birth_date')) return 'birth_date'
  return a.birth_date === '' || b.birth_date === '' ? 'name' : undefined
}
