import { dialledDigits, withoutOptionalTrunk } from './phone.ts'
import { isMeantBy, plain, shortest, spellingsOf, wordsIn } from './spelling.ts'

/** The fields by which a person is found. */
export type Findable = {
  /** As they are written, such as first and last name; each may have several words. */
  readonly names: readonly string[]
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly phone_2?: string | null | undefined
}

/** The rank of an exact match; a smaller number is better. A name with missing words ranks between `EQUAL` and `HEAD`. */
const EQUAL = 0
const PARTLY_EQUAL = 1
const HEAD = 2
const WORD = 3
const INSIDE = 4
const ALIKE = 5
const NOT_FOUND = 6

/** A shorter word has too many that are alike. */
const LETTERS_OF_A_TYPO = 5
/** Fewer letters would be alike with most words, fewer digits part of most numbers. */
const FEWEST_ALIKE = 3
/** The number of words that fit into the bits of a number; no name has as many. */
const MOST_WORDS = 30

/** A word that can be found, or several that are written as one. */
type Piece = {
  readonly spellings: readonly string[]
  readonly shortest: string
  /** Which words it stands for, a bit for each: none is found by two words of a search. */
  readonly bits: number
  /** Whether a name begins with it. */
  readonly isHead: boolean
}

type Keys = {
  readonly pieces: readonly Piece[]
  /** The bits of all words of the names. */
  readonly nameBits: number
  readonly email: string
  /** The digits of each phone number. */
  readonly dialled: readonly string[]
}

type Word = {
  readonly kind: 'word' | 'digits' | 'email'
  readonly text: string
  readonly shortest: string
  /** The digits as they would be dialled from abroad. */
  readonly dialled: string
}

/**
 * Prepares a search among `items`, and returns it: for a text it gives those that have all of its words, the best first, and
 * equally good ones in their own order; for a text without words all of them.
 *
 * Case, marks, the order of words and what stands between them do not matter, nor whether ä, ö, ü and ß are written as ae, oe, ue
 * and ss, or as a, o, u and s; one typing error in a word of five letters is forgiven. A phone number is found with and without
 * the code of `country`, two letters as in ISO 3166.
 */
export function searchAmong<T>(
  items: readonly T[],
  findableOf: (item: T) => Findable,
  country: string,
): (text: string) => readonly T[] {
  const keys = items.map((item) => keysOf(findableOf(item), country))
  return (text) => {
    const words = wordsOfSearch(text, country)
    if (words.length === 0) return items
    const tiers: T[][] = Array.from({ length: NOT_FOUND }, () => [])
    for (const [index, item] of items.entries()) {
      const one = keys[index]
      if (one) tiers[rankOf(one, words)]?.push(item)
    }
    return tiers.flat()
  }
}

function keysOf({ names, email, phone, phone_2 }: Findable, country: string): Keys {
  const pieces: Piece[] = []
  const joined: Piece[] = []
  let count = 0
  const add = (text: string, areNames: boolean) => {
    const words = wordsIn(text).slice(0, MOST_WORDS - count)
    const own = words.map((word, at) => pieceOf(word, 1 << (count + at), areNames && at === 0))
    pieces.push(...own)
    count += words.length
    if (words.length > 1) joined.push(pieceOf(words.join(''), bitsOf(own), areNames))
  }
  for (const name of names) add(name, true)
  const nameBits = bitsOf(pieces)
  add(email?.split('@')[0] ?? '', false)
  return {
    // A word is found by itself first: what is joined takes other words along.
    pieces: [...pieces, ...joined],
    nameBits,
    email: (email ?? '').toLowerCase(),
    dialled: [phone, phone_2].flatMap((one) => dialledDigits(one ?? '', country) || []),
  }
}

function pieceOf(word: string, bits: number, isHead: boolean): Piece {
  return { spellings: spellingsOf(word), shortest: shortest(word), bits, isHead }
}

function bitsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((bits, piece) => bits | piece.bits, 0)
}

/** The longest first: it has the fewest words to choose from. */
function wordsOfSearch(text: string, country: string): readonly Word[] {
  const parts = withoutOptionalTrunk(text)
    // The groups of a phone number belong together.
    .replace(/(?<=[\d)])[\s()/.-]+(?=[\d(])/g, '')
    .split(/[\s,;]+/)
  return parts
    .flatMap((part): readonly Word[] => {
      if (part.includes('@')) return [{ kind: 'email', text: part.toLowerCase(), shortest: '', dialled: '' }]
      return wordsIn(part).map((one) => wordOf(one, part, country))
    })
    .toSorted((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1))
    .slice(0, MOST_WORDS)
}

function wordOf(word: string, written: string, country: string): Word {
  const text = plain(word)
  const isNumber = /^\d+$/.test(text)
  return {
    kind: isNumber ? 'digits' : 'word',
    text,
    shortest: shortest(word),
    dialled: isNumber ? dialledDigits(written, country) : '',
  }
}

/** Ranks a match of all words by the worst of them. */
function rankOf(keys: Keys, words: readonly Word[]): number {
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

/** Finds the best match of a word among the parts that no other word has matched. */
function bestOf(keys: Keys, word: Word, used: number): Found {
  let best: Found = { rank: rankInContact(keys, word), bits: 0 }
  for (const piece of keys.pieces) {
    if ((piece.bits & used) !== 0) continue
    const rank = rankIn(piece, word)
    if (rank < best.rank) best = { rank, bits: piece.bits }
  }
  return best
}

/** Ranks the match of an e-mail address or digits in a person's contact data. */
function rankInContact({ email, dialled }: Keys, word: Word): number {
  if (word.kind === 'email') return positionRank(email, word.text)
  if (word.kind !== 'digits') return NOT_FOUND
  return Math.min(NOT_FOUND, ...dialled.map((number) => rankInNumber(number, word)))
}

function rankInNumber(dialled: string, { text, dialled: wanted }: Word): number {
  if (dialled.startsWith(wanted)) return positionRank(dialled, wanted)
  return text.length >= FEWEST_ALIKE && dialled.includes(text) ? INSIDE : NOT_FOUND
}

function positionRank(whole: string, part: string): number {
  if (whole === part) return EQUAL
  if (whole.startsWith(part)) return HEAD
  return whole.includes(part) ? INSIDE : NOT_FOUND
}

function rankIn({ spellings, shortest: short, isHead }: Piece, word: Word): number {
  const position = Math.min(...spellings.map((spelling) => positionRank(spelling, word.text)))
  if (position === HEAD) return isHead ? HEAD : WORD
  if (position !== NOT_FOUND || word.kind !== 'word') return position
  const isSpelledAlike = word.shortest.length >= FEWEST_ALIKE && short.startsWith(word.shortest)
  const isTypo =
    word.text.length >= LETTERS_OF_A_TYPO && spellings.some((spelling) => isMeantBy(word.text, spelling))
  return isSpelledAlike || isTypo ? ALIKE : NOT_FOUND
}
