import { dialledDigits } from './phone.ts'
import { matchesWithTypo, shortest, wordsIn } from './spelling.ts'
import { completed, type Steps } from './steps.ts'

/** The fields that identify a person. An empty text means unknown. */
export type Identity = {
  readonly first_name: string
  readonly last_name: string
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly phone_2?: string | null | undefined
  readonly birth_date?: string | null | undefined
}

/**
 * The reason why two people are probably one. `phone` and `email` require that the first names may be of one person: brothers
 * and sisters have their parents' number. `name` requires that a birthday is unknown.
 */
export type Likeness = 'phone' | 'email' | 'birth_date' | 'name'

export type SamePerson<T> = { readonly person: T; readonly likeness: Likeness }

/** The minimum digits of a number: a shorter one is incomplete. */
const FEWEST_DIGITS = 6
/** The people with one number or address whose names are compared; a person of the same name is found among any number. */
const MAX_COMPARED = 20
/** The minimum letters for a typing error: `Lena` and `Lea` are two names. */
const LETTERS_OF_A_TYPO = 5

/**
 * Prepares a search among `people` for probable duplicates of a person, each with the reason. Phone numbers match with or
 * without the code of `country` (ISO 3166, two letters), names in any spelling and order.
 */
export function sameAmong<T extends Identity>(
  people: readonly T[],
  country: string,
): (described: Identity) => readonly SamePerson<T>[] {
  const alikeTo = completed(byKeys(people, country))
  return (described) => {
    const wanted = traitsOf(described, country)
    return sameIn(alikeTo(wanted).flat(), wanted)
  }
}

/** Prepares a search for the first duplicate. Its time does not grow with the number of duplicates. */
export function* firstSameAmong<T extends Identity>(
  people: readonly T[],
  country: string,
): Steps<(described: Identity) => SamePerson<T> | undefined> {
  const some = yield* someSameAmong(people, country)
  return (described) => some(described)[0]
}

/** Prepares a search for duplicates in steps. Its time does not grow with their number: of many, some are found. */
export function* someSameAmong<T extends Identity>(
  people: readonly T[],
  country: string,
): Steps<(described: Identity) => readonly SamePerson<T>[]> {
  const alikeTo = yield* byKeys(people, country)
  return (described) => {
    const wanted = traitsOf(described, country)
    const firsts = alikeTo(wanted).map((group) => group.slice(0, MAX_COMPARED))
    return sameIn(firsts.flat(), wanted)
  }
}

/**
 * Finds for each of some people another who is probably the same, by id, with more than the name in common if there is such a
 * one. Its time grows with their number alone: few are compared for each number, address or name.
 */
export function* doublesAmong<T extends Identity & { readonly id: string }>(
  people: readonly T[],
  country: string,
): Steps<ReadonlyMap<string, SamePerson<T>>> {
  const alikeTo = yield* byKeys(people, country)
  const doubles = new Map<string, SamePerson<T>>()
  for (const one of people) {
    yield
    const wanted = traitsOf(one, country)
    const firsts = alikeTo(wanted).flatMap((group) => group.slice(0, MAX_COMPARED))
    const others = sameIn(firsts, wanted).filter(({ person }) => person.id !== one.id)
    const likest = others.find(({ likeness }) => likeness !== 'name') ?? others[0]
    if (likest) doubles.set(one.id, likest)
  }
  return doubles
}

type Candidate<T> = { readonly person: T; readonly place: number; readonly traits: Traits }

/** Indexes people by key. Returns a lookup of a person's keys: the people with each key, in the order of `people`. */
function* byKeys<T extends Identity>(
  people: readonly T[],
  country: string,
): Steps<(wanted: Traits) => readonly (readonly Candidate<T>[])[]> {
  const groups = new Map<string, Candidate<T>[]>()
  for (const [place, person] of people.entries()) {
    const one = { person, place, traits: traitsOf(person, country) }
    for (const key of keysOf(one.traits)) {
      const group = groups.get(key)
      if (group) group.push(one)
      else groups.set(key, [one])
    }
    yield
  }
  return (wanted) => keysFor(wanted).map((key) => groups.get(key) ?? [])
}

function sameIn<T>(some: readonly Candidate<T>[], wanted: Traits): readonly SamePerson<T>[] {
  const inOrder = [...new Set(some)].sort((a, b) => a.place - b.place)
  return inOrder.flatMap(({ person, traits }) => {
    const likeness = likenessOf(wanted, traits)
    return likeness ? [{ person, likeness }] : []
  })
}

function keysOf(traits: Traits): readonly string[] {
  const { name, birth_date } = traits
  return [...contactKeys(traits), ...filled({ name, born: name && `${birth_date} ${name}` })]
}

/** Returns the keys to look up. With a birthday, a name matches people with the same birthday or none. */
function keysFor(traits: Traits): readonly string[] {
  const { name, birth_date } = traits
  if (birth_date === '') return [...contactKeys(traits), ...filled({ name })]
  return [
    ...contactKeys(traits),
    ...filled({ born: name && `${birth_date} ${name}` }),
    ...filled({ born: name && ` ${name}` }),
  ]
}

function contactKeys({ phones, email, name }: Traits): readonly string[] {
  const ways = [...phones.map((digits) => `phone ${digits}`), ...filled({ email })]
  return name === '' ? ways : [...ways, ...ways.map((way) => `${way} ${name}`)]
}

function filled(keys: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(keys).flatMap(([kind, value]) => (value === '' ? [] : [`${kind} ${value}`]))
}

type Traits = Readonly<Record<Exclude<Likeness, 'phone'>, string>> & {
  readonly phones: readonly string[]
  readonly firstNames: readonly string[]
}

function traitsOf(person: Identity, country: string): Traits {
  const { first_name, last_name, email, phone, phone_2, birth_date } = person
  const numbers = [phone, phone_2].map((one) => dialledDigits(one ?? '', country))
  const isWhole = first_name.trim() !== '' && last_name.trim() !== ''
  const words = wordsIn(`${first_name} ${last_name}`).map(shortest)
  return {
    phones: [...new Set(numbers)].filter(({ length }) => length >= FEWEST_DIGITS),
    email: (email ?? '').trim().toLowerCase(),
    birth_date: birth_date ?? '',
    name: isWhole ? words.toSorted().join(' ') : '',
    firstNames: wordsIn(first_name).map(shortest),
  }
}

function likenessOf(a: Traits, b: Traits): Likeness | undefined {
  const isSame = (name: Exclude<Likeness, 'phone'>) => a[name] !== '' && a[name] === b[name]
  if (isSame('name') || mayBeOneName(a.firstNames, b.firstNames)) {
    if (a.phones.some((digits) => b.phones.includes(digits))) return 'phone'
    if (isSame('email')) return 'email'
  }
  if (!isSame('name')) return undefined
  if (isSame('birth_date')) return 'birth_date'
  return a.birth_date === '' || b.birth_date === '' ? 'name' : undefined
}

/** Whether first names may be of one person: one is unknown, or some are equal, shortened or mistyped. */
function mayBeOneName(some: readonly string[], others: readonly string[]): boolean {
  if (some.length === 0 || others.length === 0) return true
  return some.some((one) => others.some((other) => isAlike(one, other)))
}

function isAlike(a: string, b: string): boolean {
  if (a.startsWith(b) || b.startsWith(a)) return true
  const isLong = Math.min(a.length, b.length) >= LETTERS_OF_A_TYPO
  return isLong && (matchesWithTypo(a, b) || matchesWithTypo(b, a))
}
