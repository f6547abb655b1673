import { type Load, load } from './http-load.ts'
import type { Operation } from './operations.ts'
import { cpuSeconds } from './process.ts'
import type { Measured, Summary } from './report.ts'
import type { Stack } from './stack.ts'

/** How long to measure: so many rounds of so many seconds, after one to warm up. */
export type Plan = { readonly connections: number; readonly seconds: number; readonly rounds: number }

type Round = { readonly load: Load; readonly cpuMs: number; readonly databaseCpuMs: number }

/** Measures service and floor in turn, in the same run, so that a noisy machine is as noisy for both. */
export async function measure(stack: Stack, operation: Operation, plan: Plan): Promise<Measured> {
  const rounds: { service: Round; floor: Round }[] = []
  for (let count = -1; count < plan.rounds; count += 1) {
    const service = await round(stack, 'service', operation, plan)
    const floor = await round(stack, 'floor', operation, plan)
    if (count >= 0) rounds.push({ service, floor })
    requireStatus(operation, service.load)
  }
  return {
    name: operation.name,
    connections: plan.connections,
    target: operation.targetFor({ kind: stack.kind, connections: plan.connections }),
    ratio: median(rounds.map((one) => one.service.load.perSecond / one.floor.load.perSecond)),
    service: summary(rounds.map((one) => one.service)),
    floor: summary(rounds.map((one) => one.floor)),
  }
}

async function round(
  stack: Stack,
  which: 'service' | 'floor',
  operation: Operation,
  { connections, seconds }: Plan,
): Promise<Round> {
  const { pid, port } = stack[which]
  const before = [cpuSeconds(pid), cpuSeconds(stack.databasePid)] as const
  const result = await load({ port, connections, seconds, next: operation[which] })
  const perRequest = (cpu: number) => (cpu * 1000) / result.count
  return {
    load: result,
    cpuMs: perRequest(cpuSeconds(pid) - before[0]),
    databaseCpuMs: perRequest(cpuSeconds(stack.databasePid) - before[1]),
  }
}

function requireStatus(operation: Operation, { answers }: Load): void {
  const others = Object.keys(answers).filter((status) => Number(status) !== operation.status)
  if (others.length > 0) throw new Error(`${operation.name} was answered ${JSON.stringify(answers)}`)
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
