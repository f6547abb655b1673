import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { EMAIL, PASSWORD } from './dataset.ts'
import { askOnce } from './http-load.ts'
import { measure } from './measure.ts'
import { OPERATION_NAMES, type Operation, operationsOn, WEEK_LIST } from './operations.ts'
import { residentMegabytes } from './process.ts'
import { fallenOf, type Measured, type Ratios, type Report, ratiosOf, table } from './report.ts'
import { requireKnown } from './require-known.ts'
import { DATABASES, type DatabaseKind, type Side, startStack, USUAL_DATABASES } from './stack.ts'

/**
 * Measures the service beside the floor and prints a table for each database.
 *
 * --database postgres|embedded|citus  only this one; citus, at CITUS_URL, is measured only on request
 * --only TEXT                   only operations with this in their name
 * --beside FOLDER               another checkout, with its node_modules, in turn with this one
 * --away MS                     delays each response of PostgreSQL by that much
 * --seconds N --rounds N        how long
 * --json FILE                   all figures
 * --record                      keep the ratios in bench/ratios.json
 * --guard                       a short run; fails if a ratio has fallen below 80 % of the one kept, and again in more rounds
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    only: { type: 'string', default: '' },
    beside: { type: 'string' },
    away: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
    guard: { type: 'boolean', default: false },
  },
})

const RATIOS = new URL('ratios.json', import.meta.url)
const GUARDED = ['book', 'refused: daily limit', 'week list (100)', 'me']
const CONNECTIONS = options.guard ? [16] : [1, 16]
/** The rounds of the guard's repetitions. Three rounds of a refusal gave 0.79 and 1 for two equal checkouts. */
const LATER_ROUNDS = [9, 15]

if (!OPERATION_NAMES.some(isChosen)) requireKnown('only', [options.only], OPERATION_NAMES)
if (options.guard) requireKnown('guard', GUARDED, OPERATION_NAMES)
if (options.database !== undefined) requireKnown('database', [options.database], DATABASES)

const kinds = options.database ? DATABASES.filter((kind) => kind === options.database) : USUAL_DATABASES
const reports: Partial<Record<DatabaseKind, Report>> = {}
for (const kind of kinds) {
  const report = await run(kind, { isChosen, rounds: Number(options.rounds) })
  reports[kind] = report
  console.log(`\n${table(kind, report)}\n`)
}
if (options.json) writeFileSync(options.json, `${JSON.stringify(reports, null, 2)}\n`)
if (options.record) writeFileSync(RATIOS, `${JSON.stringify(recorded(ratiosOf(reports)), null, 2)}\n`)
if (options.guard) await guard(keptRatios())

type Choice = { readonly isChosen: (name: string) => boolean; readonly rounds: number }

async function run(kind: DatabaseKind, { isChosen, rounds }: Choice): Promise<Report> {
  const stack = await startStack(kind, { beside: options.beside, away: Number(options.away) })
  try {
    const { server } = stack.service
    const idle = residentMegabytes(server.pid)
    const operations = (await operationsAt(stack.service)).filter(({ name }) => isChosen(name))
    const others = stack.beside ? await operationsAt(stack.beside) : []
    const bare = operationsOn(stack.floor.dataset, '')
    const measured: Measured[] = []
    const loaded: number[] = []
    for (const operation of operations) {
      process.stderr.write(`${kind}: ${operation.name} …\n`)
      for (const connections of CONNECTIONS) {
        const plan = { connections, seconds: Number(options.seconds), rounds }
        const named = ({ name }: Operation) => name === operation.name
        const questions = { operation, floor: bare.find(named) ?? operation, beside: others.find(named) }
        measured.push(await measure(stack, questions, plan))
        loaded.push(residentMegabytes(server.pid))
      }
    }
    return { measured, memory: { idle, loaded }, startMs: server.startMs }
  } finally {
    await stack.stop()
  }
}

function isChosen(name: string): boolean {
  return options.guard ? GUARDED.includes(name) : name.includes(options.only)
}

async function operationsAt({ server, dataset }: Side): Promise<readonly Operation[]> {
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
  const login = await askOnce(server.port, { method: 'POST', path: '/api/v1/auth/login', body })
  const { token } = JSON.parse(login.body)
  const headers = { authorization: `Bearer ${token}` }
  const week = await askOnce(server.port, { method: 'GET', path: `/api/v1${WEEK_LIST}`, headers })
  return operationsOn(dataset, token, /^etag: (.*)$/im.exec(week.head)?.[1])
}

/** Returns the stored ratios, with the measured ones replaced. */
function recorded(measured: Ratios): Ratios {
  const kept = keptRatios()
  const merged = Object.entries(measured).map(([kind, ratios]) => [kind, { ...kept[kind], ...ratios }])
  return { ...kept, ...Object.fromEntries(merged) }
}

function keptRatios(): Ratios {
  return JSON.parse(readFileSync(RATIOS, 'utf8'))
}

async function guard(kept: Ratios): Promise<void> {
  let fallen = fallenOf(ratiosOf(reports), kept)
  for (const rounds of LATER_ROUNDS) {
    const again: Partial<Record<DatabaseKind, Report>> = {}
    for (const kind of kinds) {
      const names = fallen.filter((one) => one.kind === kind).map(({ name }) => name)
      if (names.length > 0)
        again[kind] = await run(kind, { isChosen: (name) => names.includes(name), rounds })
    }
    fallen = fallenOf(ratiosOf(again), kept)
  }
  for (const { kind, name, ratio, least } of fallen)
    console.error(`${kind}: ${name} runs at ${ratio} of the floor; at least ${least.toFixed(2)} is expected.`)
  if (fallen.length > 0) process.exitCode = 1
}
