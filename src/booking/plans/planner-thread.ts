import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { planWeek } from '../../domain/plan.ts'
import { problemOf } from '../../domain/plan-input.ts'
import { type PlanResult, resultOf } from '../../domain/plan-result.ts'
import type { Steps } from '../../domain/steps.ts'
import type { PlanOrder, PlanReply } from './planner.ts'

/** The time in milliseconds after which the next school's plan has its turn. */
const TURN_MS = 20
/** The priority of processes that give way to others, in which Linux includes threads. */
const LOW_PRIORITY = 5

const port = parentPort
if (!port) throw new Error('planner-thread.ts is the entry of a worker')
if (process.platform === 'linux') setPriority(0, LOW_PRIORITY)

type Planning = { readonly id: number; readonly steps: Steps<PlanResult> }

const plannings: Planning[] = []

port.on('message', ({ id, ...order }: PlanOrder) => {
  plannings.push({ id, steps: planned(order) })
  if (plannings.length === 1) setImmediate(turn)
})

function* planned({ input, seed, effort }: Omit<PlanOrder, 'id'>): Steps<PlanResult> {
  const problem = problemOf(input)
  return resultOf(yield* planWeek(problem, { seed, effort }), problem)
}

/** Runs the first plan for a turn, and puts it behind the others. */
function turn(): void {
  const [planning] = plannings
  if (!planning) return
  const reply = replyOf(planning)
  plannings.shift()
  if (reply) port?.postMessage(reply)
  else plannings.push(planning)
  if (plannings.length > 0) setImmediate(turn)
}

function replyOf({ id, steps }: Planning): PlanReply | undefined {
  const end = performance.now() + TURN_MS
  try {
    do {
      const step = steps.next()
      if (step.done) return { id, result: step.value }
    } while (performance.now() < end)
    return undefined
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
