import { Worker } from 'node:worker_threads'
import type { PlanInput } from '../../domain/plan-input.ts'
import type { PlanResult } from '../../domain/plan-result.ts'

export type PlanOrder = {
  readonly id: number
  readonly input: PlanInput
  readonly seed: number
  readonly effort: number
}

export type PlanReply = { readonly id: number } & (
  | { readonly result: PlanResult }
  | { readonly failure: string }
)

/** The time in milliseconds for which an idle thread stays. */
const IDLE_MS = 30_000

type Waiting = {
  readonly resolve: (result: PlanResult) => void
  readonly reject: (error: Error) => void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined
let last = 0

/** Searches for a plan in a thread, beside the plans of other schools, so that requests go on. */
export function planInThread(order: Omit<PlanOrder, 'id'>): Promise<PlanResult> {
  clearTimeout(idle)
  worker ??= started()
  worker.ref()
  last += 1
  const id = last
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker?.postMessage({ id, ...order } satisfies PlanOrder)
  })
}

function started(): Worker {
  const thread = new Worker(new URL('planner-thread.ts', import.meta.url))
  thread.on('message', (reply: PlanReply) => {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('result' in reply) one?.resolve(reply.result)
    else one?.reject(new Error(reply.failure))
    if (waiting.size > 0) return
    thread.unref()
    idle = setTimeout(() => {
      worker = undefined
      void thread.terminate()
    }, IDLE_MS).unref()
  })
  thread.on('error', (error) => failAll(error))
  thread.on('exit', () => {
    if (worker !== thread) return
    worker = undefined
    failAll(new Error('the thread of plans has ended'))
  })
  return thread
}

function failAll(error: unknown): void {
  const all = [...waiting.values()]
  waiting.clear()
  for (const { reject } of all) reject(error instanceof Error ? error : new Error(String(error)))
}
