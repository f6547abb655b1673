import { Worker } from 'node:worker_threads'
import type { LadderInput } from '../../domain/ladder-input.ts'
import type { LadderStep } from '../../domain/ladder-problem.ts'
import type { PlanInput } from '../../domain/plan-input.ts'
import type { PlanResult } from '../../domain/plan-result.ts'

export type PlanOrder = {
  readonly input: PlanInput
  readonly seed: number
  readonly effort: number
}

/** An order of the steps by which lessons of an absence can be saved. */
export type LadderOrder = {
  readonly ladder: LadderInput
  readonly may_move: number
}

/** An order as the thread gets it. The schools take turns. */
export type ThreadOrder = { readonly id: number; readonly school: string } & (PlanOrder | LadderOrder)

export type ThreadResult = PlanResult | readonly LadderStep[]

export type ThreadReply = { readonly id: number } & (
  | { readonly result: ThreadResult }
  | { readonly failure: string }
)

/** The time in milliseconds for which an idle thread stays. */
const IDLE_MS = 30_000

type Waiting = {
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined
let last = 0

/** Searches for a plan in a thread, beside the searches of other schools, so that requests go on. */
export function planInThread(school: string, order: PlanOrder): Promise<PlanResult> {
  return searched(school, order)
}

/** Searches for the steps of a ladder in the same thread. */
export function ladderInThread(school: string, order: LadderOrder): Promise<readonly LadderStep[]> {
  return searched(school, order)
}

function searched<Result extends ThreadResult>(
  school: string,
  order: PlanOrder | LadderOrder,
): Promise<Result> {
  clearTimeout(idle)
  worker ??= started()
  worker.ref()
  last += 1
  const id = last
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker?.postMessage({ id, school, ...order } satisfies ThreadOrder)
  })
}

function started(): Worker {
  const thread = new Worker(new URL('planner-thread.ts', import.meta.url))
  thread.on('message', (reply: ThreadReply) => {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('result' in reply) one?.resolve(reply.result as never)
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
