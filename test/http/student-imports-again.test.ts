import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

function bytesOf(text: string): string {
  return Buffer.from(text).toString('base64')
}

function preview(file: string): Promise<Answer> {
  return school.client.post('/student-imports/check', { file })
}

function send(text: string, more: object = {}, key?: string): Promise<Answer> {
  const headers = key === undefined ? undefined : { 'idempotency-key': key }
  return school.client.post('/student-imports', { file: bytesOf(text), ...more }, headers)
}

async function students() {
  return (await school.client.get('/students')).body
}

describe('a probable duplicate', () => {
  const FILE = [
    'Vorname;Nachname;Telefon;Geburtsdatum',
    'Lena;Vogt;;12.04.2008',
    'Emma;Kaya;+49 30 5550145;',
    'Jürgen;Groß;;',
    'Juergen;GROSS;;',
    'Lena;Vogt;;13.04.2008',
  ].join('\n')

  it('is reported with the reason, also if it duplicates an earlier line', async () => {
    const lena = await school.student({ birth_date: '2008-04-12' })
    const emma = await school.student({ first_name: 'Emma S.', last_name: 'Kaya', phone: '030 5550145' })
    const { body } = await preview(bytesOf(FILE))
    const same = (student: { id: string } | null, line: number | null) => ({
      student_id: student?.id ?? null,
      line,
    })
    expect(body.duplicates).toMatchObject([
      { line: 2, likeness: 'birth_date', same_as: { ...same(lena, null), last_name: 'Vogt' } },
      { line: 3, likeness: 'phone', same_as: { ...same(emma, null), first_name: 'Emma S.' } },
      { line: 5, last_name: 'GROSS', likeness: 'name', same_as: same(null, 4) },
    ])
  })

  it('is skipped unless import_lines lists its line', async () => {
    await school.student({ birth_date: '2008-04-12' })
    await school.student({ first_name: 'Emma S.', last_name: 'Kaya', phone: '030 5550145' })
    const { body } = await send(FILE, { import_lines: [3] })
    expect(body).toEqual({ imported: 3, skipped_lines: [2, 5] })
    expect((await students()).map(({ first_name }: { first_name: string }) => first_name)).toEqual([
      'Jürgen',
      'Emma',
      'Emma S.',
      'Lena',
      'Lena',
    ])
  })
})

it('imports brothers and sisters with one number and one address as two people', async () => {
  await school.student({ first_name: 'Emil', last_name: 'Kaya', phone: '030 5550145' })
  const lines = ['Emma;Kaya;+49 30 5550145;kaya@mail.example', 'Ida;Kaya;030 5550145;Kaya@mail.example']
  const { body } = await send(['Vorname;Nachname;Telefon;E-Mail', ...lines].join('\n'))
  expect(body).toEqual({ imported: 2, skipped_lines: [] })
})

describe('a student file that is sent again', () => {
  const FILE = 'Vorname;Name\nLena;Vogt\nMia;Sommer'

  it('enrols no student twice, with or without an Idempotency-Key', async () => {
    const first = await send(FILE, {}, 'once')
    const again = await send(FILE, {}, 'once')
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    expect((await send(FILE)).body).toEqual({ imported: 0, skipped_lines: [2, 3] })
    expect(await students()).toHaveLength(2)
    expect((await send(`${FILE}\nA;B`, {}, 'once')).body.code).toBe('idempotency_key_reused')
  })

  // A file is one long transaction.
  it('enrols no student twice in four concurrent requests', { tags: 'embedded' }, async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(FILE)))
    expect(answers.map(({ body }) => body.imported).toSorted()).toEqual([0, 0, 0, 2])
    expect(await students()).toHaveLength(2)
  })
})

it('an import of 5,000 students does not block requests of other schools', async () => {
  const other = await aSchool(service())
  const lines = Array.from({ length: 5000 }, (_, at) => `Vorname${at};Nachname${at};s${at}@mail.example;B197`)
  const file = `Vorname;Name;E-Mail;Klasse\n${lines.join('\n')}`
  let isDone = false
  const sent = send(file).finally(() => {
    isDone = true
  })
  // The import holds the only connection of the embedded database.
  let answered = 0
  while (!isDone && service().kind === 'postgres') {
    expect((await other.client.get('/lesson-types')).status).toBe(200)
    answered += isDone ? 0 : 1
  }
  expect((await sent).body).toEqual({ imported: 5000, skipped_lines: [] })
  if (service().kind === 'postgres') expect(answered).toBeGreaterThan(0)
  expect(await students()).toHaveLength(5000)
  expect((await preview(bytesOf(file))).body.duplicates).toHaveLength(5000)
})
