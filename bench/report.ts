import type { Target } from './operations.ts'
import type { DatabaseKind } from './stack.ts'

/** Medians over the rounds; times in milliseconds, processor time per request. */
export type Summary = {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly bytes: number
  readonly cpuMs: number
  readonly databaseCpuMs: number
}

export type Measured = {
  readonly name: string
  readonly connections: number
  readonly target: Target | undefined
  /** Requests per second of the service, divided by those of the floor: the median of the rounds' ratios. */
  readonly ratio: number
  readonly service: Summary
  readonly floor: Summary
  /** The other checkout; its ratio is the service's requests per second, divided by its own. */
  readonly beside: (Summary & { readonly ratio: number }) | undefined
}

/** The measurements on one database. Resident memory in megabytes: idle, and after each operation. */
export type Report = {
  readonly measured: readonly Measured[]
  readonly memory: { readonly idle: number; readonly loaded: readonly number[] }
  readonly startMs: number
}

/** Ratios to the floor with 16 connections, by database and operation. */
export type Ratios = Readonly<Record<string, Readonly<Record<string, number>>>>

const COLUMNS = [
  'operation',
  'c',
  'ratio',
  'target',
  '/s',
  'floor',
  'p50',
  'floor',
  'p99',
  'cpu',
  'floor',
  'database',
  'floor',
  'bytes',
] as const

/** Returns a table for a terminal. Each `floor` belongs to the column before it; `/ beside` compares two checkouts. */
export function table(kind: DatabaseKind, { measured, memory, startMs }: Report): string {
  const isCompared = measured.some(({ beside }) => beside)
  const rows = measured.map((one) => [
    one.name,
    String(one.connections),
    one.ratio.toFixed(2),
    targetCell(one),
    one.service.perSecond.toFixed(0),
    one.floor.perSecond.toFixed(0),
    one.service.p50.toFixed(2),
    one.floor.p50.toFixed(2),
    one.service.p99.toFixed(2),
    one.service.cpuMs.toFixed(3),
    one.floor.cpuMs.toFixed(3),
    one.service.databaseCpuMs.toFixed(3),
    one.floor.databaseCpuMs.toFixed(3),
    String(one.service.bytes),
    ...(isCompared ? [one.beside?.ratio.toFixed(2) ?? '–'] : []),
  ])
  const heads = [...COLUMNS, ...(isCompared ? ['/ beside'] : [])]
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const pad = (cell: string, at: number) =>
    at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
  const lines = [heads, ...rows].map((row) => row.map(pad).join('  '))
  const footer = `Listening after ${startMs.toFixed(0)} ms; resident ${memory.idle.toFixed(0)} MB idle, ${memory.loaded.map((one) => one.toFixed(0)).join(', ')} MB after the operations.`
  return [`On ${kind} (milliseconds)`, ...lines, footer].join('\n')
}

function targetCell({ target, ratio, service }: Measured): string {
  if (target === undefined) return ''
  const [wanted, reached] =
    'ratio' in target
      ? [String(target.ratio), ratio >= target.ratio]
      : [`${target.perSecond}/s`, service.perSecond >= target.perSecond]
  return `${wanted} ${reached ? 'ok' : '!!'}`
}

export function ratiosOf(reports: Partial<Record<DatabaseKind, Report>>): Ratios {
  return Object.fromEntries(
    Object.entries(reports).map(([kind, { measured }]) => [
      kind,
      Object.fromEntries(
        measured
          .filter(({ connections }) => connections === 16)
          .map(({ name, ratio }) => [name, Math.round(ratio * 100) / 100]),
      ),
    ]),
  )
}

/** The share of a stored ratio below which noise is no explanation, if more rounds give the same result. */
const TOLERATED = 0.8

export type Fallen = {
  readonly kind: string
  readonly name: string
  readonly ratio: number
  readonly least: number
}

export function fallenOf(now: Ratios, kept: Ratios): readonly Fallen[] {
  return Object.entries(now).flatMap(([kind, ratios]) =>
    Object.entries(ratios).flatMap(([name, ratio]) => {
      const least = (kept[kind]?.[name] ?? 0) * TOLERATED
      return ratio < least ? [{ kind, name, ratio, least }] : []
    }),
  )
}
