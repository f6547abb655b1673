import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Client, must } from '../support/client.ts'
import { enter, type Row, type School } from '../support/factory.ts'
import { TestIssuer } from '../support/issuer.ts'
import { complaintsOf, type Exit, once, requireSuccess } from '../support/process.ts'
import { enrich } from '../support/rich-school.ts'
import { loginOf, statusWith } from '../support/session.ts'
import { enterBySso, linkTo, setProvider } from '../support/sso.ts'
import { rowsIn } from '../support/transfer-file.ts'
import { useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool, printed } from './school.ts'

const sandbox = useSandbox()
const database = useFreshDatabase()

const doctorIn = (DATA_DIR: string) => sandbox.run(['doctor'], { DATA_DIR })
const restoreInto = (DATA_DIR: string, file: string, ...more: readonly string[]) =>
  sandbox.run(['restore', '--in', file, ...more], { DATA_DIR })
const schoolsIn = async (DATA_DIR: string) =>
  (await printed<Row[]>(sandbox, ['tenant', 'list', '--json'], { DATA_DIR })).map(({ id }) => id)

/** A data directory with one school, and a backup of its database. */
const backedUp = once(async () => {
  const { DATA_DIR, made } = await sandbox.schoolDir()
  const file = join(await sandbox.folder(), 'backup.tar.gz')
  requireSuccess(await sandbox.run(['backup', '--out', file], { DATA_DIR }))
  return { tenantId: made.tenantId, file, DATA_DIR }
})
const another = once(async () => {
  const DATA_DIR = await sandbox.dataDir()
  const { tenantId } = await makeSchool(sandbox, { DATA_DIR })
  return { DATA_DIR, tenantId }
})

describe.concurrent('a backup', () => {
  it('taken during bookings contains every booking acknowledged before it began (F26)', async () => {
    const { DATA_DIR, made } = await sandbox.schoolDir()
    const file = join(await sandbox.folder(), 'backup.tar.gz')
    const { service, url } = await sandbox.serve({ DATA_DIR })
    const school = await enter({ url }, made)
    const book = lessonsOf(school, (await school.instructor()).id)
    const before = await book(5)
    const [exit, meanwhile] = await Promise.all([
      sandbox.run(['backup', '--out', file], { DATA_DIR }),
      book(20),
    ])
    requireSuccess(exit)
    expect(exit.out).toMatch(/^Wrote the backup \S+: 1 school, 0 students and \d+ lessons\.$/m)
    const after = await book(1)
    expect(readdirSync(join(DATA_DIR, 'scratch'))).toEqual([])
    expect((await service.stop()).code).toBe(0)

    const elsewhere = await sandbox.folder()
    requireSuccess(await restoreInto(elsewhere, file))
    requireSuccess(await doctorIn(elsewhere))
    const { url: restored } = await sandbox.serve({ DATA_DIR: elsewhere })
    const { client } = await enter({ url: restored }, made)
    const stored: readonly Row[] = (await client.get('/appointments')).body
    expect(stored).toEqual(expect.arrayContaining([...before]))
    expect([...before, ...meanwhile]).toEqual(expect.arrayContaining([...stored]))
    expect(stored).not.toEqual(expect.arrayContaining([...after]))
  })

  it('with --portable moves to PostgreSQL and back, including sessions, links and logins at an issuer (F26)', async () => {
    const folder = await sandbox.folder()
    const [first, second] = [join(folder, 'first.gz'), join(folder, 'second.gz')]
    const { made, ...here } = await sandbox.schoolDir()
    const issuer = await TestIssuer.start()
    const network = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }
    const { service, url } = await sandbox.serve({ ...here, ...network })
    await makeSchool(sandbox, here)
    await enrich({ url }, await enter({ url }, made))
    const session = await loginOf({ url }, made.user)
    must(200, await setProvider(session, issuer))
    must(200, await linkTo(session, { issuer, subject: 'anna' }))
    await printed(sandbox, ['backup', '--portable', '--json', '--out', first], here)
    expect((await service.stop()).code).toBe(0)

    const { app, owner } = database()
    const server = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
    requireSuccess(await sandbox.run(['restore', '--in', first], server))
    await printed(sandbox, ['backup', '--portable', '--json', '--out', second], server)
    expect(rowsIn(second)).toEqual(rowsIn(first))
    requireSuccess(await sandbox.run(['doctor'], server))
    const again = await sandbox.run(['restore', '--in', first], server)
    expect(complaintsOf(again)).toEqual(['The database already has schools.'])

    const there = { DATA_DIR: await sandbox.folder() }
    requireSuccess(await sandbox.run(['restore', '--in', second], there))
    const { url: elsewhere } = await sandbox.serve({ ...there, ...network })
    expect(await statusWith(new Client({ url: elsewhere }), session.token)).toBe(200)
    must(200, await enterBySso({ url: elsewhere }, made, { issuer, subject: 'anna' }))
    await issuer.close()
  })

  it('without --portable can neither be taken nor restored on PostgreSQL', async () => {
    const { app, owner } = database()
    const server = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
    const file = join(await sandbox.folder(), 'backup.tar.gz')
    requireSuccess(await sandbox.run(['migrate'], server))
    const exit = await sandbox.run(['backup', '--out', file], server)
    expect(exit).toMatchObject({ code: 1, err: expect.stringContaining('pg_dump') })
    const other = await sandbox.run(['restore', '--in', (await backedUp()).file], server)
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('portable') })
  })
})

describe.concurrent('a restore', () => {
  it('rejects a directory in use, and replaces a database only with --replace', async () => {
    const [{ file, tenantId }, { DATA_DIR, tenantId: other }] = [await backedUp(), await another()]
    const copy = await sandbox.copyOf(DATA_DIR)
    const { service } = await sandbox.serve({ DATA_DIR: copy })
    const inUse = await restoreInto(copy, file, '--replace')
    expect(complaintsOf(inUse)).toEqual([
      expect.stringContaining(`in use by process ${service.pid} ("serve"`),
    ])
    await service.stop()
    const full = await restoreInto(copy, file)
    expect(complaintsOf(full)).toEqual([
      `There already is a database in ${copy}. Use --replace to remove it.`,
    ])
    expect(await schoolsIn(copy)).toEqual([other])
    requireSuccess(await restoreInto(copy, file, '--replace'))
    expect(await schoolsIn(copy)).toEqual([tenantId])
    expect(readdirSync(copy).filter((entry) => /unfinished|replaced/.test(entry))).toEqual([])
  })

  it.each<[string, (file: Buffer) => Buffer, string]>([
    ['torn', (file) => file.subarray(0, file.length >> 1), 'torn'],
    ['changed', (file) => Buffer.from(file).fill(0x55, file.length >> 1, 9 + (file.length >> 1)), 'torn'],
    ['something else', () => Buffer.from('hello'), 'no .gz'],
  ])('rejects a file that is %s, and keeps the existing database', async (name, harm, reason) => {
    const [{ file }, { DATA_DIR, tenantId }] = [await backedUp(), await another()]
    const copy = await sandbox.copyOf(DATA_DIR)
    const harmed = join(await sandbox.folder(), name.replaceAll(' ', '-'))
    writeFileSync(harmed, harm(readFileSync(file)))
    const exit = await restoreInto(copy, harmed, '--replace')
    expect(exit).toMatchObject({ code: 1, out: '', err: expect.stringContaining(reason) })
    expect(readdirSync(copy).filter((entry) => /unfinished|replaced/.test(entry))).toEqual([])
    expect(await schoolsIn(copy)).toEqual([tenantId])
  })

  it('killed between its two renames loses no data', async () => {
    const { DATA_DIR, tenantId } = await another()
    const copy = await sandbox.copyOf(DATA_DIR)
    renameSync(join(copy, 'database'), join(copy, 'database.replaced'))
    expect(await schoolsIn(copy)).toEqual([tenantId])
  })
})

/** The moment of the kill, as a fraction of the command's duration. */
const MOMENT = Math.random()

describe.concurrent('kill -9', () => {
  it(`at ${MOMENT.toFixed(2)} of a backup leaves the previous backup or the complete new one`, async () => {
    const { DATA_DIR } = await another()
    const [copy, file] = [await sandbox.copyOf(DATA_DIR), join(await sandbox.folder(), 'backup.tar.gz')]
    writeFileSync(file, 'the one of before')
    await killAt(MOMENT, ['backup', '--out', file], copy)
    if (readFileSync(file, 'utf8') !== 'the one of before')
      requireSuccess(await restoreInto(join(await sandbox.folder(), 'restored'), file))
    requireSuccess(await sandbox.run(['backup', '--out', file], { DATA_DIR: copy }))
    expect(readdirSync(join(copy, 'scratch'))).toEqual([])
  })

  it(`at ${MOMENT.toFixed(2)} of a restore leaves a complete database, old or new`, async () => {
    const [{ file, tenantId }, { DATA_DIR, tenantId: other }] = [await backedUp(), await another()]
    const copy = await sandbox.copyOf(DATA_DIR)
    await killAt(MOMENT, ['restore', '--in', file, '--replace'], copy)
    const [school] = await schoolsIn(copy)
    expect([tenantId, other]).toContain(school)
    requireSuccess(await doctorIn(copy))
    requireSuccess(await restoreInto(copy, file, '--replace'))
    expect(await schoolsIn(copy)).toEqual([tenantId])
    expect(readdirSync(copy).filter((entry) => /unfinished|replaced/.test(entry))).toEqual([])
  })
})

/** Kills a command after a fraction of its usual 3 seconds, unless it has ended by then. */
async function killAt(part: number, argv: readonly string[], DATA_DIR: string): Promise<Exit> {
  const program = sandbox.start(argv, { DATA_DIR })
  await new Promise((resolve) => setTimeout(resolve, part * 3_000))
  return program.stop('SIGKILL')
}

/** Returns a function that books `count` lessons, one after the other. Each must be accepted. */
function lessonsOf(school: School, instructor_id: string) {
  let day = 0
  return async (count: number): Promise<readonly Row[]> => {
    const booked: Row[] = []
    while (booked.length < count) {
      day += 1
      const date = new Date(Date.UTC(2030, 0, day)).toISOString().slice(0, 10)
      booked.push(await school.lesson({ instructor_id, start_at: `${date} 08:00`, end_at: `${date} 09:30` }))
    }
    return booked
  }
}
