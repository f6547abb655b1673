import { type Load, load } from './http-load.ts'
import { median } from './median.ts'
import type { Operation } from './operations.ts'
import { cpuSeconds, type Server } from './process.ts'
import type { Measured, Summary } from './report.ts'
import type { Stack } from './stack.ts'

/** Rounds and the seconds of each, after one longer round to warm up. */
export type Plan = { readonly connections: number; readonly seconds: number; readonly rounds: number }

/**
 * Seconds for the engine to compile the service and the embedded database: the first second's bookings took 8 ms of processor time
 * each, later ones 3 ms (`npm run bench -- --database embedded --only book`, two slow cores).
 */
const WARM_UP_SECONDS = 5

const REPETITIONS_AFTER_PAUSES = 2

type Round = { readonly load: Load; readonly cpuMs: number; readonly databaseCpuMs: number }

type Turn = { readonly service: Round; readonly floor: Round; readonly beside: Round | undefined }

export type Questions = {
  readonly operation: Operation
  readonly floor: Operation
  readonly beside: Operation | undefined
}

export async function measure(
  stack: Stack,
  { operation, floor: bare, beside }: Questions,
  plan: Plan,
): Promise<Measured> {
  const { name, targetFor } = operation
  const turns: Turn[] = []
  const { databasePids } = stack
  const takeTurn = async (seconds: number): Promise<Turn> => {
    const { connections } = plan
    const run = (server: Server, next: Operation['service']) =>
      round({ pid: server.pid, port: server.port, databasePids, next }, { connections, seconds })
    const service = await run(stack.service.server, operation.service)
    const floor = await run(stack.floor.server, bare.floor)
    return {
      service,
      floor,
      beside: stack.beside && beside && (await run(stack.beside.server, beside.service)),
    }
  }
  await takeTurn(WARM_UP_SECONDS)
  let repetitions = REPETITIONS_AFTER_PAUSES
  while (turns.length < plan.rounds) {
    const turn = await takeTurn(plan.seconds)
    const { answers } = turn.service.load
    if (answers[503] !== undefined && repetitions-- > 0) {
      process.stderr.write(
        `${name} is repeated, as after a pause of the machine: ${JSON.stringify(answers)}\n`,
      )
      continue
    }
    requireStatus(operation, turn.service.load)
    turns.push(turn)
  }
  return {
    name,
    connections: plan.connections,
    target: targetFor({ kind: stack.kind, connections: plan.connections }),
    ratio: median(turns.map((one) => one.service.load.perSecond / one.floor.load.perSecond)),
    service: summary(turns.map((one) => one.service)),
    floor: summary(turns.map((one) => one.floor)),
    beside: compared(operation, turns),
  }
}

/** Compares with the other checkout; undefined if it lacks the operation, or responds differently. */
function compared(operation: Operation, turns: readonly Turn[]): Measured['beside'] {
  const rounds = turns.flatMap(({ beside }) => (beside ? [beside] : []))
  if (rounds.length === 0 || rounds.some(({ load }) => othersIn(operation, load).length > 0)) return undefined
  const ratios = turns.map(({ service, beside }) => service.load.perSecond / (beside?.load.perSecond ?? 0))
  return { ratio: median(ratios), ...summary(rounds) }
}

type MeasureOptions = Pick<Server, 'pid' | 'port'> & {
  readonly databasePids: readonly number[]
  readonly next: Operation['service']
}

async function round(
  { pid, port, databasePids, next }: MeasureOptions,
  { connections, seconds }: Omit<Plan, 'rounds'>,
): Promise<Round> {
  const databaseSeconds = () => databasePids.reduce((sum, one) => sum + cpuSeconds(one), 0)
  const before = [cpuSeconds(pid), databaseSeconds()] as const
  const result = await load({ port, connections, seconds, next })
  const perRequest = (cpu: number) => (cpu * 1000) / result.count
  return {
    load: result,
    cpuMs: perRequest(cpuSeconds(pid) - before[0]),
    databaseCpuMs: perRequest(databaseSeconds() - before[1]),
  }
}

function requireStatus(operation: Operation, load: Load): void {
  if (othersIn(operation, load).length > 0)
    throw new Error(`${operation.name} returned ${JSON.stringify(load.answers)}`)
}

function othersIn(operation: Operation, { answers }: Load): readonly string[] {
  return Object.keys(answers).filter((status) => Number(status) !== operation.status)
}

function summary(rounds: readonly Round[]): Summary {
  const middle = (value: (one: Round) => number) => median(rounds.map(value))
  return {
    perSecond: middle((one) => one.load.perSecond),
    p50: middle((one) => one.load.p50),
    p99: middle((one) => one.load.p99),
    bytes: rounds[0]?.load.bytes ?? 0,
    cpuMs: middle((one) => one.cpuMs),
    databaseCpuMs: middle((one) => one.databaseCpuMs),
  }
}
