import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import type { Strokes } from '../domain/printed-record.ts'
import { printable, wordsFromLeft } from './shaping.ts'

export type PaperInfo = {
  readonly title: string
  readonly language: string
}

/**
 * The texts on every page of a section. `foot` may have two lines. `page` returns the text of a page number, such as
 * `Page 1 of 2`.
 */
export type Section = {
  readonly foot: string
  readonly page: (page: number, pages: number) => string
}

export type Column = {
  readonly heading: string
  readonly width: number
  readonly align?: 'right'
}

/** A place to sign: handwriting, or a typed name, above the line, and texts below it. */
export type SignatureBox = {
  readonly strokes: Strokes | null
  readonly typed: string
  readonly texts: readonly string[]
}

export type Cell = string | { readonly text: string; readonly isStrong: true }

const MARGIN = 36
const FOOT_HEIGHT = 24
const CELL_PADDING = 3
const SIZES = { title: 15, heading: 10.5, text: 9.5, cell: 8, foot: 8 } as const
/** The room that a heading and the first rows below it need. */
const HEADING_ROOM = 72
const SIGNATURE_HEIGHT = 44
const SIGNATURE_GAP = 18
const LINE = 1.3
const INK = '#000000'
const GREY = '#666666'
const RULE = '#bbbbbb'

const fontFile = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
/** One family for Latin, Greek, Cyrillic and Arabic letters. */
const FONTS = {
  normal: fontFile('DejaVuSansCondensed'),
  strong: fontFile('DejaVuSansCondensed-Bold'),
} as const
type Font = keyof typeof FONTS

/** The creation date of a document without a date of its own, so that the same data makes the same bytes. */
const NO_DATE = new Date(0)

type Style = { readonly size: number; readonly font?: Font; readonly color?: string }

/** pdfkit's open font. Its types omit it, but only it knows which signs it has. */
type OpenFont = { readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean } }

/** A4 pages in sections. Each section has its own page numbers, and is complete before the next one begins. */
export class Paper {
  readonly #doc: InstanceType<typeof PDFDocument>
  #section: Section | undefined
  #y = 0

  constructor({ title, language }: PaperInfo, write: (bytes: Uint8Array) => void) {
    this.#doc = new PDFDocument({
      ...{ size: 'A4', margin: MARGIN, bufferPages: true, autoFirstPage: false, lang: language },
      info: { Title: title, Creator: 'Fahrplan', Producer: 'Fahrplan', CreationDate: NO_DATE },
    })
    for (const [name, file] of Object.entries(FONTS)) this.#doc.registerFont(name, file)
    this.#doc.on('data', write)
  }

  get width(): number {
    return this.#doc.page.width - 2 * MARGIN
  }

  /** Starts a section on a new page. */
  begin(section: Section): void {
    this.#end()
    this.#section = section
    this.#addPage()
  }

  /** Raises the creation date of the document to the time of a change that it shows. */
  showsChangeOf(at: Date): void {
    const { info } = this.#doc
    if (info.CreationDate === undefined || at > info.CreationDate) info.CreationDate = at
  }

  title(text: string): void {
    this.#paragraph(text, { size: SIZES.title, font: 'strong' })
  }

  text(text: string, font: Font = 'normal'): void {
    this.#paragraph(text, { size: SIZES.text, font })
  }

  /** Draws small letters below a table, all on one page. */
  note(text: string): void {
    const style = { size: SIZES.foot, color: GREY }
    this.#y += CELL_PADDING
    const height = this.#linesOf(text, style, this.width).length * style.size * LINE
    if (this.#y + height > this.#bottom) this.#addPage()
    this.#paragraph(text, style)
  }

  /** Draws a heading, on the next page if there is no room for rows below it. */
  heading(text: string, room = HEADING_ROOM): void {
    this.space()
    if (this.#y + room > this.#bottom) this.#addPage()
    this.#paragraph(text, { size: SIZES.heading, font: 'strong' })
  }

  space(): void {
    this.#y += SIZES.text
  }

  /** Draws texts in two columns: names, and values in strong letters. */
  facts(rows: readonly (readonly [name: string, value: string])[]): void {
    const name = 130
    const columns = [{ width: name }, { width: this.width - name }]
    for (const [text, value] of rows)
      this.#unbrokenRow(columns, this.#measured(columns, [text, { text: value, isStrong: true }]))
  }

  /** Draws a heading and places to sign beside each other, all on one page. */
  signatures(heading: string, boxes: readonly SignatureBox[]): void {
    const width = (this.width - (boxes.length - 1) * SIGNATURE_GAP) / boxes.length
    const style = { size: SIZES.cell }
    const texts = boxes.map((box) => box.texts.flatMap((text) => this.#linesOf(text, style, width)))
    const height = SIGNATURE_HEIGHT + Math.max(...texts.map(({ length }) => length)) * SIZES.cell * LINE
    this.heading(heading, SIZES.heading * LINE + height)
    const line = this.#y + SIGNATURE_HEIGHT
    for (const [index, { strokes, typed }] of boxes.entries()) {
      const x = MARGIN + index * (width + SIGNATURE_GAP)
      if (strokes) this.#strokes(strokes, { x, y: this.#y, width, height: SIGNATURE_HEIGHT - 4 })
      else {
        const written = { size: SIZES.text }
        const [shown = ''] = this.#linesOf(typed, written, width)
        this.#draw(shown, x, line - SIZES.text * LINE)
      }
      this.#doc
        .moveTo(x, line)
        .lineTo(x + width, line)
        .lineWidth(0.5)
        .stroke(INK)
      this.#set({ ...style, color: GREY })
      for (const [at, text] of (texts[index] ?? []).entries())
        this.#draw(text, x, line + 2 + at * SIZES.cell * LINE)
    }
    this.#y += height + SIZES.text
  }

  /** Draws a table. Its headings are repeated on every page, and no row is split. */
  table(columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
    const headings = columns.map(({ heading }) => ({ text: heading, isStrong: true }) as const)
    const first = this.#measured(columns, headings)
    this.#row(columns, first)
    for (const row of rows)
      this.#unbrokenRow(columns, this.#measured(columns, row), () => this.#row(columns, first))
  }

  /** Draws a row, on the next page and below its headings if there is no room for it here. */
  #unbrokenRow(columns: readonly Width[], lines: readonly MeasuredCell[], headings?: () => void): void {
    if (this.#y + heightOf(lines) > this.#bottom) {
      this.#addPage()
      headings?.()
    }
    this.#row(columns, lines)
  }

  /** Draws handwriting as large as the box allows, in its own proportions. */
  #strokes(strokes: Strokes, box: Box): void {
    const points = strokes.flat()
    if (points.length === 0) return
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const [x, y] of points) {
      left = Math.min(left, x)
      top = Math.min(top, y)
      right = Math.max(right, x)
      bottom = Math.max(bottom, y)
    }
    const scale = Math.min(box.width / Math.max(right - left, 1), box.height / Math.max(bottom - top, 1))
    const xOf = (x: number) => box.x + (x - left) * scale
    const yOf = (y: number) => box.y + (y - top) * scale
    for (const [first, ...others] of strokes) {
      if (!first) continue
      this.#doc.moveTo(xOf(first[0]), yOf(first[1]))
      for (const [x, y] of others.length > 0 ? others : [first]) this.#doc.lineTo(xOf(x), yOf(y))
      this.#doc.lineWidth(1).lineCap('round').lineJoin('round').stroke(INK)
    }
  }

  /** Completes the document. Its last bytes are written later in the same turn of the event loop or the next. */
  async close(): Promise<void> {
    this.#end()
    const ended = new Promise((resolve) => this.#doc.once('end', resolve))
    this.#doc.end()
    await ended
  }

  get #bottom(): number {
    return this.#doc.page.height - MARGIN - FOOT_HEIGHT
  }

  #addPage(): void {
    this.#doc.addPage()
    this.#y = MARGIN
  }

  /** Writes the feet, which need the number of pages, and lets go of the pages. */
  #end(): void {
    const section = this.#section
    if (!section) return
    const { start, count } = this.#doc.bufferedPageRange()
    for (let page = 0; page < count; page += 1) {
      this.#doc.switchToPage(start + page)
      const y = this.#doc.page.height - MARGIN - SIZES.foot * LINE
      const style = { size: SIZES.foot, color: GREY }
      const number = this.#known(section.page(page + 1, count), style)
      const width = this.#widthOf(number)
      this.#draw(number, this.#doc.page.width - MARGIN - width, y)
      const texts = section.foot.split('\n')
      for (const [at, text] of texts.entries()) {
        const [foot = ''] = this.#linesOf(text, style, this.width - width - MARGIN)
        this.#draw(foot, MARGIN, y - (texts.length - 1 - at) * SIZES.foot * LINE)
      }
    }
    this.#doc.flushPages()
    this.#section = undefined
  }

  #paragraph(text: string, style: Style): void {
    for (const line of this.#linesOf(text, style, this.width)) {
      if (this.#y + style.size * LINE > this.#bottom) this.#addPage()
      this.#set(style)
      this.#draw(line, MARGIN, this.#y)
      this.#y += style.size * LINE
    }
  }

  #measured(columns: readonly Width[], cells: readonly Cell[]): readonly MeasuredCell[] {
    return columns.map(({ width }, index) => {
      const cell = cells[index] ?? ''
      const style = { size: SIZES.cell, font: typeof cell === 'string' ? 'normal' : 'strong' } as const
      const text = typeof cell === 'string' ? cell : cell.text
      return { style, lines: this.#linesOf(text, style, width - 2 * CELL_PADDING) }
    })
  }

  #row(columns: readonly Width[], cells: readonly MeasuredCell[]): void {
    let x = MARGIN
    for (const [index, { width, align }] of columns.entries()) {
      const { style, lines } = cells[index] ?? NO_CELL
      this.#set(style)
      for (const [at, line] of lines.entries()) {
        const rest = align === 'right' ? width - 2 * CELL_PADDING - this.#widthOf(line) : 0
        this.#draw(line, x + CELL_PADDING + rest, this.#y + CELL_PADDING + at * SIZES.cell * LINE)
      }
      x += width
    }
    this.#y += heightOf(cells)
    this.#doc.moveTo(MARGIN, this.#y).lineTo(x, this.#y).lineWidth(0.5).stroke(RULE)
  }

  /** Breaks a printable text at ends of lines and spaces, and within words that are too long. */
  #linesOf(text: string, style: Style, width: number): readonly string[] {
    return text.split('\n').flatMap((paragraph) => {
      const lines: string[] = []
      let line = ''
      for (const word of this.#known(paragraph, style).split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`
        if (this.#widthOf(longer) <= width) {
          line = longer
          continue
        }
        if (line !== '') lines.push(line)
        line = word
        while (this.#widthOf(line) > width && line.length > 1) {
          const fitting = this.#fittingLength(line, width)
          lines.push(line.slice(0, fitting))
          line = line.slice(fitting)
        }
      }
      return [...lines, line]
    })
  }

  #fittingLength(word: string, width: number): number {
    let length = 1
    while (length < word.length && this.#widthOf(word.slice(0, length + 1)) <= width) length += 1
    return length
  }

  #set({ size, font = 'normal', color = INK }: Style): void {
    this.#doc.font(font).fontSize(size).fillColor(color)
  }

  /** Sets the style and returns the text as its font can print it. */
  #known(text: string, style: Style): string {
    this.#set(style)
    const { font } = (this.#doc as unknown as { readonly _font: OpenFont })._font
    return printable(text, (codePoint) => font.hasGlyphForCodePoint(codePoint))
  }

  #widthOf(line: string): number {
    return wordsFromLeft(line).reduce((sum, word) => sum + this.#doc.widthOfString(word), 0)
  }

  #draw(line: string, left: number, y: number): void {
    let x = left
    for (const word of wordsFromLeft(line)) {
      this.#doc.text(word, x, y, { lineBreak: false })
      x += this.#doc.widthOfString(word)
    }
  }
}

type Width = Pick<Column, 'width' | 'align'>
type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
type MeasuredCell = { readonly style: Style; readonly lines: readonly string[] }
const NO_CELL: MeasuredCell = { style: { size: SIZES.cell }, lines: [] }

function heightOf(cells: readonly MeasuredCell[]): number {
  const lines = Math.max(1, ...cells.map((cell) => cell.lines.length))
  return lines * SIZES.cell * LINE + 2 * CELL_PADDING
}
