import { Worker } from 'node:worker_threads'
import type { Download } from './download.ts'
import type { DownloaderSettings, DownloadMessage, DownloadOrder, DownloadResult } from './download-thread.ts'

const IDLE_MS = 30_000

const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

/** Downloads calendars in a thread: servers that send tiny parts, long headers or many redirects do not occupy the event loop. */
export class CalendarDownloader {
  readonly #settings: DownloaderSettings
  readonly #waiting = new Map<number, PromiseWithResolvers<Download>>()
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0

  constructor(settings: DownloaderSettings) {
    this.#settings = settings
  }

  /** Returns the calendar, or why there is none. Rejects if the signal aborts, or if the thread ends. */
  async get(order: DownloadOrder, signal: AbortSignal): Promise<Download> {
    signal.throwIfAborted()
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    const thread = this.#thread
    this.#last += 1
    const id = this.#last
    const waiting = Promise.withResolvers<Download>()
    this.#waiting.set(id, waiting)
    const send = (message: DownloadMessage) => thread.postMessage(message)
    const abort = () => {
      send({ id, order: undefined })
      waiting.reject(signal.reason)
    }
    signal.addEventListener('abort', abort)
    send({ id, order })
    try {
      return await waiting.promise
    } finally {
      signal.removeEventListener('abort', abort)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref()
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#thread?.terminate()
  }

  #start(): Worker {
    const thread = new Worker(new URL('download-thread.ts', import.meta.url), {
      workerData: this.#settings,
      resourceLimits: MEMORY,
    })
    const end = (error: Error) => {
      if (this.#thread !== thread) return
      this.#thread = undefined
      for (const { reject } of this.#waiting.values()) reject(error)
    }
    thread.on('message', ({ id, got }: DownloadResult) => this.#waiting.get(id)?.resolve(got))
    thread.on('error', end)
    thread.on('exit', () => end(new Error('the thread that downloads calendars has ended')))
    thread.unref()
    return thread
  }
}
