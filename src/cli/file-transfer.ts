import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandFailure, type FileTransfer } from './command.ts'

const CHUNK_BYTES = 256 * 1024

/** The service's request to the terminal: store these bytes (base64), or send the next ones. */
export type FileRequest = { readonly take: string } | { readonly ask: 'bytes' }

/** Transfers a file chunk by chunk, each confirmed before the next, so that neither side buffers much. */
export function fileTransferOver(ask: (request: FileRequest) => Promise<string | null>): FileTransfer {
  return {
    send: async (path) => {
      const file = await open(path, 'r')
      try {
        for (let bytes = await chunkOf(file); bytes.length > 0; bytes = await chunkOf(file))
          await ask({ take: bytes.toString('base64') })
      } finally {
        await file.close()
      }
    },
    receive: async (path) => {
      const chunks = async function* () {
        for (let bytes = await ask({ ask: 'bytes' }); bytes !== null; bytes = await ask({ ask: 'bytes' })) {
          if (bytes === '')
            throw new CommandFailure('The terminal disconnected before the whole file had arrived.')
          yield Buffer.from(bytes, 'base64')
        }
      }
      await pipeline(Readable.from(chunks(), { highWaterMark: 1 }), createWriteStream(path, { mode: 0o600 }))
    },
  }
}

/** The terminal's end: opens the file at the first request. */
export class TerminalFile {
  readonly #path: string
  #file: FileHandle | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Serves a request. Returns the next bytes as base64, or null after the last. */
  async answer(request: FileRequest): Promise<string | null> {
    if ('take' in request) {
      this.#file ??= await open(this.#path, 'w', 0o600)
      await this.#file.appendFile(Buffer.from(request.take, 'base64'))
      return null
    }
    this.#file ??= await open(this.#path, 'r')
    const bytes = await chunkOf(this.#file)
    return bytes.length > 0 ? bytes.toString('base64') : null
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }
}

async function chunkOf(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(CHUNK_BYTES) })
  return buffer.subarray(0, bytesRead)
}
