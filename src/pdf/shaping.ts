import bidiFactory from 'bidi-js'

const bidi = bidiFactory()
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Latin text, which every font has: looking at each sign would take most of the time of a document. */
const PLAIN = /^[ -~\u00a0-\u017f]*$/
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The sign in place of one that the fonts lack, such as an emoji. */
const REPLACEMENT = '□'

/** Returns a text with a visible sign in place of each one that the font cannot print. */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  if (PLAIN.test(text)) return text
  const isKnown = (sign: string) => hasGlyph(sign.codePointAt(0) ?? 0)
  return Array.from(graphemes.segment(text), ({ segment }) => {
    const signs = [...segment].filter((sign) => isKnown(sign) || !/\p{Cf}|\p{Variation_Selector}/u.test(sign))
    return signs.every(isKnown) ? signs.join('') : REPLACEMENT
  }).join('')
}

/** An invisible sign that runs from left to right. */
const LEFT_TO_RIGHT = '\u200e'

/** Returns a name after which numbers and brackets run from left to right again. */
export function closedName(name: string): string {
  return FROM_RIGHT.test(name) ? `${name}${LEFT_TO_RIGHT}` : name
}

type Piece = { readonly text: string; readonly level: number }

/**
 * Returns the words of a line from left to right. A font library shapes and reverses the letters of a word, but does not order the
 * words of a text that runs from right to left (Unicode Standard Annex 9, rule L2).
 */
export function wordsFromLeft(line: string): readonly string[] {
  if (!FROM_RIGHT.test(line)) return line === '' ? [] : [line]
  const pieces = piecesOf(line)
  const levels = pieces.map(({ level }) => level)
  for (let level = Math.max(0, ...levels); level > 0; level -= 1) reverseFrom(level, pieces)
  return pieces.map(shownPiece).filter((text) => text !== '')
}

/** Mirrors brackets (rule L4), which a font library leaves as they are, and reverses a piece without letters, as it does others. */
function shownPiece({ text, level }: Piece): string {
  const signs = [...text.replaceAll(LEFT_TO_RIGHT, '')]
  if (level % 2 === 0) return signs.join('')
  const mirrored = signs.map((sign) => bidi.getMirroredCharacter(sign) ?? sign)
  return (FROM_RIGHT.test(text) ? mirrored : mirrored.reverse()).join('')
}

/** Splits a line where the direction changes, and where a text from right to left has a space. */
function piecesOf(line: string): Piece[] {
  const { levels } = bidi.getEmbeddingLevels(line, 'ltr')
  const pieces: Piece[] = []
  let start = 0
  for (let at = 1; at <= line.length; at += 1) {
    const level = levels[start] ?? 0
    const isWordEnd = level % 2 === 1 && (line[at] === ' ' || line[start] === ' ')
    if (at < line.length && levels[at] === level && !isWordEnd) continue
    pieces.push({ text: line.slice(start, at), level })
    start = at
  }
  return pieces
}

function reverseFrom(level: number, pieces: Piece[]): void {
  for (let start = 0; start < pieces.length; start += 1) {
    let end = start
    while ((pieces[end]?.level ?? 0) >= level) end += 1
    pieces.splice(start, end - start, ...pieces.slice(start, end).reverse())
    start = end
  }
}
