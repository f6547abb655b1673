import { isOtherScript } from './scripts.ts'

/** Replacements of letters that are not accented forms of others. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
}

/** Letters with a two-letter spelling. */
const DIGRAPHS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** The texts in plain ASCII, which are the most common and need no replacement. */
const COMMON = /^[\x20-\x7e]*$/

/** Returns the text in lower case without accents: `gunther` for Günther. */
export function plain(text: string): string {
  if (COMMON.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßıłøæœđðþ]/g, (letter) => LETTERS[letter] ?? letter)
}

/** Returns the shortest spelling: `gunther` for Günther and Guenther, `gros` for Groß, `maks` for Max. */
export function shortest(text: string): string {
  return plain(text)
    .replace(/[aou]e/g, ([vowel = '']) => vowel)
    .replace(/ss/g, 's')
    .replace(/x/g, 'ks')
}

/** Returns all spellings with plain letters: `gunther` and `guenther` for Günther. */
export function spellingsOf(text: string): readonly string[] {
  if (COMMON.test(text)) return [...new Set([plain(text), shortest(text)])]
  const long = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüøå]/g, (letter) => DIGRAPHS[letter] ?? letter)
  return [...new Set([plain(text), plain(long), shortest(text)])]
}

/** Writes a text in Latin letters, such as `WangXiaoMing`. */
export type Romanize = (text: string) => string

/** Returns the consonants by which names of such scripts are compared: `mhmd` for Mohammed and Muhammad. */
export function consonantsIn(text: string): string {
  return plain(text)
    .replace(/[aeiouwy]/g, '')
    .replace(/q/g, 'k')
    .replace(/(.)\1/g, '$1')
}

/** Splits a text: `O'Brien` is one word, `Anna-Lena` two, and 王小明 three once it is in Latin letters. */
export function wordsIn(text: string, romanize?: Romanize): readonly string[] {
  const latin = romanize && isOtherScript(text) ? romanize(text).replace(/(?<=[a-z])(?=[A-Z])/g, ' ') : text
  return latin
    .normalize('NFC')
    .replace(/['’‘`´]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
}

/** Whether the word begins with the text, but for one wrong, missing, extra or swapped letter; the last only in a complete word. */
export function matchesWithTypo(typed: string, word: string): boolean {
  const at = firstDifference(typed, word)
  if (at === typed.length) return true
  const goesOn = (from: number, to: number) => word.startsWith(typed.slice(from), to)
  const isLast = at === typed.length - 1
  const isWrong = goesOn(at + 1, at + 1) && (!isLast || word.length === typed.length)
  const isTooMuch = goesOn(at + 1, at) && (!isLast || word.length < typed.length)
  const isMissing = goesOn(at, at + 1)
  const isSwapped =
    !isLast && typed[at] === word[at + 1] && typed[at + 1] === word[at] && goesOn(at + 2, at + 2)
  return isWrong || isTooMuch || isMissing || isSwapped
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
