import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib'
import { create } from 'tar'
import { startServerWithTools } from '../support/server-with-tools.ts'

/**
 * Makes a fixture for the upgrade tests: a data directory and a dump of a release, and that release's responses about the
 * school in them. `--program` is the folder of the release, with its packages; `--name` is its newest migration. Uses the
 * release only by its command line and HTTP, as its users did.
 */
const { values } = parseArgs({
  options: { program: { type: 'string', default: '.' }, name: { type: 'string' } },
})
if (!values.name) throw new Error('--name NAME is missing, such as 0012-links')
const PROGRAM = resolve(values.program, 'bin/fahrplan.js')
const FIXTURE = join(import.meta.dirname, 'fixtures', values.name)
const LOGIN = { email: 'office@upgrade.example', password: 'correct horse battery' }

/** A window that spans two of the data directory's nearly identical databases, which halves the file. */
const params = { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 26 }

const folder = mkdtempSync(join(tmpdir(), 'fahrplan-fixture-'))
const server = await startServerWithTools()
try {
  mkdirSync(FIXTURE, { recursive: true })
  const dataDir = join(folder, 'data')
  const embedded = await fill({ DATA_DIR: dataDir })
  // Older releases have no export, and their fixtures no such file.
  if (run(['--help'], {}).includes('tenant export')) {
    const school = join(FIXTURE, 'school.ndjson.gz')
    run(['tenant', 'export', '--tenant', embedded.tenant_id, '--out', school], { DATA_DIR: dataDir })
  }
  const pack = create({ cwd: dataDir, portable: true }, ['database'])
  await pipeline(
    pack as unknown as NodeJS.ReadableStream,
    createZstdCompress({ params }),
    createWriteStream(join(FIXTURE, 'data-dir.tar.zst')),
  )
  const postgres = await fill({ DATABASE_URL: server.url })
  const options = ['--inserts', '--no-owner', '--no-privileges', server.url]
  const dump = execFileSync(join(server.tools, 'pg_dump'), options, { maxBuffer: 1e9 })
  writeFileSync(join(FIXTURE, 'dump.sql.zst'), zstdCompressSync(dump, { params }))
  const told = { login: LOGIN, embedded, postgres }
  writeFileSync(join(FIXTURE, 'told.json'), `${JSON.stringify(told, null, 1)}\n`)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

type Environment = Readonly<Record<string, string>>

/** Makes a school by the release's command line, fills it through its API, and returns the API's responses. */
async function fill(environment: Environment) {
  const identity = [
    '--name',
    'Fahrschule Alt',
    '--country',
    'DE',
    '--timezone',
    'Europe/Berlin',
    '--locale',
    'de',
  ]
  const { id } = JSON.parse(run(['tenant', 'create', ...identity, '--json'], environment))
  const user = ['--tenant', id, '--email', LOGIN.email, '--name', 'Anna Office', '--password-stdin']
  run(['user', 'create', ...user], environment, LOGIN.password)
  const service = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { ...environment, JWT_SECRET: 'a secret of the fixtures, more than 256 bits', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((listens) => {
    service.stdout.on('data', (text) => {
      const [, found] = /Server listening at (http:[^"\s]+)/.exec(String(text)) ?? []
      if (found) listens(found)
    })
  })
  const told = { tenant_id: id as string, ...(await fillBy(`${url}/api/v1`)) }
  service.kill('SIGTERM')
  await once(service, 'exit')
  return told
}

function run(argv: readonly string[], environment: Environment, input = ''): string {
  return execFileSync(process.execPath, [PROGRAM, ...argv], {
    env: { ...environment },
    input,
    encoding: 'utf8',
  })
}

// biome-ignore lint/suspicious/noExplicitAny: responses of a release can have any shape
type Answered = any

async function fillBy(api: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const ask = async (method: string, path: string, body?: object, more = {}): Promise<Answered> => {
    const request = { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${api}${path}`, request)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  headers.authorization = `Bearer ${(await ask('POST', '/auth/login', LOGIN)).token}`
  const types: readonly { code: string; id: string }[] = await ask('GET', '/lesson-types')
  const lesson_type_id = types.find(({ code }) => code === 'PRACTICE')?.id
  const jonas = await ask('POST', '/instructors', {
    first_name: 'Jonas',
    last_name: 'Brandt',
    required_break_minutes: 0,
  })
  const ute = await ask('POST', '/instructors', { first_name: 'Ute', last_name: 'Ärmel' })
  const lena = await ask('POST', '/students', { first_name: 'Lena', last_name: 'Vogt', notes: 'two\nlines' })
  const gone = await ask('POST', '/students', { first_name: 'Ben', last_name: 'Weg' })
  const on = (day: number, student: Answered, instructor: Answered) => ({
    instructor_id: instructor.id,
    student_id: student.id,
    lesson_type_id,
    start_at: `2031-03-${String(day).padStart(2, '0')} 08:00`,
    end_at: `2031-03-${String(day).padStart(2, '0')} 09:30`,
  })
  const series = { appointment: on(3, lena, jonas), repeat: { every_weeks: 1, count: 4 } }
  await ask('POST', '/appointments/series', series, { 'idempotency-key': 'a-series' })
  const lessons: Answered[] = []
  for (let day = 4; day < 20; day += 1)
    if (day % 7 !== 3) lessons.push(await ask('POST', '/appointments', on(day, day % 2 ? gone : lena, ute)))
  await ask('PATCH', `/appointments/${lessons[0].id}`, { notes: 'Motorway', status: 'cancelled' })
  await ask('PATCH', `/appointments/${lessons[1].id}`, {
    end_at: lessons[1].end_at.replace('09:30', '10:15'),
  })
  await ask('DELETE', `/appointments/${lessons[2].id}`)
  await ask('DELETE', `/students/${gone.id}`)
  return {
    appointments: await ask('GET', '/appointments'),
    students: await ask('GET', '/students'),
    instructors: await ask('GET', '/instructors'),
  }
}
