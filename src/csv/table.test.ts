import { expect, it } from 'vitest'
import { readTable } from './table.ts'

it.each(['\n', '\r\n', '\r'])(
  'the lines of a table separated by %j are numbered as in the file',
  async (end) => {
    const file = ['Name;Notes', 'Vogt;"one', 'two', 'three"', 'Kaya;"one', '', 'three"', '', 'Busch;']
    const reading = { country: 'DE', known: () => 1, mostLines: 9, rest: async () => {} }
    const { lines } = await readTable(Buffer.from(file.join(end)), reading)
    expect(lines).toEqual([
      { number: 2, cells: ['Vogt', 'one\ntwo\nthree'] },
      { number: 5, cells: ['Kaya', 'one\n\nthree'] },
      { number: 9, cells: ['Busch', ''] },
    ])
  },
)
