import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DELIMITERS } from '../contract/file-import.ts'
import { isEmpty, recordsIn } from './records.ts'

const read = (text: string) => [...recordsIn(text, ';', { at: 0, number: 1 })].filter((one) => !isEmpty(one))

it.each([
  ['a;b', [['a', 'b']]],
  [' a ; "b" ;', [['a', 'b', '']]],
  ['"a;b";"c ""d"""', [['a;b', 'c "d"']]],
  [
    '"a\nb";c\nd;e',
    [
      ['a\nb', 'c'],
      ['d', 'e'],
    ],
  ],
  ['5" Felgen;b', [['5" Felgen', 'b']]],
  [
    'a;""\n;"b"',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a\n\n;;\n  \nb\n', [['a'], ['b']]],
  ['', []],
])('%j is read as %j', (text, cells) => {
  expect(read(text).map((one) => one.cells)).toEqual(cells)
})

it.each([
  ['never closed', 'a;b\nc;"d\ne;f', 1],
  ['closed by the next quoted cell', 'a;b\nc;"d\n"e";f', 1],
  ['followed by text', 'a;b\n"c" d;e\ne;f', 0],
  ['not doubled within a text', 'a;b\nc;"5" Felgen"\n"e";f', 1],
])('a quotation mark that is %s is a fault of its line alone', (_, text, cell) => {
  const [first, faulty, last] = read(text)
  expect([first?.fault, last?.fault]).toEqual([undefined, undefined])
  expect(faulty).toMatchObject({
    number: 2,
    cells: [text.split('\n')[1]],
    fault: { code: 'bad_quote', cell },
  })
  expect(last?.cells).toEqual(['e', 'f'])
})

it('a line of more than 64 KiB is a fault of its line alone', () => {
  const records = read(`a;b\n"${'x'.repeat(70_000)}\nc;d`)
  expect(records.map(({ number, fault }) => [number, fault?.code])).toEqual([
    [1, undefined],
    [2, 'too_long'],
    [3, undefined],
  ])
})

it('reads any table that csv-stringify has written, with the number of each line', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'aü"; ,|\t\n\'') })
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 9 })
  fc.assert(
    fc.property(table, fc.constantFrom(...DELIMITERS), fc.boolean(), (cells, delimiter, quoted) => {
      const text = stringify(cells, { delimiter, quoted })
      const isQuoted = (one: string) => quoted || /["\n;]/.test(one) || one.includes(delimiter)
      const kept = cells.map((line) => line.map((one) => (isQuoted(one) ? one : one.trim())))
      const found = [...recordsIn(text, delimiter, { at: 0, number: 1 })].filter((one) => !isEmpty(one))
      let number = 1
      const expected = kept.flatMap((line) => {
        const at = number
        number += line.join('').split('\n').length
        return line.some((one) => one !== '') ? [{ number: at, cells: line }] : []
      })
      expect(found.map((one) => ({ ...one, cells: one.cells.map((c) => c.trim()) }))).toEqual(
        expected.map((one) => ({ ...one, cells: one.cells.map((c) => c.trim()) })),
      )
    }),
  )
})
