import { Readable } from 'node:stream'

/** The bytes written to a connection at once, the unit in which a client's progress shows. */
export const SLICE_BYTES = 64 * 1024

const NO_BYTES = Buffer.alloc(0)

/** Returns bytes as a stream of slices. */
export function inSlices(bytes: Buffer): Readable {
  return new Slices(bytes, NO_MORE)
}

/** Returns parts as a stream of slices. Each part is generated after the earlier ones have been read. */
export function partsInSlices(first: Part, parts: AsyncIterator<Part, unknown>): Readable {
  return new Slices(bytesOf(first), parts)
}

export type Part = string | Buffer

const NO_MORE = { next: async () => ({ done: true, value: undefined }) as const }

function bytesOf(part: Part): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : part
}

/** A stream that holds the bytes of one part only, because a generator keeps the values it has yielded. */
class Slices extends Readable {
  readonly #parts: AsyncIterator<Part, unknown>
  #bytes: Buffer

  constructor(first: Buffer, parts: AsyncIterator<Part, unknown>) {
    super({ highWaterMark: SLICE_BYTES })
    this.#parts = parts
    this.#bytes = first
  }

  override _read(): void {
    if (this.#bytes.length > 0) this.#pushSlice()
    else this.#readPart().catch((error: Error) => this.destroy(error))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#bytes = NO_BYTES
    Promise.resolve(this.#parts.return?.()).then(() => done(error), done)
  }

  #pushSlice(): void {
    const slice = this.#bytes.subarray(0, SLICE_BYTES)
    this.#bytes = slice.length === this.#bytes.length ? NO_BYTES : this.#bytes.subarray(SLICE_BYTES)
    this.push(slice)
  }

  async #readPart(): Promise<void> {
    while (this.#bytes.length === 0) {
      const { done, value } = await this.#parts.next()
      if (this.destroyed) return
      if (done) {
        this.push(null)
        return
      }
      this.#bytes = bytesOf(value)
    }
    this.#pushSlice()
  }
}
