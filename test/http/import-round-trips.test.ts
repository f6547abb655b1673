import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()

type Row = Readonly<Record<string, unknown>>

async function exported(school: School, path: string): Promise<string> {
  const answer = await fetch(`${service().url}/api/v1/exports/${path}`, {
    headers: school.client.headers,
  })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer()).toString('base64')
}

const NAMES = [
  'Suharto',
  'O’Connor',
  "O'Brien",
  "'t Hooft",
  'Müller-Lüdenscheidt',
  'von der Leyen',
  'Şahin',
  'Yıldırım',
  'Wiśniewski',
  '王小明',
  'Иванова',
  'محمد',
  'Nguyễn Thị',
  'MÜLLER, Max',
  'A;B',
  'Say "Hi"',
  '5" Felgen',
  '=1+1',
  '-',
  '–',
  '+49',
  '@home',
  'Gro§',
  'Name',
  'null',
  '1099 Dresden',
  '15112345678',
  '4,93E+11',
]
const name = fc.oneof(
  fc.constantFrom(...NAMES),
  fc
    .string({ unit: fc.constantFrom(...'aäß;,|"\'=+-–“ §'), minLength: 1, maxLength: 8 })
    .filter((text) => text.trim() !== ''),
)

it('every student of an export is imported unchanged into another school', async () => {
  const rows = fc.sample(
    fc.record({
      first_name: name,
      last_name: name,
      phone: fc.option(fc.constantFrom('030 5550145', '15112345678', '+49 30 5550146')),
      pickup_place: fc.option(name),
      notes: fc.option(fc.oneof(name, fc.constant('eins\n"zwei"\n\ndrei; vier'))),
      birth_date: fc.option(fc.constantFrom('2008-02-29', '1999-12-31')),
      archived: fc.boolean(),
    }),
    { numRuns: 150, seed: Number(process.env.RACE_SEED ?? 7) },
  )
  const from = await aSchool(service())
  for (const { archived, ...row } of rows) {
    const { id } = must(201, await from.client.post('/students', row))
    if (archived) must(200, await from.client.patch(`/students/${id}`, { archived }))
  }
  const stored = must(200, await from.client.get('/students')) as Row[]
  const file = await exported(from, 'students.csv')
  const into = await aSchool(service())
  const preview = must(200, await into.client.post('/student-imports/check', { file }))
  expect([preview.faults, preview.students, preview.encoding]).toEqual([[], rows.length, 'utf-8'])
  const import_lines = preview.duplicates.map(({ line }: { line: number }) => line)
  must(200, await into.client.post('/student-imports', { file, import_lines }))
  const imported = must(200, await into.client.get('/students')) as Row[]
  expect(described(imported)).toEqual(described(stored))
})

const FIELDS = ['first_name', 'last_name', 'phone', 'pickup_place', 'notes', 'birth_date'] as const

function described(rows: readonly Row[]): readonly string[] {
  return rows
    .map((row) => JSON.stringify([...FIELDS.map((field) => row[field]), row.archived_at !== null]))
    .toSorted()
}
