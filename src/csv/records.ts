import type { Delimiter } from '../contract/file-import.ts'

/** A line of the file, or several if a quoted cell has line breaks. */
export type CsvRecord = {
  /** The number of its first line in the file. */
  readonly number: number
  /** The cells, all empty in an empty line; of a faulty line the text as its only cell. */
  readonly cells: readonly string[]
  readonly fault?: RecordFault
}

/** The reason why a line cannot be split into cells, and the index of the cell. */
export type RecordFault = { readonly code: 'bad_quote' | 'too_long'; readonly cell: number }

/** The limit of a record in characters: a longer one has a quotation mark that is never closed, or the file is not a table. */
const MAX_RECORD = 64 * 1024
/** The empty lines that are skipped in one step. */
const MAX_EMPTY = 1024
/** The limit of cells: of a longer record only one more is read. */
export const MAX_CELLS = 500

const TOO_LONG: FaultyRecord = { fault: { code: 'too_long', cell: 0 } }

type Start = { readonly at: number; readonly number: number }

/**
 * Splits a text into records (RFC 4180), a step each. A quotation mark counts at the beginning of a cell only. If it is
 * not closed, its line alone is faulty: csv-parse would read the following lines as text of the cell.
 */
export function* recordsIn(text: string, delimiter: Delimiter, start: Start): Generator<CsvRecord> {
  let { at, number } = start
  while (at < text.length) {
    const run = emptyLines(text, at)
    if (run > 0) {
      yield { number, cells: [''] }
      at += run
      number += run
      continue
    }
    const end = endOfLine(text, at)
    const found = end - at > MAX_RECORD ? TOO_LONG : recordAt(text, at, delimiter)
    const [to, lines] = 'fault' in found ? [end, 1] : [found.to, found.lines]
    yield { number, ...recordOf(found, text.slice(at, end)) }
    at = to + 1
    number += lines
  }
}

type WholeRecord = { readonly cells: readonly string[]; readonly to: number; readonly lines: number }
type FaultyRecord = { readonly fault: RecordFault }

function recordOf(found: WholeRecord | FaultyRecord, line: string): Omit<CsvRecord, 'number'> {
  return 'fault' in found
    ? { cells: [line.slice(0, MAX_RECORD)], fault: found.fault }
    : { cells: found.cells }
}

export function isEmpty({ cells }: CsvRecord): boolean {
  return cells.every((cell) => cell === '')
}

function recordAt(text: string, from: number, delimiter: Delimiter): WholeRecord | FaultyRecord {
  const cells: string[] = []
  const limit = from + MAX_RECORD
  let [at, end, lines] = [from, endOfLine(text, from), 1]
  for (;;) {
    const start = pastBlanks(text, at, delimiter)
    if (text[start] === '"') {
      const close = closingQuote(text, start + 1, limit)
      at = close < 0 ? text.length : pastBlanks(text, close + 1, delimiter)
      const isClosed = close >= 0 && (at === text.length || text[at] === delimiter || text[at] === '\n')
      if (!isClosed) return { fault: { code: 'bad_quote', cell: cells.length } }
      const cell = text.slice(start + 1, close)
      cells.push(cell.replaceAll('""', '"'))
      lines += breaksIn(cell)
      if (at > end) end = endOfLine(text, at)
    } else {
      const rest = text.slice(at, end)
      const length = rest.indexOf(delimiter)
      cells.push((length < 0 ? rest : rest.slice(0, length)).trim())
      at = length < 0 ? end : at + length
    }
    if (at >= end || cells.length > MAX_CELLS) return { cells, to: end, lines }
    at += 1
  }
}

/** Returns the number of empty lines, at most those of a step. */
function emptyLines(text: string, from: number): number {
  let at = from
  while (text[at] === '\n' && at - from < MAX_EMPTY) at += 1
  return at - from
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Returns the index of the mark that is not doubled; -1 if there is none before the limit. */
function closingQuote(text: string, from: number, limit: number): number {
  const within = text.slice(from, limit)
  let at = within.indexOf('"')
  while (at >= 0 && within[at + 1] === '"') at = within.indexOf('"', at + 2)
  return at < 0 ? -1 : from + at
}

function pastBlanks(text: string, from: number, delimiter: Delimiter): number {
  let at = from
  while (text[at] !== delimiter && /[^\S\n]/.test(text[at] ?? '')) at += 1
  return at
}

function breaksIn(cell: string): number {
  let count = 0
  for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count += 1
  return count
}
