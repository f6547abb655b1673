import { isUtf8 } from 'node:buffer'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1252'

export type DecodedText = { readonly encoding: Encoding; readonly text: string }

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Decodes by byte order mark, which is removed, or by content: UTF-8, or as spreadsheets of the country write. */
export function decoded(bytes: Uint8Array, country: string): DecodedText {
  const encoding = encodingOf(bytes, country)
  return { encoding, text: new TextDecoder(encoding).decode(bytes) }
}

function encodingOf(bytes: Uint8Array, country: string): Encoding {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return marked[0]
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes[3] === 0) return 'utf-16le'
  if (bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0) return 'utf-16be'
  if (isUtf8(bytes)) return 'utf-8'
  return country === 'PL' ? 'windows-1250' : 'windows-1252'
}
