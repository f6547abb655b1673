import { isUtf8 } from 'node:buffer'
import type { Encoding } from '../contract/file-import.ts'
import { oddityOf } from './letters.ts'

export type DecodedText = {
  readonly encoding: Encoding
  /** Whether the bytes prove the encoding, or a person has chosen it. */
  readonly isCertain: boolean
  /** With \n at the end of each line. */
  readonly text: string
}

type Decoding = {
  readonly country: string
  /** The encoding that a person has chosen. */
  readonly chosen: Encoding | undefined
  readonly pause: () => Promise<void>
}

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const PIECE = 16 * 1024

/**
 * Decodes as chosen, by byte order mark, which is removed, or by content: UTF-8, or the encoding of one byte a letter in which
 * the words look most like words, preferably the one that spreadsheets of the country write.
 */
export async function decoded(bytes: Uint8Array, { country, chosen, pause }: Decoding): Promise<DecodedText> {
  const proven = chosen ?? provenEncoding(bytes)
  const encoding = proven ?? likeliest(await oddWordsIn(bytes, pause), country)
  const decoder = new TextDecoder(encoding)
  const parts: string[] = []
  let held = ''
  for (let at = 0; at < bytes.length; at += PIECE) {
    await pause()
    const part = held + decoder.decode(bytes.subarray(at, at + PIECE), { stream: true })
    // The \n of this \r may begin the next piece.
    held = part.endsWith('\r') ? '\r' : ''
    parts.push(ended(held === '' ? part : part.slice(0, -1)))
  }
  parts.push(ended(held + decoder.decode()))
  return { encoding, isCertain: proven !== undefined, text: withoutEndMark(parts.join('')) }
}

/** Removes the character with which programs of DOS end a file. */
function withoutEndMark(text: string): string {
  const at = text.indexOf('\u001a')
  return at >= 0 && text.slice(at + 1).trim() === '' ? text.slice(0, at) : text
}

/** Ends each line with \n. Splitting and joining takes a fifth of the time of replacing. */
function ended(text: string): string {
  return text.split('\r\n').join('\n').split('\r').join('\n')
}

function provenEncoding(bytes: Uint8Array): Encoding | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return marked[0]
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes[3] === 0) return 'utf-16le'
  if (bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : undefined
}

/** The bytes of the words that are compared to find the encoding. */
const MAX_ODD_BYTES = 4 * 1024
const LONGEST_WORD = 40
const NEW_LINE = 0x0a

/** Returns the words with bytes beyond ASCII, a line each, from the beginning of the file. */
async function oddWordsIn(bytes: Uint8Array, pause: () => Promise<void>): Promise<Uint8Array> {
  const found: number[] = []
  let start = 0
  let isOdd = false
  for (let at = 0; at <= bytes.length && found.length < MAX_ODD_BYTES; at += 1) {
    if (at % PIECE === 0) await pause()
    const byte = bytes[at] ?? NEW_LINE
    if (isInWord(byte)) {
      isOdd ||= byte >= 0x80
      continue
    }
    if (isOdd && at - start <= LONGEST_WORD) found.push(...bytes.subarray(start, at), NEW_LINE)
    start = at + 1
    isOdd = false
  }
  return Uint8Array.from(found)
}

function isInWord(byte: number): boolean {
  const letter = byte & 0xdf
  return byte >= 0x80 || (letter >= 0x41 && letter <= 0x5a)
}

function likeliest(words: Uint8Array, country: string): Encoding {
  const usual = country === 'PL' ? 'windows-1250' : 'windows-1252'
  const others = (['windows-1252', 'windows-1254', 'macintosh', 'windows-1250'] as const).filter(
    (one) => one !== usual,
  )
  const oddities = [usual, ...others].map((encoding) => {
    const read = new TextDecoder(encoding).decode(words).split('\n')
    return { encoding, oddity: read.reduce((sum, word) => sum + oddityOf(word, encoding), 0) }
  })
  return oddities.toSorted((a, b) => a.oddity - b.oddity)[0]?.encoding as Encoding
}

const BEYOND_ASCII = /[^\0-\u007f]/g
const SEPARATOR = /[\s,;|"]/
const SHOWN_WORDS = 8
const MAX_MATCHES = 1000

/** Returns the first words with letters beyond ASCII, by which a person sees whether the encoding is right. */
export function unusualWordsIn(text: string): readonly string[] {
  const found = new Set<string>()
  let left = MAX_MATCHES
  for (const { index } of text.matchAll(BEYOND_ASCII)) {
    const word = wordAround(text, index)
    if (word !== '') found.add(word)
    left -= 1
    if (left === 0 || found.size >= SHOWN_WORDS) break
  }
  return [...found]
}

function wordAround(text: string, index: number): string {
  const isPart = (at: number) => !SEPARATOR.test(text.charAt(at) || ' ')
  let [start, end] = [index, index]
  while (isPart(start - 1) && index - start < LONGEST_WORD) start -= 1
  while (isPart(end) && end - index < LONGEST_WORD) end += 1
  return text.slice(start, end).toWellFormed()
}
