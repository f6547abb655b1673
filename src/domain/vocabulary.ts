import { consonantsIn, matchesWithTypo, shortest, spellingsOf } from './spelling.ts'

/** The rank of a match; lower is better. `PARTLY_EQUAL` is an exact one that does not cover all words of the names. */
export const EQUAL = 0
export const PARTLY_EQUAL = 1
export const HEAD = 2
export const WORD = 3
export const INSIDE = 4
export const ALIKE = 5
export const NOT_FOUND = 6

/** The minimum letters for a typing error: a shorter word resembles too many others. */
const LETTERS_OF_A_TYPO = 5
/** The minimum for inexact matches: fewer letters resemble most words, fewer digits are part of most numbers. */
export const FEWEST_ALIKE = 3

export type SearchWord = {
  readonly kind: 'word' | 'digits' | 'email'
  readonly text: string
  readonly shortest: string
  /** In international format. */
  readonly dialled: string
  /** Whether it was typed in a script without vowels. */
  readonly omitsVowels: boolean
}

type Spelled = {
  readonly spellings: readonly string[]
  readonly shortest: string
  readonly omitsVowels: boolean
}

/** The distinct words of all items. People share names, so that comparing each word once saves most comparisons. */
export class Vocabulary {
  readonly #indexes = new Map<string, number>()
  readonly #words: Spelled[] = []

  /** Returns the index of the word, and adds an unknown one. */
  indexOf(word: string, omitsVowels = false): number {
    const key = omitsVowels ? `${word}?` : word
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    const spelled = { spellings: spellingsOf(word), shortest: shortest(word), omitsVowels }
    const index = this.#words.push(spelled) - 1
    this.#indexes.set(key, index)
    return index
  }

  /** Returns the ranks of all words, by their indexes. Each word counts as the first of its name. */
  ranksFor(word: SearchWord): Uint8Array {
    return Uint8Array.from(this.#words, (spelled) => rankIn(spelled, word))
  }
}

function rankIn({ spellings, shortest: short, omitsVowels }: Spelled, word: SearchWord): number {
  let best = NOT_FOUND
  for (const spelling of spellings) best = Math.min(best, positionRank(spelling, word.text))
  if (best !== NOT_FOUND || word.kind !== 'word') return best
  const isSpelledAlike = word.shortest.length >= FEWEST_ALIKE && short.startsWith(word.shortest)
  const isTypo =
    word.text.length >= LETTERS_OF_A_TYPO &&
    spellings.some((spelling) => matchesWithTypo(word.text, spelling))
  const isSame = (omitsVowels || word.omitsVowels) && hasConsonantsOf(spellings[0] ?? '', word.text)
  return isSpelledAlike || isTypo || isSame ? ALIKE : NOT_FOUND
}

/** Whether the word begins with the consonants of the text, which must have two, or has the same one. */
function hasConsonantsOf(word: string, text: string): boolean {
  const [all, typed] = [consonantsIn(word), consonantsIn(text)]
  return typed.length > 1 ? all.startsWith(typed) : typed !== '' && all === typed
}

/** Ranks a text by where it contains the part. */
export function positionRank(whole: string, part: string): number {
  if (whole === part) return EQUAL
  if (whole.startsWith(part)) return HEAD
  return whole.includes(part) ? INSIDE : NOT_FOUND
}
