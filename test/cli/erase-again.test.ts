import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { enter, type Row, type School } from '../support/factory.ts'
import { type Environment, requireSuccess } from '../support/process.ts'
import { useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool, printed } from './school.ts'

const sandbox = useSandbox()
const database = useFreshDatabase()
const NAME = 'Vogtland'

type Office = {
  readonly school: School
  readonly environment: Environment
  /** Erased after the backup, wholly or except for the record, and one who stays. */
  readonly erased: Row
  readonly restricted: Row
  readonly staying: Row
}

/** A school with three students of one name, and a text about one of them. */
async function anOffice(environment: Environment, url: string): Promise<Office> {
  const school = await enter({ url }, await makeSchool(sandbox, environment))
  await makeSchool(sandbox, environment)
  const [template] = (await school.client.get('/license-class-templates')).body
  const erased = await school.student({ last_name: NAME, email: 'lena@school.example' })
  const restricted = await school.student({
    last_name: NAME,
    notes: NAME,
    license_class_template_id: template.id,
  })
  const staying = await school.student({ last_name: 'Kaya', notes: 'Ask lena@school.example' })
  return { school, environment, erased, restricted, staying }
}

/** Erases two students, and returns the path of the list that names them. */
async function erase({ school, environment, erased, restricted }: Office): Promise<string> {
  for (const { id } of [erased, restricted]) {
    await school.client.delete(`/students/${id}`)
    const line = ['student', 'erase', '--tenant', school.tenantId, '--id', id, '--yes', '--json']
    expect(await printed<Row>(sandbox, line, environment)).toMatchObject({ id })
  }
  const listed = await sandbox.run(['student', 'erasures'], environment)
  requireSuccess(listed)
  for (const [id, state] of [
    [erased.id, 'erased'],
    [restricted.id, 'restricted'],
  ])
    expect(listed.out).toContain(`${school.tenantId} ${id} ${state}\n`)
  expect(listed.out).toMatch(/^([0-9a-f-]{36} [0-9a-f-]{36} (erased|restricted)\n){2}$/)
  const list = join(await sandbox.folder(), 'erasures.txt')
  writeFileSync(list, listed.out)
  return list
}

async function expectErased({ school, restricted, staying }: Office, url: string): Promise<void> {
  const { client } = await enter({ url }, school)
  const ids = async (query = '') => (await client.get(`/students${query}`)).body.map(({ id }: Row) => id)
  expect([await ids(), await ids('?deleted=true'), await ids('?restricted=true')]).toEqual([
    [staying.id],
    [],
    [restricted.id],
  ])
  expect((await client.get(`/students/${staying.id}`)).body.notes).toBe('Ask …')
  const { text } = await client.get(`/students/${restricted.id}/data`)
  expect(JSON.parse(text).sections[0].rows).toMatchObject([{ last_name: NAME, notes: null }])
}

describe.concurrent('after the restore of an older backup', () => {
  it.each([
    ['files', 'the replaced database knows', [], false],
    ['rows', 'the list names', ['--portable'], true],
  ])('of %s, restore erases again whom %s, on the embedded database', async (_, __, how, isNamed) => {
    const DATA_DIR = await sandbox.dataDir()
    const { service, url } = await sandbox.serve({ DATA_DIR })
    const office = await anOffice({ DATA_DIR }, url)
    const backup = join(await sandbox.folder(), 'backup.gz')
    requireSuccess(await sandbox.run(['backup', ...how, '--out', backup], { DATA_DIR }))
    const list = await erase(office)
    await service.stop()
    if (isNamed) rmSync(join(DATA_DIR, 'database'), { recursive: true })
    const which = isNamed ? ['--erasures', list] : ['--replace']
    const restored = await sandbox.run(['restore', '--in', backup, ...which], { DATA_DIR })
    requireSuccess(restored)
    expect(restored.out).toContain('Erased 1 student again; of 1 only the record stays.\n')
    const again = await sandbox.run(['student', 'erase-again', '--in', list], { DATA_DIR })
    expect([again.code, again.out]).toEqual([0, 'Erased 0 students again; of 0 only the record stays.\n'])
    requireSuccess(await sandbox.run(['doctor'], { DATA_DIR }))
    const { url: later } = await sandbox.serve({ DATA_DIR })
    await expectErased(office, later)
  })

  it('restore and erase-again do it on PostgreSQL, where a hold stops them with exit 3 and a faulty list changes nothing', async () => {
    const DATA_DIR = await sandbox.dataDir()
    const { url } = await sandbox.serve({ DATA_DIR })
    const office = await anOffice({ DATA_DIR }, url)
    const { school, erased } = office
    const hold = `/students/${erased.id}/hold`
    await school.client.put(hold, { reason: 'Dispute' })
    const backup = join(await sandbox.folder(), 'backup.gz')
    requireSuccess(await sandbox.run(['backup', '--portable', '--out', backup], { DATA_DIR }))
    await school.client.delete(hold)
    const list = await erase(office)
    const { app, owner } = database()
    const server = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
    const restored = await sandbox.run(['restore', '--in', backup, '--erasures', list], server)
    const line = `${school.tenantId} ${erased.id} erased`
    expect([restored.code, restored.out]).toEqual([
      3,
      `Erased 0 students again; of 1 only the record stays.\n  on hold  ${line}\nRestored ${backup}. Run doctor to check it.\n`,
    ])
    expect(restored.err).toContain('1 student on hold not erased. End the holds, ')
    const again = (file: string) => sandbox.run(['student', 'erase-again', '--in', file], server)
    const faulty = `${list}.faulty`
    writeFileSync(faulty, readFileSync(list))
    appendFileSync(faulty, `${school.tenantId} ${NAME} erased\n`)
    expect((await again(faulty)).err).toContain('Line 3 of the list is no erasure.\n')
    const held = await again(list)
    expect([held.code, held.out]).toEqual([
      3,
      `Erased 0 students again; of 0 only the record stays.\n  on hold  ${line}\n`,
    ])
    const { url: later } = await sandbox.serve(server)
    const { client } = await enter({ url: later }, school)
    await client.delete(hold)
    expect((await again(list)).out).toBe('Erased 1 student again; of 0 only the record stays.\n')
    await expectErased(office, later)
  })
})
