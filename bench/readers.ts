import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { checkoutIn, HERE } from './checkout.ts'
import { foundSchool, PASSWORD } from './idle-school.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'

/**
 * Measures the service's memory while connections request long responses and read a byte every few seconds. No pass or fail.
 * Options: --connections N --seconds N --only TEXT (rows that contain it) --folder FOLDER (another checkout)
 */
const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    folder: { type: 'string', default: HERE },
  },
})

const STUDENTS = 5200
/** Hashes per note, of 32 characters each: compressed, the list still exceeds the buffers of the kernel. */
const HASHES = 160
const SCHOOLS = 4
const ENV = { JWT_SECRET: 'the secret of the bench has more than 256 bits' }

/** The first request, the requests pipelined behind it, and the bytes sent every five seconds. */
type Attack = {
  readonly head: string
  readonly count?: number
  readonly after?: string
  readonly next?: string
}

const NEXT_HEAD = 'GET / HTTP/1.1\r\nX-A: a'

const ATTACKS: Readonly<Record<string, Attack>> = {
  'long list, trickled': { head: 'GET /api/v1/students', after: NEXT_HEAD, next: 'a' },
  'long list by brotli, trickled': {
    head: 'GET /api/v1/students HTTP/1.1\r\nAccept-Encoding: br',
    after: NEXT_HEAD,
    next: 'a',
  },
  'long list by gzip, trickled': {
    head: 'GET /api/v1/students HTTP/1.1\r\nAccept-Encoding: gzip',
    after: NEXT_HEAD,
    next: 'a',
  },
  'long list, four at once': { head: 'GET /api/v1/students', count: 4 },
  'page of 1,000': { head: 'GET /api/v1/students?limit=1000' },
  'short answers, 600 at once': { head: 'GET /healthz', count: 600 },
  'description of the API': { head: 'GET /docs/openapi.json', after: NEXT_HEAD, next: 'a' },
}

const undo: Undo = []
try {
  const checkout = checkoutIn(options.folder)
  const url = await startEmptyPostgres(undo)
  const database = await anotherDatabase(undo, url, `fahrplan_readers_${process.pid}`)
  const env = { ...ENV, DATABASE_URL: database }
  const emails = Array.from({ length: SCHOOLS + 1 }, (_, index) =>
    foundSchool(checkout, env, `School ${index}`),
  )
  await fill(database)
  console.log('| what is not taken | idle MB | most MB | after MB | open after | bystander refused |')
  console.log('|---|---:|---:|---:|---:|---:|')
  for (const [name, attack] of Object.entries(ATTACKS).filter(([name]) => name.includes(options.only))) {
    const server = await checkout.serve({ ...env, PORT: '0' })
    try {
      const heads = await Promise.all(emails.map((email) => headFor(server.port, email)))
      console.log(`| ${name} | ${(await measured(server, heads, attack)).join(' | ')} |`)
    } finally {
      await server.stop()
    }
  }
} finally {
  for (const one of undo.reverse()) await one()
}

type Process = { readonly port: number; readonly pid: number }
async function measured(
  { port, pid }: Process,
  heads: readonly string[],
  attack: Attack,
): Promise<readonly number[]> {
  const [bystander = '', ...noisy] = heads
  for (let count = 0; count < 20; count += 1) await statusOf(port, bystander)
  const idle = megabytesOf(pid)
  process.stderr.write(`idle: ${idle} MB\n`)
  const sockets = Array.from({ length: Number(options.connections) }, (_, index) => {
    const own = noisy[index % noisy.length] ?? ''
    const head = attack.head.includes('HTTP/') ? attack.head : `${attack.head} HTTP/1.1`
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    socket.write(`${head}\r\n${own}\r\n`.repeat(attack.count ?? 1) + (attack.after ?? ''))
    return socket
  })
  let [most, refused] = [idle, 0]
  for (let second = 0; second < Number(options.seconds); second += 1) {
    await pause(1000)
    most = Math.max(most, megabytesOf(pid))
    process.stderr.write(`${second} s: ${megabytesOf(pid)} MB\n`)
    if ((await statusOf(port, bystander)) !== 200) refused += 1
    if (second % 5 === 4) for (const socket of sockets) if (socket.writable) socket.write(attack.next ?? '')
  }
  const open = sockets.filter((socket) => !socket.destroyed).length
  for (const socket of sockets) socket.destroy()
  await pause(3000)
  return [idle, most, megabytesOf(pid), open, refused]
}

async function statusOf(port: number, head: string): Promise<number> {
  const headers = { authorization: head.split('Authorization: ')[1]?.trim() ?? '' }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/bootstrap`, { headers }).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status ?? 0
}

async function headFor(port: number, email: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const { token } = (await answer.json()) as { token: string }
  return `Host: x\r\nAuthorization: Bearer ${token}\r\n`
}

/** Gives every school but the first a list of 26 MB. */
async function fill(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(`with calendar as (
      insert into calendars (tenant_id, id, kind)
      select tenant.id, gen_random_uuid(), 'student' from tenants tenant, generate_series(1, ${STUDENTS})
      where tenant.name <> 'School 0' returning tenant_id, id)
    insert into students (tenant_id, id, first_name, last_name, notes)
    select tenant_id, id, 'x', 'x', (select string_agg(md5(id::text || n), '') from generate_series(1, ${HASHES}) n)
    from calendar`)
  await client.end()
}

function megabytesOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}
