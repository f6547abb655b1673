import { DELIMITERS, type Delimiter, type Encoding } from '../contract/file-import.ts'
import { type CsvRecord, isEmpty, MAX_CELLS, type RecordFault, recordsIn } from './records.ts'
import { decoded, unusualWordsIn } from './text.ts'

export type TableLine = {
  readonly number: number
  readonly cells: readonly string[]
  readonly fault?: RecordFault
}

export type Table = {
  readonly encoding: Encoding
  readonly isCertain: boolean
  /** The first words with letters beyond ASCII. */
  readonly words: readonly string[]
  readonly delimiter: Delimiter
  /** The number of the line with the headings; 0 if there is none. */
  readonly headingLine: number
  readonly headings: readonly string[]
  readonly lines: readonly TableLine[]
}

export class NoTable extends Error {
  readonly code: 'empty' | 'workbook' | 'not_text' | 'no_headings' | 'malformed' | 'too_many_lines'
  readonly line: number | undefined

  constructor(code: NoTable['code'], line?: number) {
    super(code)
    this.code = code
    this.line = line
  }
}

/** The choices of a person in place of what the file is recognised as. */
export type TableChoices = {
  readonly encoding?: Encoding | undefined
  /** The line with the headings; 0 if the file has none. */
  readonly headingLine?: number | undefined
}

type ReadOptions = TableChoices & {
  readonly country: string
  readonly known: (headings: readonly string[]) => number
  readonly mostLines: number
  readonly pause: () => Promise<void>
}

/** The line before the headings with which some programs name the delimiter. */
const SEPARATOR_LINE = /^sep=([;,\t|])\n/
const WORKBOOK = [0x50, 0x4b, 0x03, 0x04]
/** The lines among which the headings are looked for: programs put a title above them. */
const LINES_TO_HEADINGS = 10
const MAX_LINES_TO_HEADINGS = 100

/** Reads comma-separated values with any delimiter, and with lines such as a title above the headings. Throws `NoTable`. */
export async function readTable(bytes: Uint8Array, options: ReadOptions): Promise<Table> {
  const { country, mostLines, pause } = options
  if (WORKBOOK.every((byte, at) => bytes[at] === byte)) throw new NoTable('workbook')
  const { text, ...read } = await decoded(bytes, { country, chosen: options.encoding, pause })
  await pause()
  if (text.includes('\0')) throw new NoTable('not_text')
  const { start, delimiter, line, ...layout } = await likeliestLayout(text, options)
  const headingLine = options.headingLine ?? line
  const lines: TableLine[] = []
  let headings: CsvRecord | undefined
  for (const record of recordsIn(layout.text, delimiter, start)) {
    await pause()
    if (record.number === headingLine && !isEmpty(record)) headings = record
    if (record.number <= headingLine || isEmpty(record) || isDecoration(record, headings)) continue
    if (lines.length >= mostLines) throw new NoTable('too_many_lines')
    lines.push(record)
  }
  if (headingLine > 0 && !headings)
    throw options.headingLine === undefined ? new NoTable('empty') : new NoTable('no_headings', headingLine)
  if (headings?.fault || (headings?.cells.length ?? 0) > MAX_CELLS)
    throw new NoTable('malformed', headingLine)
  const width = Math.max(1, ...lines.slice(0, LINES_TO_HEADINGS).map(({ cells }) => cells.length))
  const unnamed = Array.from({ length: Math.min(width, MAX_CELLS) }, () => '')
  const words = unusualWordsIn(text)
  return { ...read, words, delimiter, headingLine, headings: headings?.cells ?? unnamed, lines }
}

type Layout = FoundHeadings & {
  readonly text: string
  readonly start: { readonly at: number; readonly number: number }
}

type Recognition = Pick<ReadOptions, 'known' | 'pause'>

/** Returns the layout of the text, or of what its lines have in quotation marks if only that has known headings. */
async function likeliestLayout(text: string, options: Recognition): Promise<Layout> {
  const layout = await layoutOf(text, options)
  if (layout.known > 0 || !text.startsWith('"')) return layout
  const lines: string[] = []
  for (const { cells, fault } of recordsIn(text, '|', layout.start)) {
    await options.pause()
    if (fault || cells.length > 1) return layout
    lines.push(cells[0] ?? '')
  }
  const inside = await layoutOf(lines.join('\n'), options)
  return inside.known > 0 ? inside : layout
}

async function layoutOf(text: string, options: Recognition): Promise<Layout> {
  const [before = '', named] = SEPARATOR_LINE.exec(text) ?? []
  const start = { at: before.length, number: before === '' ? 1 : 2 }
  const found: FoundHeadings[] = []
  for (const one of DELIMITERS)
    found.push(await headingsAmong(beginningOf(recordsIn(text, one, start)), one, options))
  const [likeliest] = found.toSorted((a, b) => b.known - a.known || b.count - a.count)
  const chosen = found.find(({ delimiter }) => delimiter === named) ?? likeliest
  return { delimiter: ';', line: 1, known: 0, count: 0, ...chosen, text, start }
}

/** Whether a line is a rule of dashes, or the headings again, as on each page of a printed list. */
function isDecoration({ cells }: CsvRecord, headings: CsvRecord | undefined): boolean {
  if (cells.every((cell) => /^[-=_+:]*$/.test(cell))) return true
  return headings !== undefined && cells.join('\n') === headings.cells.join('\n')
}

function beginningOf(records: Iterable<CsvRecord>): readonly CsvRecord[] {
  const beginning: CsvRecord[] = []
  let left = MAX_LINES_TO_HEADINGS
  for (const record of records) {
    if (!isEmpty(record)) beginning.push(record)
    left -= 1
    if (left === 0 || beginning.length === LINES_TO_HEADINGS) break
  }
  return beginning
}

type FoundHeadings = {
  readonly delimiter: Delimiter
  readonly line: number
  /** The number of known headings. */
  readonly known: number
  readonly count: number
}

/** Finds the headings: the line with the most known ones, of these the fullest, or else the first with several filled cells, or the first. */
async function headingsAmong(
  records: readonly CsvRecord[],
  delimiter: Delimiter,
  { known, pause }: Recognition,
): Promise<FoundHeadings> {
  const counted: FoundHeadings[] = []
  for (const { number: line, cells, fault } of records) {
    await pause()
    if (!fault)
      counted.push({
        delimiter,
        line,
        known: known(cells),
        count: cells.filter((cell) => cell.trim() !== '').length,
      })
  }
  const [best] = counted.toSorted((a, b) => b.known - a.known || b.count - a.count)
  if (best && best.known > 0) return best
  const first = { delimiter, line: records[0]?.number ?? 1, known: 0, count: 0 }
  return counted.find(({ count }) => count > 1) ?? counted[0] ?? first
}
