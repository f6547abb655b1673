import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

type Fields = Readonly<Record<string, unknown>>

/** Returns the lines of a school file or a portable backup, without the first and the last. */
export function rowsIn(path: string): readonly string[] {
  return linesIn(path).slice(1, -1)
}

/** Returns all lines of such a file. */
export function linesIn(path: string): readonly string[] {
  return gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
}

/** Writes such a file from any lines. */
export function writeLines(path: string, lines: readonly string[]): void {
  writeFileSync(path, gzipSync(`${lines.join('\n')}\n`))
}

/** Writes a file of changed rows with a correct end line, as anyone who understands the format could. */
export function rewrite(path: string, from: string, change: (row: Fields, index: number) => Fields): void {
  const [header = '', ...rows] = linesIn(from).slice(0, -1)
  const changed = [header, ...rows].map((line, index) => JSON.stringify(change(JSON.parse(line), index)))
  const text = changed.map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  const { counts } = JSON.parse(header)
  writeFileSync(path, gzipSync(`${text}${JSON.stringify({ end: true, counts, sha256 })}\n`))
}
