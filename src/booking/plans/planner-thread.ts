import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ladderOf } from '../../domain/ladder.ts'
import { ladderProblemOf } from '../../domain/ladder-input.ts'
import { planWeek } from '../../domain/plan.ts'
import { problemOf } from '../../domain/plan-input.ts'
import { resultOf } from '../../domain/plan-result.ts'
import type { Steps } from '../../domain/steps.ts'
import type { LadderOrder, PlanOrder, ThreadOrder, ThreadReply, ThreadResult } from './planner.ts'

/** The time in milliseconds after which the next school's search has its turn. */
const TURN_MS = 20
/** The priority of processes that give way to others, in which Linux includes threads. */
const LOW_PRIORITY = 5

const port = parentPort
if (!port) throw new Error('planner-thread.ts is the entry of a worker')
if (process.platform === 'linux') setPriority(0, LOW_PRIORITY)

type Search = { readonly id: number; readonly steps: Steps<ThreadResult> }

/** The searches by school, in the order of their turns. The first of a school runs. */
const searches = new Map<string, Search[]>()

port.on('message', ({ id, school, ...order }: ThreadOrder) => {
  const isIdle = searches.size === 0
  searches.set(school, [...(searches.get(school) ?? []), { id, steps: searched(order) }])
  if (isIdle) setImmediate(turn)
})

function* searched(order: PlanOrder | LadderOrder): Steps<ThreadResult> {
  if ('ladder' in order) return yield* ladderOf(ladderProblemOf(order.ladder), order.may_move)
  const problem = problemOf(order.input)
  return resultOf(yield* planWeek(problem, order), problem)
}

/** Runs a search of the first school for a turn, and puts the school behind the others. */
function turn(): void {
  const [first] = searches
  if (!first) return
  const [school, [search, ...more]] = first
  if (!search) return
  const reply = replyOf(search)
  const left = reply ? more : [search, ...more]
  searches.delete(school)
  if (left.length > 0) searches.set(school, left)
  if (reply) port?.postMessage(reply)
  if (searches.size > 0) setImmediate(turn)
}

function replyOf({ id, steps }: Search): ThreadReply | undefined {
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
