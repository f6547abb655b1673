import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import type { DatabasePool } from '../src/db/connection/pool.ts'
import { inTransactionOnce } from '../src/db/connection/transaction.ts'
import { openEmbedded, takeDataDir } from '../src/db/upkeep/data-dir.ts'
import { checkoutIn, HERE } from './checkout.ts'
import { askOnce } from './http-load.ts'
import { foundSchool, PASSWORD } from './idle-school.ts'
import { type LongestTurn, turnMeter } from './longest-turn.ts'
import { median } from './median.ts'
import { fillOldSchool } from './old-school.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'

/**
 * Measures the retention preview of a school with seven years of students: on PostgreSQL 20,000, on the embedded database 2,000.
 * Prints the median time and the longest turn of the event loop. Options: --rounds N --beside FOLDER (another checkout, in turn)
 */
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, beside: { type: 'string' } },
})

const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const SIZES = { PostgreSQL: 20_000, embedded: 2_000 } as const

type Kind = keyof typeof SIZES
type Preview = { readonly due: object[]; readonly partial: object[]; readonly unended: object[] }

const undo: Undo = []
try {
  const folders = [...(options.beside === undefined ? [] : [options.beside]), HERE]
  const url = await startEmptyPostgres(undo)
  for (const kind of Object.keys(SIZES) as Kind[]) {
    const services = []
    for (const [number, folder] of folders.entries())
      services.push(
        await start(folder, kind, await anotherDatabase(undo, url, `${kind}_${number}`.toLowerCase())),
      )
    for (const { measure } of services) await measure()
    for (const { forget } of services) forget()
    for (let round = 0; round < Number(options.rounds); round += 1)
      for (const { measure } of services) await measure()
    for (const { report } of services) console.log(report())
  }
} finally {
  for (const one of undo.reverse()) await one()
}

async function start(folder: string, kind: Kind, url: string) {
  const checkout = checkoutIn(folder)
  const dataDir = mkdtempSync(join(tmpdir(), 'fahrplan-bench-'))
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const isEmbedded = kind === 'embedded'
  const env = { JWT_SECRET, ...(isEmbedded ? { DATA_DIR: dataDir } : { DATABASE_URL: url }) }
  const email = foundSchool(checkout, env, 'Old')
  const held = isEmbedded ? takeDataDir(dataDir, 'bench') : undefined
  const db = held
    ? await openEmbedded(held, console.error)
    : connectForMaintenance(url, (error) => console.error(error))
  await fill(db, email.split('@')[0] ?? '', SIZES[kind])
  await db.destroy()
  held?.release()
  const meter = await turnMeter()
  const { port, stop } = await checkout.serve({ ...env, PORT: '0', ...meter.env })
  undo.push(stop)
  const login = JSON.stringify({ email, password: PASSWORD })
  const { body } = await askOnce(port, { method: 'POST', path: '/api/v1/auth/login', body: login })
  const headers = { authorization: `Bearer ${JSON.parse(body).token}` }
  const times: number[] = []
  const turns: LongestTurn[] = []
  let refused = 0
  let found: Preview = { due: [], partial: [], unended: [] }
  const measure = async () => {
    await meter.read()
    const begun = performance.now()
    const answer = await askOnce(port, { method: 'GET', path: '/api/v1/retention', headers })
    times.push(performance.now() - begun)
    turns.push(await meter.read())
    if (answer.status === 200) found = JSON.parse(answer.body)
    else refused += 1
  }
  const forget = () => {
    times.length = 0
    turns.length = 0
    refused = 0
  }
  const most = (name: keyof LongestTurn) => Math.max(...turns.map((turn) => turn[name])).toFixed(0)
  const report = () =>
    `${kind} ${folder}: ${median(times).toFixed(0)} ms, longest turn ${most('elapsed')} ms (processor ${most('processor')} ms); ` +
    `${found.due.length} due, ${found.partial.length} in part, ${found.unended.length} unended; ${refused} refused`
  return { measure, forget, report }
}

async function fill(database: DatabasePool, tenantId: string, students: number): Promise<void> {
  await inTransactionOnce(database, (db) => fillOldSchool(db, tenantId, students))
  await sql`vacuum (analyze, truncate false)`.execute(database)
}
