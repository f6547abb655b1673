import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Checkout, checkoutIn, HERE } from './checkout.ts'
import type { Dataset } from './dataset.ts'
import {
  fillHeavySchool,
  fillYearSchool,
  type HeavyRequests,
  heavyRequests,
  numbersOfYear,
  planOfWeek,
} from './heavy-school.ts'
import { askOnce, type Load, load, type WireRequest } from './http-load.ts'
import { enrolSchool, foundSchool, PASSWORD } from './idle-school.ts'
import { type LongestTurn, turnMeter } from './longest-turn.ts'
import { median } from './median.ts'
import { noticesBeside } from './notices.ts'
import { operationsOn } from './operations.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'

/**
 * Measures a quiet school's bookings beside a school with 64 connections and beside each of the most expensive requests
 * (`heavy-school.ts`), and accepted bookings while 500 and 2,000 clients retry without waiting; with the longest turn of the
 * event loop by the clock and in processor time, which does not depend on other work of the machine. Then the time of a notice beside
 * a school whose program hangs (`notices.ts`).
 * Options: --only TEXT (rows that contain it) --beside FOLDER (another checkout)
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '500,2000' },
    database: { type: 'string', default: 'postgres,embedded' },
    only: { type: 'string', default: '' },
    beside: { type: 'string' },
  },
})
const SECONDS = Number(options.seconds)
const ROUNDS = Number(options.rounds)
const NOISY = 64
const HEAVY = 4
const HEAVY_ALONE = 10
const CROWDS = options.clients.split(',').filter(Boolean).map(Number)
const STUDENTS = 60
/** The name of the last measurement for `--only`. */
const NOTICES = 'a notice'
const JWT_SECRET = 'the secret of the bench has more than 256 bits'

type Requests = { readonly book: () => WireRequest; readonly bootstrap: () => WireRequest }
type Service = {
  readonly port: number
  readonly longestTurn: () => Promise<LongestTurn>
  readonly quiet: Requests
  readonly noisy: Requests
  readonly heavy: HeavyRequests
}
type Round = Load & { readonly longestTurn: LongestTurn }
type Figure = { readonly name: string; readonly all: readonly Round[] }

const undo: Undo = []
try {
  for (const kind of options.database.split(',')) {
    const checkouts = [checkoutIn(HERE), ...(options.beside ? [checkoutIn(options.beside)] : [])]
    for (const checkout of checkouts) {
      const service = await start(checkout, await databaseOf(kind))
      console.log(`\n${kind}, ${checkout.folder}, ${ROUNDS} rounds of ${SECONDS} s\n`)
      console.log(tableOf(await measured(service)))
      for (const one of undo.splice(0).reverse()) await one()
      if (!NOTICES.includes(options.only)) continue
      const env = { ...(await databaseOf(kind)), JWT_SECRET }
      console.log(`\n${await noticesBeside(checkout, env, { undo, rounds: ROUNDS })}`)
      for (const one of undo.splice(0).reverse()) await one()
    }
  }
} finally {
  for (const one of undo.reverse()) await one()
}

async function databaseOf(kind: string): Promise<Readonly<Record<string, string>>> {
  if (kind === 'postgres') {
    const url = await startEmptyPostgres(undo)
    return { DATABASE_URL: await anotherDatabase(undo, url, `fahrplan_neighbour_${process.pid}`) }
  }
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-neighbour-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  return { DATABASE_URL: '', DATA_DIR: folder }
}

async function start(checkout: Checkout, database: Readonly<Record<string, string>>): Promise<Service> {
  const env = { ...database, JWT_SECRET }
  const emails = ['Quiet', 'Noisy'].map((name) => foundSchool(checkout, env, name))
  const [heavyEmail, yearEmail] = [foundSchool(checkout, env, 'Heavy'), foundSchool(checkout, env, 'Year')]
  const ids = await fillHeavySchool(env, heavyEmail.split('@')[0] ?? '')
  await fillYearSchool(env, yearEmail.split('@')[0] ?? '')
  const meter = await turnMeter()
  const { port, stop } = await checkout.serve({ ...env, PORT: '0', ...meter.env })
  undo.push(stop)
  const requests = emails.map(async (email) => requestsOf(port, email))
  const [quiet, noisy] = [await requests[0], await requests[1]]
  if (!quiet || !noisy) throw new Error('two schools are needed')
  const headersOf = async (email: string) => ({ authorization: `Bearer ${await tokenOf(port, email)}` })
  const heavy = {
    ...(await heavyRequests(port, await headersOf(heavyEmail), ids)),
    ...numbersOfYear(await headersOf(yearEmail)),
    ...(await planOfWeek(port, await headersOf(yearEmail))),
  }
  return { port, longestTurn: meter.read, quiet, noisy, heavy }
}

async function tokenOf(port: number, email: string): Promise<string> {
  const body = JSON.stringify({ email, password: PASSWORD })
  const login = await askOnce(port, { method: 'POST', path: '/api/v1/auth/login', body })
  return JSON.parse(login.body).token
}

async function requestsOf(port: number, email: string): Promise<Requests> {
  await enrolSchool(`http://127.0.0.1:${port}`, email, { students: STUDENTS })
  const token = await tokenOf(port, email)
  const idsIn = async (path: string): Promise<{ id: string; code?: string }[]> => {
    const headers = { authorization: `Bearer ${token}` }
    return JSON.parse((await askOnce(port, { method: 'GET', path: `/api/v1${path}`, headers })).body)
  }
  const data: Dataset = {
    tenantId: '',
    userId: '',
    lessonTypeId: (await idsIn('/lesson-types')).find(({ code }) => code === 'PRACTICE')?.id ?? '',
    instructors: (await idsIn('/instructors')).map(({ id }) => id),
    students: (await idsIn('/students')).map(({ id }) => id),
    appointments: [],
    refreshTokens: [],
  }
  const operations = operationsOn(data, token)
  const request = (wanted: string) => {
    const operation = operations.find(({ name }) => name === wanted)
    if (!operation) throw new Error(`no operation ${wanted}`)
    return operation.service
  }
  return { book: request('book'), bootstrap: request('bootstrap') }
}

async function measured({ port, longestTurn, quiet, noisy, heavy }: Service): Promise<readonly Figure[]> {
  const ask = (connections: number, next: () => WireRequest) =>
    load({ port, connections, seconds: SECONDS, next, status: 201 })
  const beside = async (next: () => WireRequest, connections = NOISY) =>
    (await Promise.all([ask(1, quiet.book), ask(connections, next)]))[0]
  const kinds: Readonly<Record<string, () => Promise<Load>>> = {
    'a quiet school, alone': () => ask(1, quiet.book),
    [`beside ${NOISY} connections that book`]: () => beside(noisy.book),
    [`beside ${NOISY} connections that read the bootstrap`]: () => beside(noisy.bootstrap),
    ...Object.fromEntries(
      CROWDS.map((clients) => [`${clients} clients of one school book`, () => ask(clients, noisy.book)]),
    ),
    ...Object.fromEntries(
      Object.entries(heavy).map(([name, next]) => [
        `beside ${HEAVY} connections that ${name}`,
        () => beside(next, HEAVY),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(heavy).map(([name, next]) => [
        `${HEAVY_ALONE} connections that ${name}, alone`,
        () => load({ port, connections: HEAVY_ALONE, seconds: SECONDS, next }),
      ]),
    ),
  }
  const wanted = Object.entries(kinds).filter(([name], at) => at === 0 || name.includes(options.only))
  const figures = wanted.map(([name, round]) => ({ name, round, all: [] as Round[] }))
  for (let count = -1; count < ROUNDS; count += 1) {
    for (const { round, all } of figures) {
      await longestTurn()
      const one = { ...(await round()), longestTurn: await longestTurn() }
      if (count >= 0) all.push(one)
    }
  }
  return figures
}

function tableOf(figures: readonly Figure[]): string {
  const alone = median(figures[0]?.all.map(({ p99 }) => p99) ?? [])
  const rows = figures.map(({ name, all }) => {
    const p99 = median(all.map((one) => one.p99))
    const cells = [
      median(all.map((one) => one.p50)).toFixed(1),
      p99.toFixed(1),
      (p99 / alone).toFixed(1),
      median(all.map((one) => one.perSecond)).toFixed(0),
      Math.max(...all.map(({ longestTurn }) => longestTurn.elapsed)).toFixed(0),
      Math.max(...all.map(({ longestTurn }) => longestTurn.processor)).toFixed(0),
      `${(median(all.map(shareShed)) * 100).toFixed(1)} %`,
    ]
    return `| ${name} | ${cells.join(' | ')} |`
  })
  const head =
    '| | p50 ms | p99 ms | of alone | accepted a second | longest turn ms | of processor time | shed |'
  return [head, '|---|---:|---:|---:|---:|---:|---:|---:|', ...rows].join('\n')
}

function shareShed({ answers }: Load): number {
  const count = Object.values(answers).reduce((sum, one) => sum + one, 0)
  return (count - (answers[201] ?? 0)) / count
}
