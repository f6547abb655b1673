import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let lena: Row

beforeEach(async () => {
  school = await aSchool(service())
  lena = await school.student()
})

const HEAD = 'Nachname;Vorname;Art;Einheiten;Stand;Herkunft'
const LINE = 'Vogt;Lena;PRACTICE;6;31.03.2026;Fahrschule Nord'

function fileOf(...lines: readonly string[]): string {
  return Buffer.from([HEAD, ...lines].join('\r\n')).toString('base64')
}

function preview(...lines: readonly string[]): Promise<Answer> {
  return school.client.post('/opening-balance-imports/check', { file: fileOf(...lines) })
}

function send(lines: readonly string[], more: object = {}, key?: string): Promise<Answer> {
  const headers = key === undefined ? undefined : { 'idempotency-key': key }
  return school.client.post('/opening-balance-imports', { file: fileOf(...lines), ...more }, headers)
}

async function balance(id = lena.id, { client }: School = school): Promise<readonly Row[]> {
  return (await client.get(`/students/${id}/opening-balance`)).body
}

const entry = (fields: object = {}) => ({
  lesson_type_id: school.lessonTypes.PRACTICE,
  units: 6,
  date: '2026-03-31',
  source: 'Fahrschule Nord',
  ...fields,
})

describe('an import file of opening balances', () => {
  it('can be an export, matched by id in the same school and by name in another', async () => {
    const entries = [entry({ source: '=Nord; "alt"' }), entry(), entry(), entry({ units: 0, source: '-1' })]
    const put = await school.client.put(`/students/${lena.id}/opening-balance`, entries)
    expect(put.status, put.text).toBe(200)
    const { headers } = school.client
    const exported = await fetch(`${service().url}/api/v1/exports/opening-balances.csv`, { headers })
    const file = Buffer.from(await exported.arrayBuffer()).toString('base64')
    const { body } = await school.client.post('/opening-balance-imports', { file })
    expect(body).toEqual({ imported: 0, skipped_lines: [2, 3, 4, 5] })
    const other = await aSchool(service())
    const same = await other.student()
    const answer = await other.client.post('/opening-balance-imports', { file })
    expect(answer.body).toEqual({ imported: 4, skipped_lines: [] })
    const mapped = entries.map((one) => ({ ...one, lesson_type_id: other.lessonTypes.PRACTICE }))
    expect(await balance(same.id, other)).toEqual(mapped)
  })

  it('can use other column names, spellings, encodings and date formats', async () => {
    await school.student({ first_name: 'Jürgen', last_name: 'Groß' })
    const text = `name,Rufname,lesson,Anzahl,Datum,Herkunft\nGROSS,Juergen,practice,"12,0",1.4.26,'=Süd`
    const file = Buffer.from(text, 'latin1').toString('base64')
    const { body } = await school.client.post('/opening-balance-imports/check', { file })
    expect(body).toMatchObject({ encoding: 'windows-1252', delimiter: ',', entries: 1, faults: [] })
    expect(body.sample).toMatchObject([{ last_name: 'Groß', units: 12, date: '2026-04-01', source: '=Süd' }])
  })

  it('gets faults by line, and its valid lines are imported with skip_faulty_lines', async () => {
    await school.student({ first_name: 'Mia' })
    await school.student({ first_name: 'Mia' })
    const lines = [
      LINE,
      'Niemand;Nora;PRACTICE;6;31.03.2026;Nord',
      'Vogt;Mia;PRACTICE;6;31.03.2026;Nord',
      'Vogt;Lena;Segeln;2,5;31.02.2026;',
      'Vogt;Lena;PRACTICE;-1;2026-03-31;Nord',
      'Vogt;Lena;PRACTICE;1001;2026-03-31;Nord',
      ';;PRACTICE;1;2026-03-31;Nord',
    ]
    const { body } = await preview(...lines)
    expect(body.faults.map(({ line, column, code }: Row) => [line, column, code])).toEqual([
      [3, 'last_name', 'unknown'],
      [4, 'last_name', 'ambiguous'],
      [5, 'lesson_type', 'unknown'],
      [5, 'source', 'required'],
      [5, 'units', 'wrong_type'],
      [5, 'date', 'invalid_format'],
      [6, 'units', 'out_of_range'],
      [7, 'units', 'out_of_range'],
      [8, 'last_name', 'unknown'],
    ])
    expect((await send(lines)).status).toBe(400)
    expect(await balance()).toEqual([])
    const { body: done } = await send(lines, { skip_faulty_lines: true })
    expect(done).toEqual({ imported: 1, skipped_lines: [], faulty_lines: [3, 4, 5, 6, 7, 8] })
    expect(await balance()).toEqual([entry()])
  })

  it('adds no duplicates, with or without a key, except lines listed in import_lines', async () => {
    const first = await send([LINE], {}, 'once')
    const again = await send([LINE], {}, 'once')
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    const other = LINE.replace(';6;', ';7;')
    const { duplicates } = (await preview(LINE, other)).body
    expect(duplicates).toMatchObject([{ line: 2, likeness: 'same', units: 6 }])
    expect((await preview(other)).body.duplicates).toMatchObject([{ likeness: 'other_units', units: 6 }])
    expect((await send([other])).body).toEqual({ imported: 0, skipped_lines: [2] })
    expect((await send([other], { import_lines: [2] })).body).toEqual({ imported: 1, skipped_lines: [] })
    expect(await balance()).toEqual([entry(), entry({ units: 7 })])
  })

  it('is rejected beyond 100 entries per student', async () => {
    const lines = Array.from({ length: 101 }, (_, at) => LINE.replace('Nord', String(at)))
    const { status, body } = await send(lines)
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/file/102', code: 'too_many' }]])
    expect(await balance()).toEqual([])
  })

  // A file is one long transaction.
  it('is imported as one set, which can be undone', { tags: 'embedded' }, async () => {
    const { id } = await school.student({ first_name: 'Mia' })
    const set = (await send([LINE, LINE.replace('Lena', 'Mia')])).headers.get('x-request-id')
    const [latest] = (await school.client.get(`/students/${id}/history`)).body
    expect(latest).toMatchObject({ action: 'changed', after: { opening_balance: [entry()] } })
    const undone = await school.client.post(`/changes/sets/${set}/undo`)
    expect([undone.status, undone.body.undone.length]).toEqual([200, 2])
    expect([await balance(), await balance(id)]).toEqual([[], []])
  })
})
