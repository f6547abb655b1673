import { once as event } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import { vacuumTables } from '../../src/db/upkeep/vacuum.ts'
import { statusOf } from '../support/client.ts'
import { enter } from '../support/factory.ts'
import { complaintsOf, JWT_SECRET } from '../support/process.ts'
import { useSandbox } from './sandbox.ts'
import { anEmail, makeSchool, printed, userCreate } from './school.ts'

const sandbox = useSandbox()

describe.concurrent('a data directory', () => {
  it('is locked by one process and released as soon as that process is killed (S102, F4)', async () => {
    const { DATA_DIR, made: school } = await sandbox.schoolDir()
    const { service, url } = await sandbox.serve({ DATA_DIR })
    for (const command of ['serve', 'migrate']) {
      const exit = await sandbox.run([command], { DATA_DIR, JWT_SECRET, PORT: '0' })
      expect(complaintsOf(exit)).toEqual([expect.stringContaining(DATA_DIR)])
      expect(exit.err).toContain(`process ${service.pid} ("serve"`)
      expect(exit).toMatchObject({ code: 1, out: '' })
    }
    await enter({ url }, school)

    expect((await service.stop('SIGKILL')).signal).toBe('SIGKILL')
    expect(readdirSync(DATA_DIR)).toEqual(expect.arrayContaining(['admin.sock', 'holder.json', 'lock']))
    const listed = await printed<{ email: string }[]>(sandbox, ['user', 'list', '--json'], { DATA_DIR })
    expect(listed.map((user) => user.email)).toEqual([school.user.email])
    const { url: again } = await sandbox.serve({ DATA_DIR })
    await enter({ url: again }, school)
    await makeSchool(sandbox, { DATA_DIR })
  })

  it.each([
    ['has a truncated pg_control', 'global/pg_control', (file: string) => truncateSync(file, 100)],
    ['has no PG_VERSION', 'PG_VERSION', rmSync],
  ])('whose database %s is rejected by name and left unchanged (F15)', async (_, file, harm) => {
    const DATA_DIR = await sandbox.dataDir()
    const database = join(DATA_DIR, 'database')
    harm(join(database, file))
    const before = [existsSync(join(database, file)), readFileSync(join(database, 'global/pg_control'))]
    const exit = await sandbox.run(['tenant', 'list'], { DATA_DIR })
    expect(exit).toMatchObject({ code: 1, out: '' })
    const after = [existsSync(join(database, file)), readFileSync(join(database, 'global/pg_control'))]
    expect(after).toEqual(before)
    expect(complaintsOf(exit)).toEqual([expect.stringContaining(DATA_DIR)])
  })

  it.each([
    ['a new directory', (folder: string) => folder],
    ['an existing directory', async () => sandbox.dataDir()],
  ])('that other users can read becomes private with all its files: %s', async (_, make) => {
    const DATA_DIR = await make(await sandbox.folder())
    for (const path of pathsIn(DATA_DIR)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o666)
    const { service } = await sandbox.serve({ DATA_DIR })
    await makeSchool(sandbox, { DATA_DIR })
    const open = pathsIn(DATA_DIR).filter((path) => (lstatSync(path).mode & 0o077) !== 0)
    expect(pathsIn(DATA_DIR).length).toBeGreaterThan(900)
    expect(open).toEqual([])
    expect((await service.stop()).code).toBe(0)
    expect(pathsIn(DATA_DIR).filter((path) => (lstatSync(path).mode & 0o077) !== 0)).toEqual([])
  })

  it('that also holds other files keeps its mode, but its database becomes private', async () => {
    const DATA_DIR = await sandbox.dataDir()
    writeFileSync(join(DATA_DIR, 'notes.txt'), 'not ours', { mode: 0o644 })
    chmodSync(DATA_DIR, 0o755)
    chmodSync(join(DATA_DIR, 'database'), 0o755)
    expect((await sandbox.run(['migrate'], { DATA_DIR })).code).toBe(0)
    const modes = ['', 'notes.txt', 'database', 'database/PG_VERSION', 'lock'].map(
      (name) => lstatSync(join(DATA_DIR, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o755, 0o644, 0o700, 0o600, 0o600])
  })

  it('with an unknown migration makes both a command and a service exit with 1', async () => {
    const DATA_DIR = await sandbox.dataDir()
    const db = await connectEmbedded(join(DATA_DIR, 'database'), () => undefined)
    await sql`insert into kysely_migration values ('9999-later', now()::text)`.execute(db)
    await db.destroy()
    for (const line of [['user', 'list'], ['serve']]) {
      const program = sandbox.start(line, { DATA_DIR, JWT_SECRET, PORT: '0' })
      await program.says(/9999-later/)
      expect(await program.exited).toMatchObject({ code: 1, out: '' })
    }
  })

  it('is vacuumed and analyzed table by table, so that reads are served in between', async () => {
    const DATA_DIR = await sandbox.dataDir()
    const db = await connectEmbedded(join(DATA_DIR, 'database'), () => undefined)
    const ended: string[] = []
    const end = (name: string) => () => ended.push(name)
    await sql`insert into kysely_migration values ('9999-later', now()::text)`.execute(db)
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const changed = sql`select relname from pg_stat_user_tables where n_mod_since_analyze > 0`
    expect((await changed.execute(db)).rows).toContainEqual({ relname: 'kysely_migration' })
    await Promise.all([vacuumTables(db).then(end('vacuum')), sql`select 1`.execute(db).then(end('read'))])
    expect(ended).toEqual(['read', 'vacuum'])
    const never = sql`select relname from pg_class where relkind = 'r' and reltuples < 0`
    expect((await never.execute(db)).rows).toEqual([])
    expect((await changed.execute(db)).rows).toEqual([])
    await db.destroy()
  })

  it('that is a file is rejected in one line', async () => {
    const file = join(await sandbox.folder(), 'file')
    writeFileSync(file, 'not a directory')
    const exit = await sandbox.run(['serve'], { DATA_DIR: file, JWT_SECRET, PORT: '0' })
    expect(complaintsOf(exit)).toEqual([expect.stringContaining(file)])
    expect(exit.code).toBe(1)
  })

  it.each([
    [
      'its path is too long for a socket',
      async () => join(await sandbox.folder(), 'd'.repeat(100)),
      /too long/,
      '0',
    ],
    ['its port is taken', async () => sandbox.folder(), /EADDRINUSE/, undefined],
  ])('is released when a service cannot start because %s', async (_, makeFolder, reason, port) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await event(taken, 'listening')
    const address = taken.address()
    const PORT = String(address && typeof address === 'object' ? address.port : 0)
    const DATA_DIR = await makeFolder()
    cpSync(await sandbox.dataDir(), DATA_DIR, { recursive: true })
    const service = sandbox.start(['serve'], { DATA_DIR, JWT_SECRET, PORT: port ?? PORT })
    await service.says(reason)
    const exit = await service.exited
    taken.close()
    expect(exit).toMatchObject({ code: 1 })
  })
})

it.concurrent('the admin socket survives disconnects and invalid input, and does not block a shutdown', async () => {
  const { DATA_DIR, made } = await sandbox.schoolDir()
  const { service, url } = await sandbox.serve({ DATA_DIR })
  const create = JSON.stringify({ argv: userCreate(made.tenantId, anEmail()), input: null })
  for (const words of [create, '{"argv":null}', 'no JSON', '']) {
    const socket = connect(join(DATA_DIR, 'admin.sock'))
    const closed = event(socket, 'close').catch(() => undefined)
    socket.write(`${words}\n`)
    await Promise.race([event(socket, 'data').catch(() => undefined), closed])
    socket.destroy()
    await closed
    const health = await statusOf(url, '/healthz').catch(() => 'gone')
    expect({ words, health }).toEqual({ words, health: 200 })
  }

  const socket = connect(join(DATA_DIR, 'admin.sock'))
  socket.write(`${create}\n`)
  const [asked] = await event(socket, 'data')
  expect(JSON.parse(String(asked))).toEqual({ ask: 'input' })
  expect((await service.stop()).code).toBe(0)
  socket.destroy()
})

/** Returns a folder and everything in it. */
function pathsIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return [folder, ...names.map((name) => join(folder, name))]
}
