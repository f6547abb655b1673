import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataCommands } from '../../src/cli/run-data-command.ts'
import { settingsFor, UNIT_SETTINGS } from '../../src/cli/settings.ts'
import { complaintsOf, JWT_SECRET, ROOT } from '../support/process.ts'
import { sharedDatabase, useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { tenantCreate } from './school.ts'

const sandbox = useSandbox()
const database = useFreshDatabase()
const ID = '018f0000-0000-7000-8000-000000000000'

it('tenant create and tenant import are the only data commands that create a database', () => {
  const makers = dataCommands.filter(({ makesDatabase }) => makesDatabase).map(({ name }) => name)
  expect(makers).toEqual(['tenant create', 'tenant import'])
})

describe.concurrent('a command without a database', () => {
  it.each([
    ['tenant', 'list'],
    ['user', 'disable', '--email', 'anna@school.example'],
    ['student', 'export', '--tenant', ID],
    ['doctor'],
  ])('%s %s exits with 2, names the missing directory, and creates nothing', async (...line) => {
    const folder = await sandbox.folder()
    const DATA_DIR = join(folder, 'not', 'here')
    const exit = await sandbox.run(line, { DATA_DIR })
    expect(exit).toMatchObject({ code: 2, out: '' })
    expect(complaintsOf(exit)).toEqual([
      expect.stringContaining(`${DATA_DIR} (DATA_DIR; DATABASE_URL is not set)`),
    ])
    expect(readdirSync(folder)).toEqual([])
  })

  it('backup exits with 2 and writes no file', async () => {
    const folder = await sandbox.folder()
    const exit = await sandbox.run(['backup', '--out', join(folder, 'b.tgz')], { DATA_DIR: folder })
    expect(exit).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`no database in ${folder}`) })
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([['mail list'], ['backup --portable --out /dev/null/b']])(
    '%s exits with 2 for a PostgreSQL database without tables',
    async (line) => {
      const { app, owner } = database()
      const environment = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
      const exit = await sandbox.run(
        line.replace('/dev/null', await sandbox.folder()).split(' '),
        environment,
      )
      expect(exit).toMatchObject({ code: 2, out: '' })
      expect(complaintsOf(exit)).toEqual([
        expect.stringContaining('The database of DATABASE_URL has no tables'),
      ])
    },
  )
})

describe.concurrent('a database that cannot be used', () => {
  const changed = (url: string, parts: Partial<Record<'port' | 'host' | 'password' | 'pathname', string>>) =>
    Object.assign(new URL(url), parts).href

  it.each([
    ['DATABASE_URL', { port: '1' }, /ECONNREFUSED 127\.0\.0\.1:1\. Start PostgreSQL there/],
    [
      'DATABASE_URL',
      { password: 'wrong' },
      /password authentication failed .+ Correct the user and the password/,
    ],
    ['DATABASE_URL', { host: 'nowhere.invalid' }, /nowhere\.invalid\. Correct the host/],
    ['MIGRATION_DATABASE_URL', { pathname: 'nothing' }, /"nothing" does not exist\. Create the database/],
    ['MIGRATION_DATABASE_URL', { password: 'wrong' }, /Correct the user and the password/],
  ] as const)(
    '%s with %j is named in one line with the remedy, never with its value',
    async (name, parts, line) => {
      const { app, owner } = sharedDatabase()
      const right = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
      const url = changed(right[name], parts)
      for (const argv of [['tenant', 'list'], ['serve']]) {
        const exit = await sandbox.run(argv, { ...right, [name]: url, JWT_SECRET, PORT: '0' })
        expect(exit).toMatchObject({ code: 1, out: '' })
        const complaints = complaintsOf(exit)
        expect(complaints).toEqual([expect.stringMatching(line)])
        expect(complaints[0]?.startsWith(`${name}: `)).toBe(true)
        expect(complaints[0]).not.toContain(new URL(url).password)
      }
    },
  )

  it('for want of rights names the role that is needed', async () => {
    const { app } = database()
    const exit = await sandbox.run(['migrate'], { DATABASE_URL: app })
    expect(exit).toMatchObject({ code: 1, out: '' })
    expect(complaintsOf(exit)).toEqual([
      expect.stringMatching(
        /^DATABASE_URL: permission denied.+MIGRATION_DATABASE_URL needs the role that owns/,
      ),
    ])
  })
})

describe.concurrent('--env-file', () => {
  it('overrides the DATA_DIR of the environment', async () => {
    const folder = await sandbox.folder()
    const settings = join(folder, 'fahrplan.env')
    writeFileSync(settings, `# the unit's\nDATA_DIR=${join(folder, 'elsewhere')}\n`)
    const exit = await sandbox.run(['user', 'list', '--env-file', settings], { DATA_DIR: '/dev/null/x' })
    expect(exit).toMatchObject({ code: 2, out: '' })
    expect(exit.err).toContain(`${join(folder, 'elsewhere')} (DATA_DIR, read from ${settings};`)
  })

  it('that does not exist is rejected by name with exit code 2', async () => {
    const exit = await sandbox.run(['tenant', 'list', '--env-file', '/nowhere/settings'], {})
    expect(exit).toMatchObject({ code: 2, out: '', err: expect.stringContaining('/nowhere/settings') })
  })

  it('overrides the environment and replaces all of its database settings', async () => {
    const file = join(await sandbox.folder(), 'settings')
    writeFileSync(file, 'DATA_DIR="/srv/a b#c"\nPORT=1\n')
    const env = { DATABASE_URL: 'postgres://x', MIGRATION_DATABASE_URL: 'postgres://y', PORT: '2', HOST: 'h' }
    expect(settingsFor({ 'env-file': file }, { env })).toEqual({
      env: { DATA_DIR: '/srv/a b#c', PORT: '1', HOST: 'h' },
      file,
    })
  })

  it('keeps a # within a value, and rejects a comment behind one', async () => {
    const file = join(await sandbox.folder(), 'settings')
    writeFileSync(file, `# a comment\nJWT_SECRET=a#b=c# \nMAIL_FROM="A #1 <a@b.example>"\nPORT=1\nHOST=\n`)
    expect(settingsFor({ 'env-file': file }, { env: {} }).env).toEqual({
      JWT_SECRET: 'a#b=c#',
      MAIL_FROM: 'A #1 <a@b.example>',
      PORT: '1',
      HOST: '',
    })
    for (const line of ['PORT=1 # the proxy', 'PORT=#the proxy', 'PORT= # the proxy']) {
      writeFileSync(file, `HOST=h\n${line}\n`)
      expect(() => settingsFor({ 'env-file': file }, { env: {} }), line).toThrow(
        /line 2: put the comment behind the value of PORT on a line of its own/,
      )
    }
  })

  it('defaults to the file of the systemd unit, unless the environment names a database', async () => {
    const unitFile = join(await sandbox.folder(), 'fahrplan.env')
    expect(settingsFor({}, { env: {}, unitFile })).toEqual({ env: {} })
    writeFileSync(unitFile, 'JWT_SECRET=x\n')
    const { DATA_DIR } = UNIT_SETTINGS
    expect(settingsFor({}, { env: {}, unitFile })).toEqual({
      env: { DATA_DIR, JWT_SECRET: 'x' },
      file: unitFile,
    })
    expect(settingsFor({}, { env: { DATA_DIR: 'here' }, unitFile })).toEqual({ env: { DATA_DIR: 'here' } })
    const unit = readFileSync(join(ROOT, 'deploy/fahrplan.service'), 'utf8')
    expect(settingsFor({ 'env-file': join(ROOT, 'deploy/fahrplan.env') }, { env: {} }).env).toMatchObject({
      JWT_SECRET: '',
      TRUST_PROXY: '127.0.0.1',
    })
    expect(unit).toContain(`EnvironmentFile=${UNIT_SETTINGS.file}\nEnvironment=DATA_DIR=${DATA_DIR}\n`)
  })
})

describe.concurrent('a data directory', () => {
  it('that cannot be created is rejected with its path and the reason', async () => {
    const exit = await sandbox.run(tenantCreate(), { DATA_DIR: '/proc/x' })
    expect(exit).toMatchObject({ code: 1, out: '' })
    expect(complaintsOf(exit)).toEqual([
      expect.stringMatching(/^The data directory \/proc\/x cannot be used: ENOENT/),
    ])
  })

  it('that is a file, or inside one, is rejected with its path and the reason', async () => {
    const file = join(await sandbox.folder(), 'file')
    writeFileSync(file, '')
    for (const DATA_DIR of [file, join(file, 'below')]) {
      const exit = await sandbox.run(tenantCreate(), { DATA_DIR })
      const refusal = new RegExp(`^The data directory ${DATA_DIR} cannot be used: ${file} is not a folder`)
      expect(complaintsOf(exit)).toEqual([expect.stringMatching(refusal)])
    }
  })

  it('of another user is rejected for root', async () => {
    const isRoot = process.getuid?.() === 0
    const DATA_DIR = await sandbox.dataDir()
    if (isRoot) chownSync(DATA_DIR, 65_534, 65_534)
    const exit = await sandbox.run(['migrate'], { DATA_DIR })
    const refusal = expect.stringMatching(/belongs to another user.+sudo -u '#65534'/)
    expect([exit.code, ...complaintsOf(exit)]).toEqual(isRoot ? [1, refusal] : [0])
  })

  it('whose lock cannot be opened is rejected with its path', async () => {
    const DATA_DIR = await sandbox.folder()
    mkdirSync(join(DATA_DIR, 'lock'))
    const exit = await sandbox.run(['migrate'], { DATA_DIR })
    expect(complaintsOf(exit)).toEqual([
      expect.stringMatching(
        new RegExp(`^The data directory ${DATA_DIR} cannot be used: unable to open database file`),
      ),
    ])
  })

  it.each([['serve'], ['demo']])('gets no database from %s if the port is taken', async (command) => {
    const DATA_DIR = join(await sandbox.folder(), 'data')
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const PORT = String((other.address() as AddressInfo).port)
    const exit = await sandbox.run([command], { DATA_DIR, JWT_SECRET, PORT })
    other.close()
    expect(exit).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`port ${PORT}`) })
    expect(() => readdirSync(join(DATA_DIR, 'database'))).toThrow('ENOENT')
  })
})
