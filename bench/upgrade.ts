import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type * as connections from '../src/db/connection/connect.ts'
import { emailOf, PASSWORD } from '../test/support/history.ts'
import { checkoutIn } from './checkout.ts'
import type * as largeSchool from './large-school.ts'
import { startEmptyPostgres, type Undo } from './servers.ts'

/**
 * Migrates a school of an older release while a service of that release goes on changing students. Prints the time of the migration,
 * the longest request and the longest time without an accepted one, and counts accepted changes that were lost.
 * Options: --from FOLDER (a checkout of the older release, with node_modules) --weeks N
 */
const { values: options } = parseArgs({
  options: { from: { type: 'string' }, weeks: { type: 'string', default: '1000' } },
})
if (options.from === undefined) throw new Error('--from FOLDER is missing')

const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const EDITORS = 8
const BESIDE_MS = 3_000
/** The time after which the service asks a refused client to try again. */
const RETRY_MS = 1_000

const undo: Undo = []
try {
  const older = checkoutIn(options.from)
  const url = await startEmptyPostgres(undo)
  const { connectForMaintenance } = await older.load<typeof connections>('src/db/connection/connect.ts')
  const { fillWithLargeSchool } = await older.load<typeof largeSchool>('bench/large-school.ts')
  const db = connectForMaintenance(url, console.error)
  undo.push(() => db.destroy())
  await fillWithLargeSchool('PostgreSQL', db, Number(options.weeks))
  await sql`update students set license_class_template_id = template.id from license_class_templates template
    where template.tenant_id = students.tenant_id and template.code = 'B'`.execute(db)
  const env = { DATABASE_URL: url, JWT_SECRET, PORT: '0' }
  const { port, stop } = await older.serve(env)
  undo.push(stop)
  const editors = await startEditors(`http://127.0.0.1:${port}/api/v1`)
  await wait(BESIDE_MS)
  const migration = await migrate(env)
  await wait(BESIDE_MS)
  const { accepted, ...figures } = await editors.stop()
  const { rows } = await sql<{ edit: string }>`select resource_id || ' ' || (after ->> 'notes') as edit
    from changes where resource = 'student' and action = 'changed'`.execute(db)
  const logged = new Set(rows.map(({ edit }) => edit))
  const lost = accepted.filter((edit) => !logged.has(edit)).length
  console.log({ migration, accepted: accepted.length, lost, ...figures })
  if (lost > 0 || migration.code !== 0) process.exitCode = 1
} finally {
  for (const one of undo.reverse()) await one()
}

async function migrate(env: Readonly<Record<string, string>>) {
  const begun = performance.now()
  const child = spawn(process.execPath, ['bin/fahrplan.js', 'migrate'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  return { seconds: secondsSince(begun), code }
}

/** Starts clients that each change their own students, one after the other, and wait after a refusal. */
async function startEditors(api: string) {
  const ask = async (method: string, path: string, { headers = {}, body }: RequestOptions) =>
    fetch(`${api}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const login = await ask('POST', '/auth/login', { body: { email: emailOf(0), password: PASSWORD } })
  const headers = { authorization: `Bearer ${((await login.json()) as { token: string }).token}` }
  const students = (await (await ask('GET', '/students', { headers })).json()) as { readonly id: string }[]
  const accepted: string[] = []
  const refused: Record<string, number> = {}
  let [longest, longestPause, lastAccepted, isOver] = [0, 0, performance.now(), false]
  const edit = async (own: typeof students) => {
    for (let number = 1; !isOver; number += 1) {
      const { id = '' } = own[number % own.length] ?? {}
      const begun = performance.now()
      const response = await ask('PATCH', `/students/${id}`, { headers, body: { notes: String(number) } })
      await response.text()
      longest = Math.max(longest, secondsSince(begun))
      if (response.status === 200) {
        accepted.push(`${id} ${number}`)
        longestPause = Math.max(longestPause, secondsSince(lastAccepted))
        lastAccepted = performance.now()
      } else {
        refused[response.status] = (refused[response.status] ?? 0) + 1
        await wait(RETRY_MS)
      }
    }
  }
  const running = Array.from({ length: EDITORS }, (_, editor) =>
    edit(students.filter((_student, at) => at % EDITORS === editor)),
  )
  const stop = async () => {
    isOver = true
    await Promise.all(running)
    return { accepted, refused, longestRequest: longest, longestPause }
  }
  return { stop }
}

type RequestOptions = { readonly headers?: Readonly<Record<string, string>>; readonly body?: object }

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10
}
