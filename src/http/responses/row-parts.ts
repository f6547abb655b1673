import type { JsonList } from '../../db/json-list.ts'

const FIRST_ROWS = 25
const FEWEST_ROWS = 20
const MAX_ROWS = 1000

/** The bytes read at a time, which are held in memory for a stalled client. */
const PART_LENGTH = 128 * 1024

type Read = <T>(part: () => Promise<T>) => Promise<T>

/** Yields the rows of an outline's pages as the inside of a JSON array, in non-empty parts of similar length. */
export async function* rowParts(
  list: Pick<JsonList, 'rows'>,
  pages: readonly string[],
  read: Read,
): AsyncGenerator<Buffer> {
  let count = FIRST_ROWS
  for (const page of pages) {
    const ids = page.slice(1, -1).split(',')
    for (let from = 0; from < ids.length; ) {
      const some = ids.slice(from, from + count)
      const rows = await read(async () => joined(await list.rows(`{${some.join()}}`)))
      from += some.length
      const lengthOfOne = Math.max(1, rows.length / some.length)
      count = Math.min(MAX_ROWS, Math.max(FEWEST_ROWS, Math.floor(PART_LENGTH / lengthOfOne)))
      if (rows.length > 0) yield rows
    }
  }
}

/** Joins rows as bytes, because a string that long would be freed late. */
function joined(rows: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0))
  let length = 0
  for (const row of rows) {
    length += bytes.write(row, length)
    length += bytes.write(',', length)
  }
  return bytes.subarray(0, Math.max(0, length - 1))
}
