import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { FileFault } from './format.ts'

const NEWLINE = 0x0a

/** The maximum length, above that of any row: otherwise another kind of file could fill the memory. */
const LONGEST_LINE_BYTES = 4 * 1024 * 1024

/** A line with its newline, and its number from 1. */
export type FileLine = { readonly bytes: Buffer; readonly number: number }

/** Yields the lines of a compressed file. Throws a `FileFault` if it is truncated or not compressed. */
export async function* linesIn(path: string): AsyncGenerator<FileLine> {
  let number = 1
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of uncompressed(path)) {
      rest = Buffer.concat([rest, chunk])
      let start = 0
      for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE, start)) {
        yield { bytes: rest.subarray(start, end + 1), number }
        start = end + 1
        number += 1
      }
      rest = rest.subarray(start)
      if (rest.length > LONGEST_LINE_BYTES) throw new FileFault(number, 'the line is too long.')
    }
  } catch (error) {
    throw isZlib(error) ? new FileFault(number, `the file is torn or no .gz: ${error.message}.`) : error
  }
  if (rest.length > 0) throw new FileFault(number, 'the file ends within the line: it is torn.')
}

/** Decompresses a file. Passes errors on to the reader, and closes all streams if the reader stops early. */
async function* uncompressed(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  const ended = pipeline(createReadStream(path), gunzip)
  ended.catch(() => undefined)
  yield* gunzip as AsyncIterable<Buffer>
  await ended
}

function isZlib(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^Z_|^ERR_ZLIB/.test(String(error.code))
}
