/** The letters that hardly any name has, by the encoding in which another one's letters look like them. */
const RARE: Readonly<Record<string, RegExp>> = {
  'windows-1250': /[ŕĺţđÝýşŞ]/u,
  'windows-1252': /[ÐÝÞðýþŠšŽžŸŒœƒªº]/u,
  'windows-1254': /[ŠšŸŒœƒªº]/u,
  macintosh: /[ŸÿƒﬁﬂıªºŒœ]/u,
}

/** Signs that belong in a word. */
const JOINING = /[’‘ʼ´·‐‑–]/u
const LETTER = /[\p{L}\p{M}]/u
const FOREIGN = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u
const LOST = /[\u0080-\u009f\ufffd]/u
/** A letter of UTF-8 read as two of Windows-1252, such as `Ã¼` for ü. */
const READ_TWICE = /[ÂÃÄÅÐÑ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ“”•—˜™š›œžŸ]/u

/** Returns how wrong a word of a Western European encoding looks; 0 for a plausible one. */
export function oddityOf(word: string, encoding: string): number {
  const letters = [...word]
  const rare = RARE[encoding]
  let oddity = 0
  letters.forEach((letter, at) => {
    if (letter <= '\u007f') return
    const [before = '', after = ''] = [letters[at - 1], letters[at + 1]]
    if (LOST.test(letter)) oddity += 4
    else if (!LETTER.test(letter)) oddity += isWithin(letter, before, after) ? 2 : 0
    else if (FOREIGN.test(letter) || isSuddenCapital(letter, before, after)) oddity += 2
    else if (rare?.test(letter)) oddity += 1
  })
  return oddity
}

function isWithin(sign: string, before: string, after: string): boolean {
  return !JOINING.test(sign) && (LETTER.test(before) || LETTER.test(after))
}

/** Whether a capital is within a word that is not written in capitals. */
function isSuddenCapital(letter: string, before: string, after: string): boolean {
  if (letter === letter.toLowerCase() || !LETTER.test(before)) return false
  return before !== before.toUpperCase() || after !== after.toUpperCase()
}

/** Whether a text has lost letters: read in a wrong encoding, or written without them. */
export function hasLostLetters(text: string): boolean {
  return LOST.test(text)
}

/**
 * Whether the letters of a name look wrong, as when a file is read in another encoding than it was written in. An encoding that
 * has been recognised for certain is doubted only for letters read twice.
 */
export function looksWrong(name: string, { encoding, isCertain }: LettersRead): boolean {
  if (READ_TWICE.test(name)) return true
  return !isCertain && name.split(/[\s,;/()]+/).some((word) => oddityOf(word, encoding) > 1)
}

export type LettersRead = { readonly encoding: string; readonly isCertain: boolean }
