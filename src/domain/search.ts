import { dialledDigits, withoutOptionalTrunk } from './phone.ts'
import { omitsVowels } from './scripts.ts'
import { plain, type Romanize, shortest, spellingsOf, wordsIn } from './spelling.ts'
import {
  EQUAL,
  FEWEST_ALIKE,
  HEAD,
  INSIDE,
  NOT_FOUND,
  PARTLY_EQUAL,
  positionRank,
  type SearchWord,
  Vocabulary,
  WORD,
} from './vocabulary.ts'

export type Findable = {
  /** The names of a person, such as first and last name. Each may have several words. */
  readonly names: readonly string[]
  /** Further words that match. Matches of names rank first. */
  readonly words?: string
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly phone_2?: string | null | undefined
}

/** The maximum words of an item, one bit of a number each. No name has as many. */
const MAX_WORDS = 30

/** A searchable word, or several joined ones. */
type Piece = {
  /** Its index in the vocabulary. */
  readonly index: number
  /** A bit for each word it covers, so that two words of a search never match the same one. */
  readonly bits: number
  /** Whether a name begins with it. */
  readonly isHead: boolean
}

type Keys = {
  readonly pieces: readonly Piece[]
  /** The bits of all words of the names. */
  readonly nameBits: number
  readonly email: string
  readonly dialled: readonly string[]
}

/** A word of a search, and its rank for each word of the vocabulary. */
type RankedWord = SearchWord & { readonly ranks: Uint8Array }

/**
 * Returns a function that finds the items matching all words of a text, best first, ties in their order; without words, all
 * items. Ignores case, accents, word order, separators, and the spellings ae or a for ä (likewise ö, ü, ß). Tolerates one typing
 * error in words of five or more letters. Finds phone numbers with and without the code of `country` (ISO 3166, two letters). If
 * nothing is found, compares names and text without spaces. `romanize` finds names of other scripts.
 */
export function searchAmong<T>(
  items: readonly T[],
  findableOf: (item: T) => Findable,
  country: string,
  romanize?: Romanize,
): (text: string) => readonly T[] {
  const vocabulary = new Vocabulary()
  const keys = items.map((item) => keysOf(findableOf(item), { country, romanize, vocabulary }))
  const spaceless = spacelessSearch(items, findableOf, romanize)
  return (text) => {
    const words = wordsOfSearch(text, country, romanize)
    if (words.length === 0) return items
    const ranked = words.map((word) => ({ ...word, ranks: vocabulary.ranksFor(word) }))
    const found = inTiers(items, (index) => rankOf(keys[index], ranked))
    const isText = words.every(({ kind }) => kind === 'word')
    return found.length > 0 || !isText ? found : spaceless(plain(wordsIn(text, romanize).join('')))
  }
}

function inTiers<T>(items: readonly T[], rankAt: (index: number) => number): readonly T[] {
  const tiers: T[][] = Array.from({ length: NOT_FOUND }, () => [])
  for (const [index, item] of items.entries()) tiers[rankAt(index)]?.push(item)
  return tiers.flat()
}

/** Returns a search for all names of an item as one word, in both orders. Prepared when it is first needed. */
function spacelessSearch<T>(
  items: readonly T[],
  findableOf: (item: T) => Findable,
  romanize: Romanize | undefined,
): (text: string) => readonly T[] {
  let wholes: readonly (readonly string[])[] | undefined
  const wholesOf = ({ names }: Findable) => {
    const parts = names.map((name) => wordsIn(name, romanize).join(''))
    return [parts, parts.toReversed()].flatMap((ordered) => spellingsOf(ordered.join('')))
  }
  return (text) => {
    wholes ??= items.map((item) => wholesOf(findableOf(item)))
    const rank = (index: number) =>
      Math.min(NOT_FOUND, ...(wholes?.[index] ?? []).map((whole) => positionRank(whole, text)))
    return inTiers(items, (index) => (rank(index) === INSIDE ? NOT_FOUND : rank(index)))
  }
}

type KeyContext = {
  readonly country: string
  readonly romanize: Romanize | undefined
  readonly vocabulary: Vocabulary
}

function keysOf(
  { names, words = '', email, phone, phone_2 }: Findable,
  { country, romanize, vocabulary }: KeyContext,
): Keys {
  const pieces: Piece[] = []
  const joined: Piece[] = []
  let count = 0
  const add = (text: string, areNames: boolean) => {
    const words = wordsIn(text, romanize).slice(0, MAX_WORDS - count)
    const indexOf = (word: string) => vocabulary.indexOf(word, romanize && omitsVowels(text))
    const own = words.map((word, at) => ({
      index: indexOf(word),
      bits: 1 << (count + at),
      isHead: areNames && at === 0,
    }))
    pieces.push(...own)
    count += words.length
    if (words.length > 1) joined.push({ index: indexOf(words.join('')), bits: bitsOf(own), isHead: areNames })
  }
  for (const name of names) add(name, true)
  const nameBits = bitsOf(pieces)
  for (const word of wordsIn(words)) add(word, false)
  add(email?.split('@')[0] ?? '', false)
  return {
    // Single words first: a joined piece uses up several.
    pieces: [...pieces, ...joined],
    nameBits,
    email: (email ?? '').toLowerCase(),
    dialled: [phone, phone_2].flatMap((one) => dialledDigits(one ?? '', country) || []),
  }
}

function bitsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((bits, piece) => bits | piece.bits, 0)
}

const NUMBER_LABEL =
  /(?<!\p{L})(?:tel(?:efon|ephone)?|fon|phone|mobile?|mobil|handy|cell|ruf(?:nummer)?)[-\s.:]*(?:(?:nr|no)[\s.:]*)?(?=[+(]?\d)/giu

/** Splits a search into words, the longest first, because fewest pieces match it. */
function wordsOfSearch(text: string, country: string, romanize: Romanize | undefined): readonly SearchWord[] {
  const parts = withoutOptionalTrunk(text)
    .replace(NUMBER_LABEL, '')
    .replace(/(?<=[\d)])[\s()/.\p{Dash}]+(?=[\d(])/gu, '')
    .split(/[\s,;]+/)
  return parts
    .flatMap((part): readonly SearchWord[] => {
      if (part.includes('@')) return [{ ...NO_WORD, kind: 'email', text: part.toLowerCase() }]
      const isWithoutVowels = romanize !== undefined && omitsVowels(part)
      return wordsIn(part, romanize).map((one) => ({
        ...wordOf(one, part, country),
        omitsVowels: isWithoutVowels,
      }))
    })
    .toSorted((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1))
    .slice(0, MAX_WORDS)
}

const NO_WORD = { shortest: '', dialled: '', omitsVowels: false } as const

function wordOf(word: string, written: string, country: string): Omit<SearchWord, 'omitsVowels'> {
  const text = plain(word)
  const isNumber = /^\d+$/.test(text)
  return {
    kind: isNumber ? 'digits' : 'word',
    text,
    shortest: shortest(word),
    dialled: isNumber ? dialledDigits(written, country) : '',
  }
}

/** Returns the worst rank of all words, at best `PARTLY_EQUAL` unless they cover the names. */
function rankOf(keys: Keys | undefined, words: readonly RankedWord[]): number {
  if (!keys) return NOT_FOUND
  let worst: number = EQUAL
  let used = 0
  for (const word of words) {
    const { rank, bits } = bestOf(keys, word, used)
    if (rank === NOT_FOUND) return NOT_FOUND
    worst = Math.max(worst, rank)
    used |= bits
  }
  return Math.max(worst, (used & keys.nameBits) === keys.nameBits ? EQUAL : PARTLY_EQUAL)
}

type Found = { readonly rank: number; readonly bits: number }

/** Returns the best match of a word among the pieces that no other word has used. */
function bestOf(keys: Keys, word: RankedWord, used: number): Found {
  let best: Found = { rank: rankInContact(keys, word), bits: 0 }
  for (const { index, bits, isHead } of keys.pieces) {
    if ((bits & used) !== 0) continue
    const rank = word.ranks[index] ?? NOT_FOUND
    const own = rank === HEAD && !isHead ? WORD : rank
    if (own < best.rank) best = { rank: own, bits }
  }
  return best
}

function rankInContact({ email, dialled }: Keys, word: SearchWord): number {
  if (word.kind === 'email') return positionRank(email, word.text)
  if (word.kind !== 'digits') return NOT_FOUND
  return Math.min(NOT_FOUND, ...dialled.map((number) => rankInNumber(number, word)))
}

function rankInNumber(dialled: string, { text, dialled: wanted }: SearchWord): number {
  if (dialled.startsWith(wanted)) return positionRank(dialled, wanted)
  return text.length >= FEWEST_ALIKE && dialled.includes(text) ? INSIDE : NOT_FOUND
}
