import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

type Fields = Readonly<Record<string, unknown>>

/** The lines of a file of a school or an installation, between the first and the last. */
export function rowsIn(path: string): readonly string[] {
  return linesIn(path).slice(1, -1)
}

/** All its lines. */
export function linesIn(path: string): readonly string[] {
  return gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
}

/** Writes lines of any kind as a file. */
export function writeLines(path: string, lines: readonly string[]): void {
  writeFileSync(path, gzipSync(`${lines.join('\n')}\n`))
}

/** Writes another file of rows that were changed, as somebody would who knows the format: it is whole. */
export function rewrite(path: string, from: string, change: (row: Fields, index: number) => Fields): void {
  const [header = '', ...rows] = linesIn(from).slice(0, -1)
  const changed = [header, ...rows].map((line, index) => JSON.stringify(change(JSON.parse(line), index)))
  const text = changed.map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  const { counts } = JSON.parse(header)
  writeFileSync(path, gzipSync(`${text}${JSON.stringify({ end: true, counts, sha256 })}\n`))
}
