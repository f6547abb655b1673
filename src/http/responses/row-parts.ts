import type { JsonList } from '../../db/json-list.ts'

const FIRST_ROWS = 100
const FEWEST_ROWS = 20
const MOST_ROWS = 1000

/** Characters read at a time: the memory held for a reader that reads nothing. */
const PART_LENGTH = 256 * 1024

type Read = <T>(part: () => Promise<T>) => Promise<T>

/** Reads the rows of an outline's pages in parts of similar length, without empty ones. */
export async function* rowParts(
  list: Pick<JsonList, 'rows'>,
  pages: readonly string[],
  read: Read,
): AsyncGenerator<string> {
  let count = FIRST_ROWS
  for (const page of pages) {
    const ids = page.slice(1, -1).split(',')
    for (let from = 0; from < ids.length; ) {
      const some = ids.slice(from, from + count)
      const rows = await read(() => list.rows(`{${some.join()}}`))
      from += some.length
      const lengthOfOne = Math.max(1, rows.length / some.length)
      count = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.floor(PART_LENGTH / lengthOfOne)))
      if (rows !== '') yield rows
    }
  }
}
