import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import pg from 'pg'

export type Server = {
  readonly port: number
  readonly pid: number
  /** Milliseconds from the start of the process until it listened. */
  readonly startMs: number
  readonly stop: () => Promise<void>
}

export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder = process.cwd(),
): Promise<Server> {
  const begun = performance.now()
  const child = spawn(process.execPath, [...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await portOf(child)
  child.stdout?.resume()
  return {
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - begun,
    stop: () =>
      new Promise((stopped) => {
        child.once('exit', () => stopped())
        child.kill('SIGTERM')
      }),
  }
}

async function portOf(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /(?:Ready: |listening at http:\/\/127\.0\.0\.1:)(\d+)/.exec(line)?.[1]
    if (port) return Number(port)
  }
  throw new Error('the server stopped before it listened')
}

/** Returns the process id of the PostgreSQL at a URL, the parent of the connection's; undefined if it is not local. */
export async function postgresPid(url: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const isHere = read(`/proc/${rows[0].pid}/stat`).includes('postgres')
  const parent = Number(fieldsOf(rows[0].pid)[1])
  await client.end()
  return isHere ? parent : undefined
}

/** Returns the processor seconds of a process and its children (Linux; elsewhere 0). */
export function cpuSeconds(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + ownCpuSeconds(one), 0)
}

const TICKS_PER_SECOND = 100

function ownCpuSeconds(pid: number): number {
  const fields = fieldsOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
}

function fieldsOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => fieldsOf(Number(name))[1] === String(pid))
    .map(Number)
}

/** Returns resident memory in megabytes (Linux; elsewhere 0). */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
