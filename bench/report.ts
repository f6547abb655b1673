/** Medians over the rounds; times in milliseconds. */
export type Summary = {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly bytes: number
  readonly cpuPerRequestMs: number
  readonly databaseCpuPerRequestMs: number
}

/** An operation, measured with so many connections beside its floor. */
export type Measured = {
  readonly name: string
  readonly connections: number
  readonly target: number | undefined
  /** Requests per second of the service, divided by those of the floor: the median of the rounds' ratios. */
  readonly ratio: number
  readonly service: Summary
  readonly floor: Summary
}

/** The figures as a table for a terminal. */
export function table(
  measured: readonly Measured[],
  { memory, startMs }: { memory: { idle: number; loaded: number }; startMs: number },
): string {
  const head = [
    'operation',
    'c',
    'ratio',
    'target',
    '/s',
    'floor /s',
    'p50',
    'p99',
    'floor p50',
    'cpu ms',
    'floor',
    'db cpu ms',
    'floor',
    'bytes',
  ]
  const rows = measured.map((one) => [
    one.name,
    String(one.connections),
    one.ratio.toFixed(2),
    one.target === undefined ? '' : `${one.target}${one.ratio >= one.target ? ' ok' : ' !!'}`,
    one.service.perSecond.toFixed(0),
    one.floor.perSecond.toFixed(0),
    one.service.p50.toFixed(2),
    one.service.p99.toFixed(2),
    one.floor.p50.toFixed(2),
    one.service.cpuPerRequestMs.toFixed(3),
    one.floor.cpuPerRequestMs.toFixed(3),
    one.service.databaseCpuPerRequestMs.toFixed(3),
    one.floor.databaseCpuPerRequestMs.toFixed(3),
    String(one.service.bytes),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
  const footer = `Listening after ${startMs.toFixed(0)} ms; resident ${memory.idle.toFixed(0)} MB idle, ${memory.loaded.toFixed(0)} MB after the load.`
  return [...lines, '', footer].join('\n')
}
