import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import { extract } from 'tar'
import { describe, expect, it } from 'vitest'
import { execute, useFreshDatabase } from '../cli/fresh-database.ts'
import { useSandbox } from '../cli/sandbox.ts'
import { printed } from '../cli/school.ts'
import { Client, type Reached } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { complaintsOf, type Environment, JWT_SECRET, requireSuccess } from '../support/process.ts'

/** Databases of older releases, made by `make-fixture.ts`. Each folder is named after its newest migration. */
const FIXTURES = join(import.meta.dirname, 'fixtures')

type Lists = { readonly [List in 'appointments' | 'students' | 'instructors']: readonly Row[] }

/** A release's responses about its schools before the upgrade. */
type ReleaseData = {
  readonly login: { readonly email: string; readonly password: string }
} & { readonly [Database in 'embedded' | 'postgres']: Lists }

const sandbox = useSandbox()

/** Returns the releases with a file of this name. */
function releasesWith(name: string): readonly string[] {
  const found = readdirSync(FIXTURES).filter((release) => existsSync(join(FIXTURES, release, name)))
  if (found.length === 0) throw new Error(`no release has left ${name}`)
  return found
}

const toldBy = (release: string): ReleaseData =>
  JSON.parse(readFileSync(join(FIXTURES, release, 'told.json'), 'utf8'))

/** Expects everything that the release returned for a school to be unchanged, except for additional newer fields. */
async function requireAll(
  reached: Reached,
  release: string,
  database: 'embedded' | 'postgres',
): Promise<void> {
  const { login, [database]: lists } = toldBy(release)
  const visitor = new Client(reached)
  const { token } = (await visitor.post('/auth/login', login)).body
  const client = visitor.with({ authorization: `Bearer ${token}` })
  for (const name of ['appointments', 'students', 'instructors'] as const) {
    expect(lists[name].length).toBeGreaterThan(0)
    expect((await client.get(`/${name}`)).body).toMatchObject(lists[name])
  }
}

describe.each(releasesWith('data-dir.tar.zst'))('the data directory of %s', (release) => {
  it('is migrated at startup and keeps all its data', async () => {
    const DATA_DIR = await sandbox.folder()
    const unpacked = extract({ cwd: DATA_DIR, strict: true })
    await pipeline(
      createReadStream(join(FIXTURES, release, 'data-dir.tar.zst')),
      createZstdDecompress(),
      unpacked as unknown as NodeJS.WritableStream,
    )
    const { service, url } = await sandbox.serve({ DATA_DIR })
    await service.says(/"migrations":\["/)
    await requireAll({ url }, release, 'embedded')
    requireSuccess(await sandbox.run(['doctor'], { DATA_DIR }))
  })
})

describe.each(releasesWith('dump.sql.zst'))('the dump of %s', (release) => {
  const database = useFreshDatabase()

  it('can be restored on PostgreSQL and migrated, and keeps all its data', async () => {
    const { app, owner } = database()
    const server = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
    const dump = zstdDecompressSync(readFileSync(join(FIXTURES, release, 'dump.sql.zst'))).toString()
    // These lines are commands of `psql`.
    await execute(owner, dump.replaceAll(/^\\.*$/gm, ''))
    requireSuccess(await sandbox.run(['migrate'], server))
    const { url } = await sandbox.serve(server)
    await requireAll({ url }, release, 'postgres')
    requireSuccess(await sandbox.run(['doctor'], server))
  })
})

describe.each(releasesWith('school.ndjson.gz'))('the school exported by %s', (release) => {
  const database = useFreshDatabase()

  it('can be imported and keeps all its data', async () => {
    const { app, owner } = database()
    const server = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
    requireSuccess(
      await sandbox.run(['tenant', 'import', '--in', join(FIXTURES, release, 'school.ndjson.gz')], server),
    )
    const { url } = await sandbox.serve(server)
    await requireAll({ url }, release, 'embedded')
    requireSuccess(await sandbox.run(['doctor'], server))
  })
})

it('a data directory of another PostgreSQL version is rejected, and a portable backup can replace it', async () => {
  const { DATA_DIR, made } = await sandbox.schoolDir()
  const environment: Environment = { DATA_DIR, JWT_SECRET, PORT: '0' }
  const file = join(await sandbox.folder(), 'backup.gz')
  requireSuccess(await sandbox.run(['backup', '--portable', '--out', file], environment))
  const versionFile = join(environment.DATA_DIR ?? '', 'database', 'PG_VERSION')
  writeFileSync(versionFile, '17\n')
  for (const command of [['serve'], ['doctor'], ['tenant', 'list']]) {
    const exit = await sandbox.run(command, environment)
    expect(exit).toMatchObject({ code: 1, out: '' })
    expect(complaintsOf(exit)).toEqual([
      expect.stringMatching(/is of PostgreSQL 17, and this Fahrplan has PostgreSQL 18.*backup --portable/),
    ])
  }
  expect(readFileSync(versionFile, 'utf8')).toBe('17\n')
  const restored = await sandbox.run(['restore', '--in', file, '--replace'], environment)
  expect(restored.code).toBe(0)
  expect(complaintsOf(restored)).toEqual([
    'The erasures of the replaced database cannot be read: it is of PostgreSQL 17. Unless --erasures FILE lists them, they are not repeated.',
  ])
  const schools = await printed<Row[]>(sandbox, ['tenant', 'list', '--json'], environment)
  expect(schools.map(({ id }) => id)).toEqual([made.tenantId])
})
