import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { enter } from '../support/factory.ts'
import { complaintsOf, linesOf, requireSuccess } from '../support/process.ts'
import { enrich } from '../support/rich-school.ts'
import { rowsIn } from '../support/transfer-file.ts'
import { useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { printed } from './school.ts'

const sandbox = useSandbox()
const database = useFreshDatabase()

it('a school can be moved from an embedded database to PostgreSQL and to another embedded database', async () => {
  const folder = await sandbox.folder()
  const { made: school, ...here } = await sandbox.schoolDir()
  const { service, url } = await sandbox.serve(here)
  const ours = await enter({ url }, school)
  await enrich({ url }, ours)
  const lessons = (await ours.client.get('/appointments')).body
  const [first, second] = [join(folder, 'first.gz'), join(folder, 'second.gz')]
  const write = ['tenant', 'export', '--tenant', school.tenantId, '--json', '--out']
  const made = await printed<{ id: string; counts: object }>(sandbox, [...write, first], here)
  expect(made).toMatchObject({ id: school.tenantId, counts: { tenants: 1, appointments: 10 } })
  expect(readdirSync(join(here.DATA_DIR, 'scratch'))).toEqual([])
  expect((await service.stop()).code).toBe(0)

  const { app, owner } = database()
  const server = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
  requireSuccess(await sandbox.run(['tenant', 'import', '--in', first], server))
  await printed(sandbox, [...write, second], server)
  expect(rowsIn(second)).toEqual(rowsIn(first))

  const there = { DATA_DIR: await sandbox.dataDir() }
  const { url: elsewhere } = await sandbox.serve(there)
  const { out } = await sandbox.run(['tenant', 'import', '--in', second], there)
  expect(linesOf(out)).toEqual([
    `Created the school Fahrschule Test (${school.tenantId}) with 3 students and 10 lessons.`,
  ])
  const { client } = await enter({ url: elsewhere }, school)
  expect((await client.get('/appointments')).body).toEqual(lessons)
  requireSuccess(await sandbox.run(['doctor'], there))
})

it('a failed export leaves an existing file unchanged and no temporary file', async () => {
  const folder = await sandbox.folder()
  const out = join(folder, 'school.gz')
  writeFileSync(out, 'the last one')
  const environment = { DATA_DIR: await sandbox.dataDir() }
  const nobody = '00000000-0000-4000-8000-000000000001'
  const write = (path: string) =>
    sandbox.run(['tenant', 'export', '--tenant', nobody, '--out', path], environment)
  const failed = await write(out)
  expect([failed.code, complaintsOf(failed)]).toEqual([1, [`There is no school ${nobody}.`]])
  expect([readdirSync(folder), readFileSync(out, 'utf8')]).toEqual([['school.gz'], 'the last one'])
  expect(await write(join(folder, 'no', 'school.gz'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('ENOENT'),
  })
  const missing = await sandbox.run(['tenant', 'import', '--in', join(folder, 'none.gz')], environment)
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') })
})
