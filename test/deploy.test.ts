import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const COMPOSE = join(ROOT, 'deploy/compose/compose.yaml')
const scripts = ['deploy', 'deploy/compose']
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name)))
  .filter((path) => path.endsWith('.sh'))
const scratch = mkdtempSync(join(tmpdir(), 'fahrplan-deploy-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe('the scripts of deploy', () => {
  it.each(scripts)('%s can be run by a POSIX shell', (path) => {
    expect(readFileSync(path, 'utf8')).toMatch(/^#!\/bin\/sh\n/)
    expect(statSync(path).mode & 0o111).toBe(0o111)
    expect(() => execFileSync('sh', ['-n', path])).not.toThrow()
  })

  it('setup.sh installs every unit that the release has for one process', () => {
    const units = readdirSync(join(ROOT, 'deploy')).filter((name) =>
      /^fahrplan[^@]*\.(service|timer)$/.test(name),
    )
    const setup = readFileSync(join(ROOT, 'deploy/setup.sh'), 'utf8')
    const installed = /for unit in ([^;]+);/.exec(setup)?.[1]?.split(' ') ?? []
    expect(installed.toSorted()).toEqual(units.toSorted())
    for (const unit of units.filter((name) => name.endsWith('.timer')))
      expect(units).toContain(unit.replace('.timer', '.service'))
  })

  it.each(['fahrplan-backup', 'fahrplan-drill'])('%s is a unit for a script that is there', (name) => {
    const unit = readFileSync(join(ROOT, `deploy/${name}.service`), 'utf8')
    const [, script = ''] = /^ExecStart=\/opt\/fahrplan\/(\S+)$/m.exec(unit) ?? []
    expect(scripts).toContain(join(ROOT, script))
  })

  it.each([[], ['Fahrplan.example'], ['localhost'], ['https://school.example'], ['a.example;reboot']])(
    'setup.sh refuses the host %s before it changes anything',
    (...argv) => {
      const { status, stdout, stderr } = spawnSync(join(ROOT, 'deploy/setup.sh'), argv, { encoding: 'utf8' })
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^setup: name the host that browsers see.*fahrplan\.school\.example\n$/)
    },
  )
})

describe('deploy/compose', () => {
  const compose = readFileSync(COMPOSE, 'utf8')
  const settings = () => {
    const lines = readFileSync(join(scratch, 'deploy/compose/.env'), 'utf8').trim().split('\n')
    return Object.fromEntries(
      lines.map((line): [string, string] => [line.replace(/=.*/, ''), line.replace(/^\w+=/, '')]),
    )
  }
  const write = (host: string) => {
    const script = join(scratch, 'deploy/compose/settings.sh')
    return spawnSync(script, [host], { encoding: 'utf8' })
  }

  it('mounts files and starts scripts that are there', () => {
    const mounted = [...compose.matchAll(/^ +- (\.{1,2}[^:]*):/gm)].map(([, path = '']) => path)
    expect(mounted.length).toBeGreaterThan(2)
    expect(mounted.filter((path) => !existsSync(join(dirname(COMPOSE), path)))).toEqual([])
    const started = [...compose.matchAll(/\/opt\/fahrplan\/([\w/.-]+\.sh)/g)].map(([, path = '']) => path)
    expect(started.map((path) => scripts.includes(join(ROOT, path)))).toEqual([true])
  })

  it('settings.sh writes all that is required, and keeps the secrets at the next release', () => {
    for (const path of ['deploy/compose', 'package.json'])
      cpSync(join(ROOT, path), join(scratch, path), { recursive: true })
    expect(write('No Host')).toMatchObject({ status: 1, stdout: '' })
    expect(write('fahrplan.example').status).toBe(0)
    const first = settings()
    const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
    expect(Object.keys(first).toSorted()).toEqual([...new Set(required)].toSorted())
    expect(first).toMatchObject({
      FAHRPLAN_HOST: 'fahrplan.example',
      FAHRPLAN_VERSION: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
    })
    // They stand in addresses, and in SQL between quotation marks.
    const secrets = Object.entries(first).filter(([name]) => /PASSWORD|SECRET/.test(name))
    expect(secrets.filter(([, value]) => !/^[\w-]{48}$/.test(value))).toEqual([])
    expect(new Set(secrets.map(([, value]) => value)).size).toBe(4)
    expect(statSync(join(scratch, 'deploy/compose/.env')).mode & 0o077).toBe(0)
    expect(write('other.example').status).toBe(0)
    expect(settings()).toEqual({ ...first, FAHRPLAN_HOST: 'other.example' })
    expect(statSync(join(scratch, 'deploy/compose/.env')).mode & 0o077).toBe(0)
  })
})

it('a bare server takes at most twelve commands', () => {
  const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
  const [, section = ''] = /^## From a bare server to a school\n([\s\S]*?)^##/m.exec(text) ?? []
  const [, first = ''] = /((?:^ {4}\S.*\n)+)/m.exec(section) ?? []
  const commands = first.trim().split('\n')
  expect(commands.length).toBeGreaterThan(4)
  expect(commands.length).toBeLessThanOrEqual(12)
  // One command a line, so that the count is honest.
  expect(commands.filter((line) => /&&|;|\|/.test(line.replace(/#.*/, '')))).toEqual([])
})
