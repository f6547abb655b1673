import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { enter } from '../support/factory.ts'
import { type Environment, requireSuccess } from '../support/process.ts'
import { onPostgres } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const sandbox = useSandbox()

type Office = { readonly environment: Environment; readonly url: string }

async function expectReported({ environment, url }: Office): Promise<void> {
  const school = await enter({ url }, await makeSchool(sandbox, environment))
  const [eva, idle] = [await school.instructor({ last_name: 'Adler' }), await school.instructor()]
  const times = { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30', status: 'completed' }
  await school.lesson({ instructor_id: eva.id, student_id: (await school.student()).id, ...times })
  const run = (...more: readonly string[]) =>
    sandbox.run(
      ['report', 'minutes', '--tenant', school.tenantId, '--month', '2026-05', ...more],
      environment,
    )
  const printed = await run()
  requireSuccess(printed)
  const listed = (await school.client.get('/minutes?month=2026-05')).body
  expect(listed).toMatchObject([{ instructor_id: eva.id, sums: { worked_minutes: 90 } }])
  expect(JSON.parse(printed.out)).toEqual(listed)
  expect(JSON.parse((await run('--instructor', idle.id.toUpperCase())).out)).toMatchObject([{ days: [] }])

  const out = join(await sandbox.folder(), 'minutes.csv')
  requireSuccess(await run('--format', 'csv', '--out', out))
  const response = await fetch(`${url}/api/v1/minutes.csv?month=2026-05`, { headers: school.client.headers })
  expect(await readFile(out)).toEqual(Buffer.from(await response.arrayBuffer()))
  expect((await run('--format', 'csv')).out.trim().split(/\r?\n/)).toHaveLength(2)

  const pdf = join(await sandbox.folder(), 'minutes.pdf')
  requireSuccess(await run('--format', 'pdf', '--out', pdf))
  const printedPdf = await fetch(`${url}/api/v1/minutes.pdf?month=2026-05`, {
    headers: school.client.headers,
  })
  expect((await readFile(pdf)).equals(Buffer.from(await printedPdf.arrayBuffer()))).toBe(true)
  expect(await run('--format', 'pdf')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--out missing'),
  })
  expect(await run('--format', 'xls')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--format must be'),
  })
  expect(await run('--month', '2026-13')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--month must be'),
  })
}

describe.concurrent('report minutes', () => {
  it('prints the minutes of a month on PostgreSQL, and writes them to a file', async () => {
    const { url } = await sandbox.serve(onPostgres())
    await expectReported({ environment: onPostgres(), url })
  })

  it('prints them through the service that holds the embedded database', async () => {
    const environment = { DATA_DIR: await sandbox.dataDir() }
    const { url } = await sandbox.serve(environment)
    await expectReported({ environment, url })
  })
})
