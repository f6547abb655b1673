import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import { openEmbedded, takeDataDir } from '../src/db/upkeep/data-dir.ts'
import { daysLater } from '../src/domain/local-time.ts'
import { thisMonday } from '../test/support/history.ts'
import { checkoutIn, HERE } from './checkout.ts'
import { askOnce } from './http-load.ts'
import { foundSchool, PASSWORD } from './idle-school.ts'
import { turnMeter } from './longest-turn.ts'
import { median } from './median.ts'
import { residentMegabytes } from './process.ts'
import { startEmptyPostgres, type Undo } from './servers.ts'
import { fillYear } from './year-school.ts'

/**
 * Compares the numbers of a year of 20 instructors with 20,000 lessons with the list of a week. Both are requested in turn; the
 * results are the medians of the rounds and of their ratios, and the longest turn of the event loop. Then it prints the 520
 * training records of the year into one file: seconds, peak memory above idle, longest turn. Options: --rounds N
 */
const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } })

const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const MONDAY = thisMonday()
const WEEK = `/appointments?from=${daysLater(MONDAY, -7)}&to=${daysLater(MONDAY, -1)}`
const RECORDS = `/records.pdf?from=${daysLater(MONDAY, -364)}&to=${daysLater(MONDAY, -1)}`
const YEAR = `/numbers?from=${daysLater(MONDAY, -364)}&to=${daysLater(MONDAY, -1)}`

const PRINTS = 2
const SAMPLE_MS = 50

const undo: Undo = []
try {
  const url = await startEmptyPostgres(undo)
  await compare('PostgreSQL', { DATABASE_URL: url, JWT_SECRET }, async (tenantId) => {
    const db = connectForMaintenance(url, console.error)
    await fillYear(db, tenantId, MONDAY)
    await db.destroy()
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'fahrplan-bench-'))
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }))
  await compare('embedded', { DATA_DIR: dataDir, JWT_SECRET }, async (tenantId) => {
    const held = takeDataDir(dataDir, 'bench')
    const db = await openEmbedded(held, console.error)
    await fillYear(db, tenantId, MONDAY)
    await db.destroy()
    held.release()
  })
} finally {
  for (const one of undo.reverse()) await one()
}

async function compare(
  name: string,
  env: Readonly<Record<string, string>>,
  prepare: (tenantId: string) => Promise<void>,
): Promise<void> {
  const checkout = checkoutIn(HERE)
  const email = foundSchool(checkout, env, 'Numbers')
  await prepare(email.split('@')[0] ?? '')
  const meter = await turnMeter()
  const { port, pid, stop } = await checkout.serve({ ...env, PORT: '0', ...meter.env })
  try {
    const body = JSON.stringify({ email, password: PASSWORD })
    const login = await askOnce(port, { method: 'POST', path: '/api/v1/auth/login', body })
    const headers = { authorization: `Bearer ${JSON.parse(login.body).token}` }
    const timeOf = async (path: string) => {
      const begun = performance.now()
      const answer = await askOnce(port, { method: 'GET', path: `/api/v1${path}`, headers })
      if (answer.status !== 200) throw new Error(answer.body)
      return performance.now() - begun
    }
    const rounds: { readonly week: number; readonly year: number }[] = []
    for (let round = -5; round < Number(options.rounds); round += 1) {
      const times = { week: await timeOf(WEEK), year: await timeOf(YEAR) }
      if (round === -1) await meter.read()
      if (round >= 0) rounds.push(times)
    }
    const of = (list: 'week' | 'year') => median(rounds.map((one) => one[list])).toFixed(0)
    const ratio = median(rounds.map(({ week, year }) => year / week)).toFixed(1)
    console.log(
      `${name}: list of a week ${of('week')} ms, numbers of a year ${of('year')} ms, ratio ${ratio}`,
    )
    console.log(`${name}: longest turn ${JSON.stringify(await meter.read())}`)
    const idle = residentMegabytes(pid)
    let peak = idle
    const sampling = setInterval(() => {
      peak = Math.max(peak, residentMegabytes(pid))
    }, SAMPLE_MS)
    for (let round = 0; round < PRINTS; round += 1) {
      const seconds = ((await timeOf(RECORDS)) / 1000).toFixed(1)
      const turn = JSON.stringify(await meter.read())
      console.log(
        `${name}: records ${seconds} s, ${(peak - idle).toFixed()} MB above idle, longest turn ${turn}`,
      )
    }
    clearInterval(sampling)
  } finally {
    await stop()
  }
}
