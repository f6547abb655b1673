import { describe, expect, it } from 'vitest'
import { enter, type Row, type School } from '../support/factory.ts'
import { type Environment, requireSuccess } from '../support/process.ts'
import { onPostgres } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const sandbox = useSandbox()
const NAME = 'Vogtland'

/** A student whose only enrolment ended with a drive in 2019, and one with an open enrolment. */
async function people(school: School): Promise<readonly [Row, Row]> {
  const { client } = school
  const [template] = (await client.get('/license-class-templates')).body
  const fields = { last_name: NAME, license_class_template_id: template.id }
  const [due, active] = [await school.student(fields), await school.student(fields)]
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: '2019-05-04 08:00', end_at: '2019-05-04 09:30', status: 'completed' }
  await school.lesson({ instructor_id, student_id: due.id, ...times })
  const [enrolment] = (await client.get(`/students/${due.id}/enrolments`)).body
  await client.patch(`/enrolments/${enrolment.id}`, {
    begins_on: '2019-01-02',
    outcome: 'stopped',
    ends_on: '2019-06-01',
  })
  return [due, active]
}

type Office = { readonly environment: Environment; readonly url: string }

/** Lists who is due, and erases them. Returns a function that runs the command in the school. */
async function expectRun({ environment, url }: Office) {
  const school = await enter({ url }, await makeSchool(sandbox, environment))
  const [due, active] = await people(school)
  const run = (...more: readonly string[]) =>
    sandbox.run(['retention', '--tenant', school.tenantId, ...more], environment)
  const listed = await run()
  requireSuccess(listed)
  const [, digest = ''] = /--run (\S+)\n$/.exec(listed.out) ?? []
  expect(listed.out).toContain(': 1 student due, 0 in part, 0 kept; 0 enrolments without an end.\n')
  expect(listed.out).toContain(`  due      ${due.id}\n`)
  expect(listed.out).not.toContain(NAME)
  const done = await run('--run', digest)
  requireSuccess(done)
  expect(done.out).toBe('Erased 1 student; of 0 only the record stays; 0 skipped.\n')
  expect((await school.client.get('/students')).body.map(({ id }: Row) => id)).toEqual([active.id])
  expect((await school.client.get('/retention/runs')).body).toMatchObject([
    { actor: { kind: 'command', name: 'retention' }, erased: [due.id] },
  ])
  return { run, digest }
}

describe.concurrent('retention', () => {
  it('lists who is due, erases them on PostgreSQL, and refuses an old list', async () => {
    const { url } = await sandbox.serve(onPostgres())
    const { run, digest } = await expectRun({ environment: onPostgres(), url })
    const again = await run('--run', digest)
    expect([again.code, again.out]).toEqual([1, ''])
    expect(again.err).toContain('Other students are due today: list them again.\n')
    expect(JSON.parse((await run('--on', '2024-12-31', '--json')).out)).toMatchObject({
      on: '2024-12-31',
      due: [],
    })
    expect((await run('--on', '2024-02-03', '--run', digest)).code).toBe(2)
  })

  it('lists who is due and erases them on the embedded database of a running service', async () => {
    const environment = { DATA_DIR: await sandbox.dataDir() }
    const { url } = await sandbox.serve(environment)
    await expectRun({ environment, url })
  })

  it('fails for a school that does not exist', async () => {
    const unknown = '01890000-0000-7000-8000-000000000000'
    const { code, err } = await sandbox.run(['retention', '--tenant', unknown], onPostgres())
    expect([code, err.endsWith(`There is no school ${unknown}.\n`)]).toEqual([1, true])
  })
})
