import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useSandbox } from '../cli/sandbox.ts'
import { makeSchool } from '../cli/school.ts'
import { enter, type Row, type School } from '../support/factory.ts'
import { addressOf, execute } from '../support/postgres-database.ts'
import {
  complaintsOf,
  type Environment,
  JWT_SECRET,
  Program,
  ROOT,
  requireSuccess,
} from '../support/process.ts'
import { type ServerWithTools, startServerWithTools, toolsHere } from '../support/server-with-tools.ts'

/** A migration that the next release could have. It only adds. */
const MIGRATION = '9998-next'
const UP = `import { sql } from 'kysely'
export const up = (db) => sql\`alter table appointments add column of_next text default 'next'\`.execute(db)
`

const run = promisify(execFile)
const sandbox = useSandbox()
const programs: Program[] = []
let next = ''

// The release before the next one is this checkout.
beforeAll(async () => {
  next = await sandbox.folder()
  for (const part of ['bin', 'src', 'packs', 'package.json'])
    await cp(join(ROOT, part), join(next, part), {
      recursive: true,
      filter: (path) => !/\/src\/web$/.test(path),
    })
  await symlink(join(ROOT, 'node_modules'), join(next, 'node_modules'))
  await writeFile(join(next, 'src/db/migrations', `${MIGRATION}.ts`), UP)
})
afterAll(async () => {
  for (const program of programs.filter(({ isRunning }) => isRunning)) await program.stop('SIGKILL')
})

async function serveNext(environment: Environment): Promise<{ service: Program; url: string }> {
  const service = new Program(['serve'], { JWT_SECRET, PORT: '0', ...environment }, undefined, next)
  programs.push(service)
  return { service, url: await service.url() }
}

let day = 0
/** Books a lesson, each on a day of its own. */
async function book(school: School, instructor: Row): Promise<Row> {
  day += 1
  const date = new Date(Date.UTC(2031, 0, day)).toISOString().slice(0, 10)
  return school.lesson({ instructor_id: instructor.id, start_at: `${date} 08:00`, end_at: `${date} 09:30` })
}

const lessonsAt = async (school: School): Promise<readonly Row[]> =>
  (await school.client.get('/appointments')).body

/** Expects this release to refuse the database of the next. */
async function requireRefusal(environment: Environment): Promise<void> {
  const exit = await sandbox.run(['serve'], { JWT_SECRET, PORT: '0', ...environment })
  expect(exit.code).toBe(1)
  expect(complaintsOf(exit)).toEqual([
    `The database was made by a newer Fahrplan, which has the migration ${MIGRATION}: use that, or restore a backup.`,
  ])
}

describe('the embedded database', () => {
  it('goes to the next release and back by a backup, without losing a lesson', async () => {
    const { DATA_DIR, made } = await sandbox.schoolDir()
    const file = join(await sandbox.folder(), 'backup.tar.gz')
    const before = await sandbox.serve({ DATA_DIR })
    const school = await enter({ url: before.url }, made)
    const instructor = await school.instructor()
    for (let index = 0; index < 3; index += 1) await book(school, instructor)
    const lessons = await lessonsAt(school)
    expect(lessons.length).toBe(3)
    requireSuccess(await sandbox.run(['backup', '--out', file], { DATA_DIR }))
    await before.service.stop()

    const after = await serveNext({ DATA_DIR })
    expect(after.service.said).toContain(`"migrations":["${MIGRATION}"]`)
    const upgraded = await enter({ url: after.url }, made)
    expect(await lessonsAt(upgraded)).toEqual(lessons)
    await book(upgraded, instructor)
    await after.service.stop()

    await requireRefusal({ DATA_DIR })
    requireSuccess(await sandbox.run(['restore', '--in', file, '--replace'], { DATA_DIR }))
    const again = await sandbox.serve({ DATA_DIR })
    const back = await enter({ url: again.url }, made)
    expect(await lessonsAt(back)).toEqual(lessons)
    await book(back, instructor)
    await again.service.stop()
    requireSuccess(await sandbox.run(['doctor'], { DATA_DIR }))
  })
})

// A dump needs PostgreSQL's own programs, which npm's PostgreSQL lacks.
const hasTools = toolsHere().some(({ folder }) => existsSync(join(folder, 'postgres')))

describe.runIf(hasTools)('PostgreSQL', () => {
  let server: ServerWithTools
  let environment: Environment
  const backups = { BACKUP_DIR: '', DRILL_DIR: '' }
  const url = (database: string) => addressOf(server.url, { database })

  beforeAll(async () => {
    server = await startServerWithTools()
    await execute(server.url, `create role fahrplan_app login password 'a''b/c%'`)
    await execute(server.url, 'create database school')
    backups.BACKUP_DIR = join(await sandbox.folder(), 'backups')
    backups.DRILL_DIR = await sandbox.folder()
    await chmod(backups.DRILL_DIR, 0o755)
    environment = {
      DATABASE_URL: addressOf(url('school'), { user: 'fahrplan_app', password: "a'b/c%" }),
      MIGRATION_DATABASE_URL: url('school'),
    }
  })
  afterAll(() => server.stop())

  /** Runs a script of `deploy` as the timers do. Returns its output; throws with its exit code and complaints. */
  const script = (name: string, more: Environment = {}) => {
    const path = `${server.tools}:${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`
    const env = { PATH: path, PG_BIN: server.tools, ...environment, ...backups, ...more }
    return run(join(ROOT, 'deploy', name), [], { env })
  }
  const dumps = async () =>
    (await readdir(backups.BACKUP_DIR)).filter((name) => name.endsWith('.dump')).toSorted()

  it('goes to the next release beside the old one, and back by a dump, without losing a lesson', async () => {
    await expect(script('drill.sh')).rejects.toMatchObject({ code: 1 })
    const before = await sandbox.serve(environment)
    const made = await makeSchool(sandbox, environment)
    const school = await enter({ url: before.url }, made)
    const instructor = await school.instructor()
    for (let index = 0; index < 3; index += 1) await book(school, instructor)
    const dumped = await lessonsAt(school)
    expect((await script('backup.sh')).stdout).toMatch(/^Wrote .*fahrplan-\d{8}T\d{6}Z\.dump, \d+ bytes\.\n$/)
    const [dump = ''] = await dumps()
    const drilled = await script('drill.sh')
    expect(drilled.stdout).toContain(': schools 1, students 0, lessons 3.')
    expect(await readdir(backups.BACKUP_DIR)).toEqual(['erasures.txt', dump].toSorted())

    // A process of this release goes on while the next one migrates and serves.
    const after = await serveNext(environment)
    expect(after.service.said).toContain(`"migrations":["${MIGRATION}"]`)
    const upgraded = await enter({ url: after.url }, made)
    await book(school, instructor)
    await book(upgraded, instructor)
    expect(await lessonsAt(upgraded)).toEqual(await lessonsAt(school))
    expect((await lessonsAt(upgraded)).length).toBe(5)
    for (const { service } of [before, after]) await service.stop()

    await requireRefusal(environment)
    await execute(server.url, 'drop database school with (force)')
    await execute(server.url, 'create database school')
    const restore = ['--exit-on-error', '-d', url('school'), join(backups.BACKUP_DIR, dump)]
    await run(join(server.tools, 'pg_restore'), restore)
    const again = await sandbox.serve(environment)
    const back = await enter({ url: again.url }, made)
    expect(await lessonsAt(back)).toEqual(dumped)
    await book(back, instructor)
    await again.service.stop()
    requireSuccess(await sandbox.run(['doctor'], environment))
  })

  it('the drill fails for a dump that is damaged, and for one that is old', async () => {
    const [dump = ''] = await dumps()
    const path = join(backups.BACKUP_DIR, dump)
    const whole = await readFile(path)
    await writeFile(path, whole.subarray(0, whole.length - 20_000))
    await expect(script('drill.sh')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pg_restore'),
    })
    await writeFile(path, whole)
    await utimes(path, 1, 1)
    await expect(script('drill.sh')).rejects.toMatchObject({
      stderr: expect.stringContaining('older than two days: the backups have stopped'),
    })
    expect(await readdir(backups.DRILL_DIR)).toEqual([])
  })

  it('a backup removes old dumps once a new one is there, and none if it fails', async () => {
    const [old = ''] = await dumps()
    const nowhere = { MIGRATION_DATABASE_URL: addressOf(server.url, { database: 'nowhere' }) }
    await expect(script('backup.sh', nowhere)).rejects.toMatchObject({
      stderr: expect.stringContaining('"nowhere" does not exist'),
    })
    expect(await dumps()).toEqual([old])
    await script('backup.sh')
    const left = await dumps()
    expect(left.length).toBe(1)
    expect(left).not.toEqual([old])
  })
})
