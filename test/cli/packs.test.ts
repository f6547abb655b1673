import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { type Client, must } from '../support/client.ts'
import { enter, type Row } from '../support/factory.ts'
import { JWT_SECRET, ROOT } from '../support/process.ts'
import { useSandbox } from './sandbox.ts'

const sandbox = useSandbox()
const TODAY = new Date().toISOString().slice(0, 10)
const [BEFORE, AFTER] = [daysLater(TODAY, -7), daysLater(TODAY, -6)]

type Template = { code: string; requirements: { lesson_type: string; required_units: number }[] } & Row
type PackText = { templates: Template[] } & Row

/** Writes a pack of Germany to a folder of its own. Returns the folder. */
async function aPack(change: (pack: PackText) => void, folder?: string): Promise<string> {
  const pack: PackText = JSON.parse(readFileSync(join(ROOT, 'packs/DE.json'), 'utf8'))
  change(pack)
  const path = folder ?? (await sandbox.folder())
  await writeFile(join(path, 'DE.json'), JSON.stringify(pack))
  return path
}

/** Splits templates into the present law and an invented one, which asks for other units of overland drives. */
function reform(pack: PackText, codes: readonly string[], rural: number): void {
  pack.templates = pack.templates.flatMap((old) => {
    if (!codes.includes(old.code)) return [old]
    const requirements = old.requirements.map((one) =>
      one.lesson_type === 'RURAL' ? { ...one, required_units: rural } : one,
    )
    return [
      { ...old, valid_to: BEFORE },
      { ...old, law: 'Invented', valid_from: AFTER, requirements },
    ]
  })
}

const ruralOf = ({ requirements }: Row) =>
  (requirements as Row[]).find(({ code }) => code === 'RURAL')?.required_units

async function templates(client: Client, query = ''): Promise<Row[]> {
  return must(200, await client.get(`/license-class-templates${query}`))
}

const isOf = (code: string) => (one: Row) => one.code === code

it('a folder of packs is refused at start with file, place and reason, by the service and by commands', async () => {
  const PACKS_DIR = await aPack((pack) => Object.assign(pack.templates[1] ?? {}, { min_age: '15' }))
  const said = `${join(PACKS_DIR, 'DE.json')}: /templates/1/min_age must be integer,null`
  const environment = { PACKS_DIR, JWT_SECRET, PORT: '0', DATA_DIR: await sandbox.folder() }
  for (const argv of [['serve'], ['doctor']]) {
    const { code, err } = await sandbox.run(argv, environment)
    expect(code).not.toBe(0)
    expect(err).toContain('The packs in PACKS_DIR have faults:')
    expect(err).toContain(said)
  }
})

it('a reform is a file: who began before keeps the law, who begins later has the new one', async () => {
  const { DATA_DIR, made } = await sandbox.schoolDir()
  const old = await sandbox.serve({ DATA_DIR })
  const { client: before } = await enter(old, made)
  const [present] = (await templates(before)).filter(isOf('B'))
  const early: Row = must(
    201,
    await before.post('/students', {
      first_name: 'Emma',
      last_name: 'Early',
      license_class_template_id: present?.id,
    }),
  )
  await old.service.stop()

  const PACKS_DIR = await aPack((pack) => reform(pack, ['B', 'A1'], 2))
  const changed = await sandbox.serve({ DATA_DIR, PACKS_DIR })
  const { client } = await enter(changed, made)
  const today = await templates(client)
  expect(today.filter(isOf('B')).map(({ id, valid_to, law }) => [id === present?.id, valid_to, law])).toEqual(
    [
      [true, BEFORE, 'FahrschAusbO'],
      [false, null, 'Invented'],
    ],
  )
  expect(today.filter(isOf('A1')).map(({ valid_from }) => valid_from)).toEqual([AFTER])
  const { body: bootstrap } = await client.get('/bootstrap')
  expect(bootstrap.templates).toEqual(today)
  expect((await templates(client, `?valid_on=${BEFORE}`)).filter(isOf('A1')).map(ruralOf)).toEqual([5])
  expect((await templates(client, '?valid_on=all')).filter(isOf('A1')).map(ruralOf)).toEqual([5, 2])
  expect(await client.get('/license-class-templates?valid_on=soon')).toMatchObject({ status: 400 })

  const next = today.filter(isOf('B')).at(-1)
  const late: Row = must(
    201,
    await client.post('/students', {
      first_name: 'Leo',
      last_name: 'Late',
      license_class_template_id: next?.id,
    }),
  )
  const ruralFor = async (student: Row) => {
    const { body } = await client.get(`/students/${student.id}/progress`)
    return body.requirements[0].required_units
  }
  expect([await ruralFor(early), await ruralFor(late)]).toEqual([5, 2])
  await changed.service.stop()

  await aPack((pack) => reform(pack, ['B', 'A1'], 3), PACKS_DIR)
  const corrected = await sandbox.serve({ DATA_DIR, PACKS_DIR })
  const { client: again } = await enter(corrected, made)
  expect((await templates(again)).filter(isOf('B')).map(ruralOf)).toEqual([5, 3])
  expect((await templates(again)).filter(isOf('B')).map(({ id }) => id)).toEqual([present?.id, next?.id])
  await corrected.service.stop()
})
