import { Readable } from 'node:stream'

/** The bytes that are handed to a connection at once: the progress of its reader is seen by them. */
export const SLICE_BYTES = 64 * 1024

/** Returns bytes as a stream that is handed over in slices. */
export function inSlices(bytes: Buffer): Readable {
  return Readable.from(slicesOf(bytes))
}

/** Returns texts as a stream of bytes that is handed over in slices; a text is made when those before it have been taken. */
export function textsInSlices(texts: AsyncIterable<string>): Readable {
  return Readable.from(slicesOfTexts(texts))
}

async function* slicesOfTexts(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield* slicesOf(Buffer.from(text))
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield bytes.subarray(from, from + SLICE_BYTES)
}
