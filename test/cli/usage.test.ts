import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaintsOf, type Exit, linesOf, once } from '../support/process.ts'
import { onPostgres } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { anEmail, makeSchool, tenantCreate, userCreate } from './school.ts'

const sandbox = useSandbox()
const school = once(() => makeSchool(sandbox, onPostgres()))

/** A path at which no data directory can be created: a command that tries prints an error. */
const NOWHERE = { DATA_DIR: '/dev/null/data' }

const COMMANDS = [
  'demo',
  'serve',
  'migrate',
  'restore',
  'openapi',
  'tenant create',
  'tenant list',
  'tenant export',
  'tenant import',
  'user create',
  'user set-password',
  'user reset-second-factor',
  'user disable',
  'user enable',
  'user list',
  'student erase',
  'student erasures',
  'student erase-again',
  'student import',
  'student export',
  'mail list',
  'mail retry',
  'report minutes',
  'retention',
  'backup',
  'doctor',
]

describe.concurrent('help', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j shows every command', async (argv) => {
    const { code, out, err } = await sandbox.run(argv, {})
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const name of COMMANDS) expect(out).toMatch(new RegExp(`^ +${name} +[A-Z].+\\.$`, 'm'))
  })

  it.each([
    [
      ['tenant', '--help'],
      ['tenant create', 'tenant list', 'tenant export', 'tenant import'],
    ],
    [
      ['help', 'mail'],
      ['mail list', 'mail retry'],
    ],
  ])('%j shows the commands of the group', async (argv, names) => {
    const { code, out } = await sandbox.run(argv, {})
    expect([code, [...out.matchAll(/^ {2}(\w+ \w+) {2,}/gm)].map(([, name]) => name)]).toEqual([0, names])
  })

  it('for a command is printed for -h and after help, and --version prints the release', async () => {
    const lines = [['user', 'list', '-h'], ['help', 'user', 'list'], ['--version']]
    const [after, before, version] = await Promise.all(lines.map((line) => sandbox.run(line, NOWHERE)))
    expect([after?.out, before?.out]).toEqual(
      Array(2).fill(expect.stringContaining('cli -- user list [options]')),
    )
    expect(version).toMatchObject({ code: 0, out: expect.stringMatching(/^fahrplan \d+\.\d+\.\d+ /) })
  })

  it('for every command shows its usage and options', async () => {
    const helps = await Promise.all(
      COMMANDS.map((name) => sandbox.run([...name.split(' '), '--help'], NOWHERE)),
    )
    for (const [index, { code, out, err }] of helps.entries()) {
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain(`Usage: npm run --silent cli -- ${COMMANDS[index]} [options]`)
      expect(out).toMatch(/^ +-h, --help +/m)
    }
  })
})

describe.concurrent('an invalid command line', () => {
  it.each([
    [['frobnicate'], 'frobnicate'],
    [['tenant'], 'create, list, export, import'],
    [['tenant', 'delete'], 'create, list, export, import'],
    [['serve', '--port', '1'], '--port'],
    [['tenant', 'list', '--verbose'], '--verbose'],
    [['tenant', 'list', 'all'], 'all'],
    [['tenant', 'create'], '--name, --country, --timezone, --locale'],
    [['tenant', 'create', '--name'], '--name'],
    [tenantCreate('--unit-minutes', '-5'), '--unit-minutes'],
    [['user', 'create', '--email', 'a@b.example', '--name', 'A'], '--tenant, --password-stdin'],
    [['user', 'set-password', '--email', 'a@b.example'], '--password-stdin'],
    [['student', 'erase', '--tenant', 'x'], '--id'],
    [['openapi'], '--out'],
    [['doctor', '--verbose'], '--verbose'],
    [['doctor', '--tenant', 'the-first'], '--tenant'],
  ])('%j is rejected in one line that names %s', async (argv, named) => {
    const exit = await sandbox.run(argv, NOWHERE)
    expectWrongUsage(exit, named)
  })
})

describe.concurrent('an invalid value', () => {
  it.each([
    ['--country', 'XX'],
    ['--country', ''],
    ['--timezone', 'Mars/Olympus'],
    ['--timezone', '+01:00'],
    ['--timezone', 'Europe/berlin'],
    ['--timezone', 'CET'],
    ['--locale', 'deutsch'],
    ['--locale', 'de_DE'],
    ['--locale', 'xx'],
    ['--name', '   '],
    ['--unit-minutes', '9'],
    ['--unit-minutes', '241'],
    ['--unit-minutes', '45.5'],
    ['--max-daily-units', '97'],
    ['--max-continuous-minutes', '0'],
  ])('of tenant create %s %j is rejected in one line', async (option, value) => {
    expectWrongUsage(await sandbox.run(tenantCreate(option, value), onPostgres()), option)
  })

  it.each([
    ['--email', 'nobody'],
    ['--email', `${'x'.repeat(250)}@school.example`],
    ['--name', ' '],
    ['--tenant', 'the-first'],
    ['--role', 'boss'],
    ['--role', 'instructor'],
    ['--instructor', 'nobody'],
  ])('of user create %s %j is rejected in one line', async (option, value) => {
    const { tenantId } = await school()
    const line = [...userCreate(tenantId, anEmail()), option, value]
    expectWrongUsage(await sandbox.run(line, onPostgres(), 'long enough'), option)
  })

  it.each([
    ['empty', ''],
    ['7 bytes and a newline', '1234567\n'],
    ['1025 bytes', 'x'.repeat(1025)],
  ])('of a password (%s) is rejected in one line that does not show it', async (_, password) => {
    const { tenantId } = await school()
    const exit = await sandbox.run(userCreate(tenantId, anEmail()), onPostgres(), password)
    expectWrongUsage(exit, 'password')
    if (password !== '') expect(exit.err).not.toContain(password.trim())
  })

  it.each([
    ['--tenant', 'x'],
    ['--id', '00000000-0000-0000-0000-00000000000'],
  ])('of student erase %s %j is rejected in one line', async (option, value) => {
    const id = '018f0000-0000-7000-8000-000000000000'
    const line = ['student', 'erase', '--tenant', id, '--id', id, option, value]
    expectWrongUsage(await sandbox.run(line, onPostgres()), option)
  })

  it('is rejected before a database is created', async () => {
    const home = join(await sandbox.folder(), 'not-yet')
    const exit = await sandbox.run(tenantCreate('--country', 'XX'), { DATA_DIR: home })
    expectWrongUsage(exit, '--country')
    expect(linesOf(exit.err)).toHaveLength(1)
    expect(existsSync(home)).toBe(false)
  })
})

function expectWrongUsage(exit: Exit, named: string): void {
  expect(complaintsOf(exit)).toEqual([expect.stringContaining(named)])
  expect(exit).toMatchObject({ code: 2, out: '' })
}
