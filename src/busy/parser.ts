import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { ParseOrder, ParseResult } from './parse-thread.ts'

/** A calendar of 5 MB takes a second of processor time and 200 MB; one that takes more is made to harm. */
const PROCESSOR_MS = 5_000
const MEASURE_MS = 500
/** The end of a thread that does not get the processor. */
const PARSE_MS = 60_000
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

const IDLE_MS = 30_000

/** Parses calendars one at a time in a thread, which ends with a calendar that takes too long or too much memory. */
export class CalendarParser {
  readonly #inTurn = pLimit(1)
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  get waiting(): number {
    return this.#inTurn.pendingCount
  }

  /** Returns the busy times of a calendar, or why it has none. Rejects if the signal aborts. */
  parse(order: ParseOrder, signal: AbortSignal): Promise<ParseResult> {
    return this.#inTurn(() => this.#parseNow(order, signal))
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }

  async #parseNow(order: ParseOrder, signal: AbortSignal): Promise<ParseResult> {
    signal.throwIfAborted()
    clearTimeout(this.#idle)
    const used = this.#thread ? await processorTimeOf(this.#thread) : 0
    this.#thread ??= new Worker(new URL('parse-thread.ts', import.meta.url), { resourceLimits: MEMORY })
    const thread = this.#thread
    thread.ref()
    const excess = new AbortController()
    const measuring = setInterval(async () => {
      if ((await processorTimeOf(thread)) - used > PROCESSOR_MS) excess.abort()
    }, MEASURE_MS)
    const end = AbortSignal.any([signal, excess.signal, AbortSignal.timeout(PARSE_MS)])
    const result = await resultOf(thread, order, end).finally(() => clearInterval(measuring))
    if (result) {
      thread.unref()
      this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref()
      return result
    }
    await this.stop()
    signal.throwIfAborted()
    return { failure: 'too_complex' }
  }
}

async function processorTimeOf(thread: Worker): Promise<number> {
  const usage = await thread.cpuUsage().catch(() => undefined)
  return usage ? (usage.user + usage.system) / 1000 : 0
}

/** Returns undefined if the thread runs out of time or memory. Rejects if it fails otherwise. */
async function resultOf(
  thread: Worker,
  order: ParseOrder,
  end: AbortSignal,
): Promise<ParseResult | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<ParseResult | undefined>()
  const stop = () => resolve(undefined)
  const fail = (error: Error & { readonly code?: string }) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(undefined) : reject(error)
  thread.once('message', resolve)
  thread.once('error', fail)
  thread.once('exit', stop)
  end.addEventListener('abort', stop)
  thread.postMessage(order, order.bytes.buffer instanceof ArrayBuffer ? [order.bytes.buffer] : [])
  try {
    return await promise
  } finally {
    thread.off('message', resolve)
    thread.off('error', fail)
    thread.off('exit', stop)
    end.removeEventListener('abort', stop)
  }
}
