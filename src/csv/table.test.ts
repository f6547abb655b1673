import { expect, it } from 'vitest'
import { STUDENT_FILE_COLUMNS } from './student-columns.ts'
import { readTable, type TableChoices } from './table.ts'

function read(text: string, more: TableChoices = {}) {
  const known = (headings: readonly string[]) =>
    STUDENT_FILE_COLUMNS.columnsOf(headings).filter((column) => column !== undefined).length
  return readTable(Buffer.from(text), { country: 'DE', known, mostLines: 9, pause: async () => {}, ...more })
}

it.each(['\n', '\r\n', '\r'])(
  'the lines of a table separated by %j are numbered as in the file',
  async (end) => {
    const file = ['Name;Notes', 'Vogt;"one', 'two', 'three"', 'Kaya;"one', '', 'three"', '', 'Busch;']
    const { lines } = await read(file.join(end))
    expect(lines).toEqual([
      { number: 2, cells: ['Vogt', 'one\ntwo\nthree'] },
      { number: 5, cells: ['Kaya', 'one\n\nthree'] },
      { number: 9, cells: ['Busch', ''] },
    ])
  },
)

it('lines of one file may end differently', async () => {
  const { lines } = await read('Name;Notes\r\nVogt;a\nKaya;b\rBusch;c\r\n')
  expect(lines.map(({ number, cells: [name] }) => [number, name])).toEqual([
    [2, 'Vogt'],
    [3, 'Kaya'],
    [4, 'Busch'],
  ])
})

it.each(['😀', '\r\n', '"\r\n"', 'ü', ';'])('a long table is read alike wherever %j is cut', async (text) => {
  const cell = `${'x'.repeat(4093)}${text === ';' ? '' : text.replaceAll('"', '')}`
  for (let before = 0; before < 4; before += 1) {
    const cells = [`${'y'.repeat(before)}${cell}`, cell, cell, cell]
    const line = cells.map((one) => `"${one}"`).join(';')
    const { lines } = await read(`Name;a;b;c\n${line}\n`)
    expect(lines[0]?.cells).toEqual(cells.map((one) => one.replaceAll('\r\n', '\n')))
  }
})

it.each([
  ['a pipe', 'Vorname|Name\nMax|Vogt', '|', 1],
  ['a pipe in the line before', 'sep=|\nVorname|Name\nMax|Vogt', '|', 2],
  ['a title above', 'Schülerliste 2026\nVorname;Name\nMax;Vogt', ';', 2],
  ['a title and an empty line above', 'Liste;;\n\nVorname;Name;Ort\nMax;Vogt;Berlin', ';', 3],
  ['a title with commas above', 'Liste, Stand 1.2.2026, alle\nVorname;Name\nMax;Vogt', ';', 2],
  ['a title above unknown headings', 'Liste\nA;B\nMax;Vogt', ';', 2],
  ['unknown headings', 'A;B\nMax;Vogt', ';', 1],
  ['one column', 'Name\nVogt, Max', ';', 1],
  ['one unknown column', 'A\nMax', ';', 1],
])('with %s the headings are found', async (_, text, delimiter, line) => {
  const table = await read(text)
  expect([table.delimiter, table.headingLine]).toEqual([delimiter, line])
  expect(table.lines).toHaveLength(1)
})

it('has no headings, or those of another line, if a person says so', async () => {
  const text = 'Name;Vorname\nVogt;Max\nKaya;Emma;x'
  expect(await read(text, { headingLine: 0 })).toMatchObject({
    headings: ['', '', ''],
    lines: [{ number: 1, cells: ['Name', 'Vorname'] }, { number: 2 }, { number: 3 }],
  })
  expect(await read(text, { headingLine: 2 })).toMatchObject({
    headings: ['Vogt', 'Max'],
    lines: [{ number: 3 }],
  })
  await expect(read(text, { headingLine: 7 })).rejects.toMatchObject({ code: 'no_headings', line: 7 })
})

it('a bad quotation mark is a fault of its line, and the other lines are read', async () => {
  const { lines } = await read('Vorname;Name\nMax;"Vogt\nEmma;Kaya\nIda;"B" x\nOle;5" Fink\n')
  expect(lines.map(({ number, cells, fault }) => [number, cells, fault?.code])).toEqual([
    [2, ['Max;"Vogt'], 'bad_quote'],
    [3, ['Emma', 'Kaya'], undefined],
    [4, ['Ida;"B" x'], 'bad_quote'],
    [5, ['Ole', '5" Fink'], undefined],
  ])
})

it.each([
  ['\n'.repeat(2 << 20)],
  ['""'.repeat(1 << 20)],
  [' '.repeat(2 << 20)],
  [`Vorname;Name\n${'"'.repeat(2 << 20)}`],
  [`Vorname;Name\n${'"a\n'.repeat(5000)}`],
  ['ü'.repeat(1 << 20)],
])('a file of 2 MiB is split in steps of at most 64 KiB', async (text) => {
  let steps = 0
  const known = () => 1
  const pause = async () => {
    steps += 1
  }
  await readTable(Buffer.from(text), { country: 'DE', known, mostLines: 9000, pause }).catch(() => {})
  expect(steps).toBeGreaterThanOrEqual(text.length / 65_536)
})
