import { Readable } from 'node:stream'

/** The bytes written to a connection at once, by which its reader's progress is seen. */
export const SLICE_BYTES = 64 * 1024

/** Returns bytes as a stream of slices. */
export function inSlices(bytes: Buffer): Readable {
  return Readable.from(slicesOf(bytes))
}

/** Returns texts as a stream of slices. Each text is made after those before it have been read. */
export function textsInSlices(texts: AsyncIterable<string>): Readable {
  return Readable.from(slicesOfTexts(texts))
}

async function* slicesOfTexts(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield* slicesOf(Buffer.from(text))
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield bytes.subarray(from, from + SLICE_BYTES)
}
