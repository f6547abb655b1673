import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

function bytesOf(text: string, encoding: BufferEncoding = 'utf-8'): string {
  return Buffer.from(text, encoding).toString('base64')
}

function preview(text: string): Promise<Answer> {
  return school.client.post('/vehicle-imports/check', { file: bytesOf(text) })
}

function send(text: string, more: object = {}, key?: string): Promise<Answer> {
  const headers = key === undefined ? undefined : { 'idempotency-key': key }
  return school.client.post('/vehicle-imports', { file: bytesOf(text), ...more }, headers)
}

async function vehicles(client = school.client): Promise<readonly Row[]> {
  return (await client.get('/vehicles')).body
}

const FILE = 'Name;Art;Kennzeichen\nGolf;car;B-FS 1\nAnhänger;trailer;'

describe('a file of vehicles', () => {
  it('that was exported is imported into another school unchanged', async () => {
    await school.client.post('/vehicles', {
      name: '=Golf; "Rot"',
      kind: 'car',
      gearbox: 'manual',
      license_classes: ['B', 'B197'],
      plate: 'B-FS 1',
      notes: '-1\nzwei Zeilen',
    })
    await school.client.post('/vehicles', { name: 'Hänger', kind: 'trailer', active: false })
    const { headers } = school.client
    const exported = await fetch(`${service().url}/api/v1/exports/vehicles.csv`, { headers })
    const file = Buffer.from(await exported.arrayBuffer()).toString('base64')
    const other = await aSchool(service())
    const { body } = await other.client.post('/vehicle-imports/check', { file })
    expect(body).toMatchObject({ encoding: 'utf-8', delimiter: ';', vehicles: 2, faults: [], duplicates: [] })
    const answer = await other.client.post('/vehicle-imports', { file })
    expect([answer.status, answer.body]).toEqual([200, { imported: 2, skipped_lines: [] }])
    const known = (rows: readonly Row[]) =>
      rows.map(({ id: _, created_at: __, updated_at: ___, ...row }) => row)
    expect(known(await vehicles(other.client))).toEqual(known(await vehicles()))
    const again = (await school.client.post('/vehicle-imports', { file })).body
    expect(again).toEqual({ imported: 0, skipped_lines: [2, 4] })
  })

  it.each([
    ['AT', 'Europe/Vienna', 'A1/A2/A (direct)'],
    ['CH', 'Europe/Zurich', 'A1/A 35kW/A'],
    ['PL', 'Europe/Warsaw', 'A1/A2/A'],
  ])('that was exported in %s keeps classes with a slash', async (country, timezone, name) => {
    const [from, to] = [
      await aSchool(service(), { country, timezone }),
      await aSchool(service(), { country, timezone }),
    ]
    const license_classes = ['B', name]
    await from.client.post('/vehicles', { name: 'Enduro', kind: 'motorcycle', license_classes })
    const { headers } = from.client
    const exported = await fetch(`${service().url}/api/v1/exports/vehicles.csv`, { headers })
    const file = Buffer.from(await exported.arrayBuffer()).toString('base64')
    must(200, await to.client.post('/vehicle-imports', { file }))
    expect(await vehicles(to.client)).toMatchObject([{ license_classes }])
  })

  it('is parsed with other spellings, and in Windows-1252', async () => {
    const text =
      "Bezeichnung;Fahrzeugtyp;Schaltung;Führerscheinklasse;Aktiv\nHänger;ANHÄNGER;;BE;nein\n'=Polo;Pkw;Automatik;B/B197;"
    const { body } = await school.client.post('/vehicle-imports', { file: bytesOf(text, 'latin1') })
    expect(body).toEqual({ imported: 2, skipped_lines: [] })
    expect(await vehicles()).toMatchObject([
      { name: '=Polo', kind: 'car', gearbox: 'automatic', license_classes: ['B', 'B197'], active: true },
      { name: 'Hänger', kind: 'trailer', gearbox: null, license_classes: ['BE'], active: false },
    ])
  })

  it('lacks the required columns, or is rejected with more than 500 lines', async () => {
    const [nameless, long] = [
      await preview('Kennzeichen\nB-FS 1'),
      await preview(`Name;Art\n${'A;car\n'.repeat(501)}`),
    ]
    expect(nameless.body.missing_fields).toEqual(['name', 'kind'])
    expect(long.body.errors).toMatchObject([{ pointer: '/file', code: 'too_many_lines' }])
  })

  it('has its faults reported by line, and can be imported without the faulty lines', async () => {
    const text = `${FILE}\n;car;\nRad;Fahrrad;B-FS 2\nBus;car;${'x'.repeat(21)}`
    const { body } = await preview(text)
    const told = body.faults.map(({ line, column, code }: Row) => [line, column, code])
    expect([body.faulty_lines, told]).toEqual([
      3,
      [
        [4, 'name', 'required'],
        [5, 'kind', 'not_allowed'],
        [6, 'plate', 'too_long'],
      ],
    ])
    const refused = await send(text)
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/file/4/name'])
    expect(await vehicles()).toEqual([])
    expect((await send(text, { skip_faulty_lines: true })).body).toEqual({
      imported: 2,
      skipped_lines: [],
      faulty_lines: [4, 5, 6],
    })
  })

  it('adds no vehicle twice, except for lines in import_lines', async () => {
    const first = await send(FILE, {}, 'once')
    const again = await send(FILE, {}, 'once')
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    const [golf] = (await preview('Name;Art;Kennzeichen\nPolo;car;b fs 1')).body.duplicates
    expect(golf).toMatchObject({ line: 2, likeness: 'plate', same_as: { line: null, name: 'Golf' } })
    expect((await send(FILE, { import_lines: [3] })).body).toEqual({ imported: 1, skipped_lines: [2] })
    expect((await preview('Name;Art;Kennzeichen\nGolf;car;B-FS 3')).body.duplicates).toEqual([])
  })

  // A file is one long transaction.
  it('is imported as one set, which can be undone and redone', { tags: 'embedded' }, async () => {
    const set = (await send(FILE)).headers.get('x-request-id')
    const undone = await school.client.post(`/changes/sets/${set}/undo`)
    expect([undone.status, undone.body.undone.length]).toEqual([200, 2])
    expect(await vehicles()).toEqual([])
    const { set_id } = undone.body
    expect((await school.client.post(`/changes/sets/${set_id}/undo`)).body.undone).toHaveLength(2)
    expect(await vehicles()).toHaveLength(2)
  })
})
