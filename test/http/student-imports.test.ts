import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const LINES = [
  'Vorname;Nachname;E-Mail;Mobil;Geburtsdatum;Führerscheinklasse;Fahrlehrer;Bemerkung;Kundennummer',
  'Jürgen;Groß;juergen@mail.example;+49 30 5550150;31.12.2007;B197;Brandt, Jonas;"mag; Regen\nund Schnee";K-1',
  'Łucja;Nowak;;;2008-02-29;Klasse BE;;;K-2',
]

function bytesOf(text: string, encoding: 'utf-8' | 'utf-16le' | 'windows-1252' = 'utf-8'): string {
  return Buffer.from(text, encoding === 'windows-1252' ? 'latin1' : encoding).toString('base64')
}

function preview(file: string): Promise<Answer> {
  return school.client.post('/student-imports/check', { file })
}

function send(text: string): Promise<Answer> {
  return school.client.post('/student-imports', { file: bytesOf(text) })
}

async function students() {
  return (await school.client.get('/students')).body
}

describe('a file of students', () => {
  it('names the template of a class that is the law today', async () => {
    await sql`update license_class_templates set valid_to = '2020-12-31'
      where tenant_id = ${school.tenantId} and code = 'BE'`.execute(service().db)
    const next = randomUUID()
    await sql`insert into license_class_templates (tenant_id, id, position, code, license_class, name, valid_from)
      values (${school.tenantId}, ${next}, 99, 'BE', 'BE', 'BE', '2021-01-01')`.execute(service().db)
    const { body } = await send('Vorname;Nachname;Klasse\nLena;Vogt;BE')
    expect(body.imported).toBe(1)
    expect((await students())[0].license_class_template_id).toBe(next)
  })

  // A file is one long transaction.
  it('is previewed, and then imported with all recognised columns', { tags: 'embedded' }, async () => {
    const jonas = await school.instructor()
    const templates: { id: string; code: string }[] = (await school.client.get('/license-class-templates'))
      .body
    const template = (code: string) => templates.find((one) => one.code === code)?.id
    const text = LINES.join('\r\n')
    expect((await preview(bytesOf(text))).body).toMatchObject({
      encoding: 'utf-8',
      delimiter: ';',
      students: 2,
      faults: [],
      faulty_lines: 0,
      duplicates: [],
      columns: [
        { heading: 'Vorname', column: 'first_name' },
        { heading: 'Nachname', column: 'last_name' },
        { heading: 'E-Mail', column: 'email' },
        { heading: 'Mobil', column: 'phone' },
        { heading: 'Geburtsdatum', column: 'birth_date' },
        { heading: 'Führerscheinklasse', column: 'license_class' },
        { heading: 'Fahrlehrer', column: 'preferred_instructor' },
        { heading: 'Bemerkung', column: 'notes' },
        { heading: 'Kundennummer', column: null },
      ],
    })
    expect(await students()).toEqual([])
    const { status, body } = await send(text)
    expect([status, body]).toEqual([200, { imported: 2, skipped_lines: [] }])
    expect(await students()).toMatchObject([
      {
        first_name: 'Jürgen',
        last_name: 'Groß',
        email: 'juergen@mail.example',
        phone: '+49 30 5550150',
        birth_date: '2007-12-31',
        license_class_template_id: template('B197'),
        preferred_instructor_id: jonas.id,
        notes: 'mag; Regen\nund Schnee',
        version: 1,
      },
      {
        first_name: 'Łucja',
        email: null,
        birth_date: '2008-02-29',
        license_class_template_id: template('BE'),
        preferred_instructor_id: null,
      },
    ])
    const [first] = await students()
    const history = (await school.client.get(`/students/${first.id}/history`)).body
    expect(history).toMatchObject([{ action: 'created', after: { last_name: 'Groß', version: 1 } }])
    // Imported students can have lessons at once.
    const times = { start_at: '2030-05-06 08:00', end_at: '2030-05-06 09:30' }
    await school.lesson({ instructor_id: jonas.id, student_id: first.id, ...times })
  })

  it.each([
    ['utf-8', ';', `\ufeff${LINES[0]}\n${LINES[1]}`, 'utf-8'],
    ['utf-16le', ';', `\ufeff${LINES[0]}\n${LINES[1]}`, 'utf-16le'],
    ['utf-16le', ';', `${LINES[0]}\n${LINES[1]}`, 'utf-16le'],
    ['windows-1252', ';', `${LINES[0]}\n${LINES[1]}`, 'windows-1252'],
    ['utf-8', ',', 'first name,SURNAME,phone\nJürgen,"Groß",030 5550150', 'utf-8'],
    ['utf-8', ',', '"Vorname","Nachname"\r\n"Jürgen","Groß"', 'utf-8'],
    ['utf-8', ';', '"Name; Familienname";"Vorname";"Nachname"\n;Jürgen;Groß', 'utf-8'],
    ['utf-8', '\t', 'first_name\tlast_name\tdob\nJürgen\tGroß\t31/12/2007', 'utf-8'],
    ['utf-8', ',', 'sep=,\r\nVorname,Name\r\nJürgen,Groß', 'utf-8'],
  ] as const)('in %s, separated by %j, is parsed', async (encoding, delimiter, text, written) => {
    await school.instructor()
    const { body } = await preview(bytesOf(text, written))
    expect(body).toMatchObject({ encoding, delimiter, students: 1, faults: [] })
    expect(body.sample).toMatchObject([{ first_name: 'Jürgen', last_name: 'Groß' }])
  })

  it('can have cells that a spreadsheet has protected with an apostrophe', async () => {
    await send("Vorname;Name;Telefon;Notiz\nJürgen;Groß;'+49 30 5550150;'=1+1")
    expect(await students()).toMatchObject([{ phone: '+49 30 5550150', notes: '=1+1' }])
  })

  it.each([
    ['empty', ''],
    ['empty', '\n\n'],
    ['workbook', 'PK\u0003\u0004 a workbook'],
    ['not_text', 'Vorname;Name\nA\0;B'],
    ['malformed', `${'Vorname;'.repeat(501)}Name\nJürgen;Groß`],
    ['too_many_lines', `Vorname;Name\n${'A;B\n'.repeat(5001)}`],
  ])('is rejected as %s', async (code, text) => {
    for (const answer of [await preview(bytesOf(text || '\n')), await send(text || '\n')]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
      expect(answer.body.errors).toMatchObject([{ pointer: expect.stringMatching(/^\/file(\/1)?$/), code }])
    }
  })
})

describe('a request body with a file', () => {
  it('is rejected with 400 malformed_json if it has 200,000 keys', async () => {
    const keys = Array.from({ length: 200_000 }, (_, at) => `"x${at}":1`)
    const answer = await school.client.post('/student-imports/check', `{${keys.join()}}`, {
      'content-type': 'application/json',
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json'])
  })

  it('is rejected with 413 if far too long, and with too_long just above the limit', async () => {
    const { status, body } = await preview('A'.repeat(3 * 1024 * 1024))
    expect([status, body.code]).toEqual([413, 'body_too_large'])
    const over = await preview('A'.repeat(2_796_208))
    expect(over.body.errors).toMatchObject([{ pointer: '/file', code: 'too_long' }])
  })
})

describe('a faulty line', () => {
  const FAULTY = [
    'Vorname;Nachname;E-Mail;Telefon;Geburtsdatum;Klasse;Fahrlehrer',
    'Lena;Vogt;lena@mail.example;030 5550145;30.02.2008;B;Brandt',
    '',
    'Jürgen;;keine;4,93E+11;morgen;Z9;Niemand',
    'Mia;Sommer;;;;;;verrutscht',
    `Emma;${'x'.repeat(201)};;;;;`,
  ].join('\n')

  it('is reported with its number, column and text, and the error detail of the API', async () => {
    await school.instructor()
    const { body } = await preview(bytesOf(FAULTY))
    expect([body.students, body.faulty_lines]).toEqual([4, 4])
    const told = body.faults.map((one: Record<string, unknown>) => [
      one.line,
      one.column,
      one.value,
      one.code,
    ])
    expect(told).toEqual([
      [2, 'birth_date', '30.02.2008', 'invalid_format'],
      [4, 'phone', '4,93E+11', 'invalid_format'],
      [4, 'license_class', 'Z9', 'unknown'],
      [4, 'preferred_instructor', 'Niemand', 'unknown'],
      [4, 'last_name', '', 'one_name'],
      [4, 'email', 'keine', 'invalid_format'],
      [4, 'birth_date', 'morgen', 'invalid_format'],
      [5, null, '', 'too_many_cells'],
      [6, 'last_name', 'x'.repeat(100), 'too_long'],
    ])
    const alone = await school.client.post('/students', {
      first_name: 'Lena',
      last_name: 'Vogt',
      email: 'keine',
    })
    const [said] = alone.body.errors
    expect(body.faults.find(({ column }: { column: string }) => column === 'email').detail).toBe(said.detail)
  })

  it('causes the whole file to be rejected with 400', async () => {
    await school.instructor()
    const answer = await send(`${FAULTY}\nAnna;Berg;;;;;`)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    expect(answer.body.errors[0]).toEqual({
      pointer: '/file/2/birth_date',
      code: 'invalid_format',
      detail: 'Line 2: birth_date must be a day that exists, as YYYY-MM-DD.',
    })
    expect(await students()).toEqual([])
  })

  it('is skipped and listed if skip_faulty_lines is true', async () => {
    await school.instructor()
    const file = bytesOf(`${FAULTY}\nAnna;Berg;;;;;`)
    const { status, body } = await school.client.post('/student-imports', { file, skip_faulty_lines: true })
    expect([status, body]).toEqual([200, { imported: 1, skipped_lines: [], faulty_lines: [2, 4, 5, 6] }])
    expect(await students()).toMatchObject([{ first_name: 'Anna' }])
  })

  it('can have a date of birth that is in the future, unlikely or incomplete', async () => {
    service().setClock(new Date('2026-11-23T09:00:00Z'))
    onTestFinished(() => service().setClock(undefined))
    school = await aSchool(service())
    const lines = ['Vorname;Name;geb.', 'A;B;24.11.2026', 'C;D;24.11.2014', 'E;F;12.4.', 'G;H;2007']
    const { body } = await preview(bytesOf(lines.join('\n')))
    expect(body.faults.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([
      [2, 'in_the_future'],
      [3, 'unlikely_age'],
      [4, 'invalid_format'],
      [5, 'invalid_format'],
    ])
  })

  it('is not reported for the notations of dates and classes that forms accept', async () => {
    const templates = (await school.client.get('/bootstrap')).body.templates
    const lines = [
      'Vorname;Name;geb.;Klasse',
      'A;B;03.05.06;B 197',
      'C;D;3. Mai 2006;b-197',
      'E;F;030506;Kl. B197',
    ]
    expect((await send(lines.join('\n'))).status).toBe(200)
    const license_class_template_id = templates.find(({ code }: { code: string }) => code === 'B197').id
    for (const student of await students())
      expect(student).toMatchObject({ birth_date: '2006-05-03', license_class_template_id })
  })

  it('can have a name that matches several instructors', async () => {
    await school.instructor({ first_name: 'Eva' })
    await school.instructor({ first_name: 'Jonas' })
    const { body } = await preview(bytesOf('Vorname;Name;Fahrlehrer\nA;B;Brandt\nC;D;Eva Brandt'))
    expect(body.faults).toMatchObject([{ line: 2, column: 'preferred_instructor', code: 'ambiguous' }])
  })
})
