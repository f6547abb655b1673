import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

function check(text: string | Buffer, more: object = {}): Promise<Answer> {
  return school.client.post('/student-imports/check', { file: Buffer.from(text).toString('base64'), ...more })
}

function send(text: string | Buffer, more: object = {}): Promise<Answer> {
  return school.client.post('/student-imports', { file: Buffer.from(text).toString('base64'), ...more })
}

async function students() {
  return (await school.client.get('/students')).body
}

describe('a file whose headings are unknown', () => {
  const FILE =
    'Rufname;Nachn.;Handynr.;Kundennr;Straße;PLZ;Ort\nLena;Vogt;0171 5550146;K-1;Allee 5;01099;Dresden'
  const COLUMNS = [
    'first_name',
    'last_name',
    'phone',
    'notes',
    'pickup_place',
    'pickup_place',
    'pickup_place',
  ]

  it('is previewed with the missing fields, an example of each column and all fields', async () => {
    const preview = must(200, await check(FILE))
    expect(preview).toMatchObject({ students: 1, missing_fields: ['last_name'], faults: [], sample: [] })
    expect(preview.fields).toEqual(expect.arrayContaining(['first_name', 'last_name', 'notes', 'name']))
    expect(preview.columns.slice(0, 3)).toEqual([
      { heading: 'Rufname', column: 'first_name', example: 'Lena' },
      { heading: 'Nachn.', column: null, example: 'Vogt' },
      { heading: 'Handynr.', column: null, example: '0171 5550146' },
    ])
    const { status, body } = await send(FILE)
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          pointer: '/file',
          code: 'column_missing',
          detail:
            'There is no column last_name. The headings in line 1 lack them: name the fields of the columns in `columns`.',
        },
      ],
    ])
  })

  it('is imported with the columns that are assigned, several joined to one field', async () => {
    const columns = COLUMNS
    expect(must(200, await check(FILE, { columns }))).toMatchObject({ missing_fields: [], faults: [] })
    must(200, await send(FILE, { columns }))
    expect(await students()).toMatchObject([
      {
        first_name: 'Lena',
        last_name: 'Vogt',
        phone: '0171 5550146',
        notes: 'Kundennr: K-1',
        pickup_place: 'Allee 5, 01099 Dresden',
      },
    ])
  })

  it('has street, postal code and town as the lines of an address', async () => {
    const file = 'Vorname;Nachname;Straße;PLZ;Ort\nLena;Vogt;Allee 5;1099;Dresden'
    expect(must(200, await check(file)).doubts).toMatchObject([
      { code: 'lost_zero', column: 'address', proposal: 'Allee 5\n01099 Dresden' },
    ])
    must(200, await send(file, { assume: ['lost_zero'] }))
    expect(await students()).toMatchObject([{ address: 'Allee 5\n01099 Dresden', pickup_place: null }])
  })

  it.each([
    ['/columns', 'out_of_range', ['first_name']],
    ['/columns/1', 'not_allowed', ['first_name', 'surname', null, null, null, null, null]],
    ['/columns/1', 'not_unique', ['last_name', 'last_name', null, null, null, null, null]],
    ['/columns/1', 'not_unique', ['name', 'last_name', null, null, null, null, null]],
  ])('is refused at %s as %s with the columns %j', async (pointer, code, columns) => {
    const { status, body } = await check(FILE, { columns })
    expect([status, body.errors]).toMatchObject([400, [{ pointer, code }]])
  })
})

it('a file without headings is imported from its first line', async () => {
  const FILE = 'Lena;Vogt\nMia;Sommer'
  const more = { heading_line: 0, columns: ['first_name', 'last_name'] }
  expect(must(200, await check(FILE))).toMatchObject({
    heading_line: 1,
    missing_fields: ['first_name', 'last_name'],
  })
  expect(must(200, await check(FILE, more))).toMatchObject({ heading_line: 0, students: 2, faults: [] })
  expect(must(200, await send(FILE, more))).toMatchObject({ imported: 2 })
})

it('a title above the headings is left out, and lines are numbered as in the file', async () => {
  const FILE = 'Schülerliste;;\n\nVorname|Name|E-Mail\nLena|Vogt|keine'
  expect(must(200, await check(FILE))).toMatchObject({
    delimiter: '|',
    heading_line: 3,
    faults: [{ line: 4, column: 'email' }],
  })
})

it.each([
  ['Name', ['Vogt, Lena', 'Mia Sommer', 'Anna von der Leyen']],
  ['Name, Vorname', ['Vogt Lena', 'Sommer Mia', 'von der Leyen Anna']],
  ['Vor- und Nachname', ['LENA Vogt', 'Mia Sommer', 'Anna von der Leyen']],
])('whole names below the heading %s are split', async (heading, names) => {
  const lines = [`"${heading}";Telefon`, ...names.map((name) => `"${name}";`)]
  must(200, await send(lines.join('\n')))
  const found = (await students()).map(({ first_name, last_name }: Record<string, string>) => [
    last_name,
    first_name,
  ])
  expect(found.toSorted()).toEqual(
    heading === 'Vor- und Nachname'
      ? [
          ['LENA', 'Vogt'],
          ['Sommer', 'Mia'],
          ['von der Leyen', 'Anna'],
        ]
      : [
          ['Sommer', 'Mia'],
          ['Vogt', 'Lena'],
          ['von der Leyen', 'Anna'],
        ],
  )
})

describe('a doubtful value', () => {
  it('without its leading zero is imported as it is, or with the zero if that is assumed', async () => {
    const FILE =
      'Vorname;Name;Telefon;Abholort\nLena;Vogt;15112345678;1099 Dresden\nMia;Sommer;4915112345679;'
    const { doubts, faults } = must(200, await check(FILE))
    expect([faults, doubts]).toEqual([
      [],
      [
        {
          code: 'lost_zero',
          column: 'phone',
          lines: 2,
          line: 2,
          value: '15112345678',
          proposal: '015112345678',
        },
        {
          code: 'lost_zero',
          column: 'pickup_place',
          lines: 1,
          line: 2,
          value: '1099 Dresden',
          proposal: '01099 Dresden',
        },
      ],
    ])
    must(200, await send(FILE, { assume: ['lost_zero'] }))
    expect(await students()).toMatchObject([
      { last_name: 'Sommer', phone: '+4915112345679' },
      { last_name: 'Vogt', phone: '015112345678', pickup_place: '01099 Dresden' },
    ])
    const other = await aSchool(service())
    must(200, await other.client.post('/student-imports', { file: Buffer.from(FILE).toString('base64') }))
    expect((await other.client.get('/students')).body).toMatchObject([
      { phone: '4915112345679' },
      { phone: '15112345678' },
    ])
  })

  it('is found in an address of several lines, which becomes one', async () => {
    const FILE = 'Vorname;Name;Abholort\nLena;Vogt;"Allee 5,\n\n 1099 Dresden\n"'
    expect(must(200, await check(FILE)).doubts).toMatchObject([{ proposal: 'Allee 5, 01099 Dresden' }])
    must(200, await send(FILE, { assume: ['lost_zero'] }))
    expect(await students()).toMatchObject([{ pickup_place: 'Allee 5, 01099 Dresden' }])
  })

  it('with one name only is a fault, or imported as the first name if that is assumed', async () => {
    for (const FILE of [
      'Name\nSuharto\nLena Vogt',
      'Vorname;Nachname\n;Suharto\nLena;Vogt',
      'Vorname;Nachname\nSuharto;\nLena;Vogt',
    ]) {
      const { doubts, faults } = must(200, await check(FILE))
      expect(doubts).toMatchObject([
        { code: 'one_name', lines: 1, line: 2, value: 'Suharto', proposal: 'Suharto –' },
      ])
      expect(faults).toMatchObject([
        {
          line: 2,
          code: 'one_name',
          value: FILE.startsWith('Vorname;Nachname\n;') ? '' : expect.any(String),
        },
      ])
      expect(must(200, await check(FILE, { assume: ['one_name'] }))).toMatchObject({
        faults: [],
        students: 2,
      })
    }
    must(200, await send('Name\nSuharto\nLena Vogt', { assume: ['one_name'] }))
    expect(await students()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ first_name: 'Suharto', last_name: '–' }),
        expect.objectContaining({ last_name: 'Vogt' }),
      ]),
    )
  })
})

it('addresses, numbers and dates are imported as programs copy them', async () => {
  must(
    200,
    await send(
      'Vorname;Name;E-Mail;Telefon;Geburtsdatum\nMax;Müller;"Max Müller <MAX@X.DE>, ";\u202atel:+49 30 5550145\u202c;03.05.2006 00:00:00',
    ),
  )
  expect(await students()).toMatchObject([
    { email: 'max@x.de', phone: '+49 30 5550145', birth_date: '2006-05-03' },
  ])
})

describe('letters that look wrong', () => {
  const bytes = (text: string, ...letters: number[]) =>
    Buffer.concat(
      [...text].map((one) => (one === '*' ? Buffer.from([letters.shift() ?? 0]) : Buffer.from(one))),
    )

  it.each([
    ['macintosh', bytes('Vorname;Name\nJ*rgen;Gro*', 0x9f, 0xa7), 'Jürgen', 'Groß'],
    ['windows-1254', bytes('Vorname;Name\nAy*e;Y*ld*z', 0xfe, 0xfd, 0xfd), 'Ayşe', 'Yıldız'],
  ])('are read right in %s', async (encoding, file, first_name, last_name) => {
    const preview = must(200, await check(file))
    expect(preview).toMatchObject({
      encoding,
      words: [first_name, last_name],
      sample: [{ first_name, last_name }],
    })
  })

  it('are a fault of their line until the encoding is chosen', async () => {
    // In code page 850 of DOS, which no browser reads, ü is 0x81; 0x9f is ü in Mac Roman.
    const file = bytes('Vorname;Name\nJ*rgen;Vogt\nMia;Sommer', 0x81)
    const { faults } = must(200, await check(file))
    expect(faults).toMatchObject([{ line: 2, column: 'first_name', code: 'wrong_letters' }])
    const mac = bytes('Vorname;Name\nK*hn;B*hm', 0x9f, 0x9a)
    expect(must(200, await check(mac, { encoding: 'macintosh' }))).toMatchObject({
      encoding: 'macintosh',
      faults: [],
      sample: [{ first_name: 'Kühn', last_name: 'Böhm' }],
    })
    expect(must(200, await check('Vorname;Name\nJÃ¼rgen;Vogt'))).toMatchObject({
      faults: [{ code: 'wrong_letters' }],
    })
    expect((await check(mac, { encoding: 'latin-1' })).status).toBe(400)
  })
})

it.each([
  ['a rule below the headings', '| Vorname | Name |\n|---|---|\n| Lena | Vogt |'],
  ['the headings of another page', 'Vorname;Name\nLena;Vogt\nVorname;Name\n'],
  ['the end mark of DOS', 'Vorname;Name\r\nLena;Vogt\r\n\x1a'],
  ['a padded title of one known word', 'Fahrschüler;;\nVorname;Nachn.;Handy\nLena;Vogt;'],
  ['formulas that keep zeros', '="Vorname";="Name";="Telefon"\n="Lena";="Vogt";="0171 5550146"'],
  ['whole lines in quotation marks', '"Vorname;Name;Notizen"\n"Lena;Vogt;sagt ""ja"""\n'],
  ['signs for no value', 'Vorname;Name;Telefon;Geburtsdatum\nLena;Vogt;-;00.00.0000'],
])('a file with %s is imported without it', async (title, file) => {
  const columns = title.includes('padded') ? { columns: ['first_name', 'last_name', 'phone'] } : {}
  const preview = must(200, await check(file, columns))
  expect(preview).toMatchObject({ students: 1, faults: [], missing_fields: [] })
  must(200, await send(file, columns))
  const notes = title.includes('whole') ? 'sagt "ja"' : null
  const phone = title.includes('formulas') ? '0171 5550146' : null
  expect(await students()).toMatchObject([
    { first_name: 'Lena', last_name: 'Vogt', notes, phone, birth_date: null },
  ])
})

it('a bad quotation mark is a fault of its line, and the other lines are imported', async () => {
  const FILE = 'Vorname;Name\nLena;"Vogt\nMia;Sommer\nOle;"A" B\n'
  const { faults, students: count } = must(200, await check(FILE))
  expect([count, faults]).toMatchObject([
    3,
    [
      { line: 2, column: 'last_name', value: 'Lena;"Vogt', code: 'bad_quote' },
      { line: 4, column: 'last_name', value: 'Ole;"A" B', code: 'bad_quote' },
    ],
  ])
  expect(must(200, await send(FILE, { skip_faulty_lines: true }))).toEqual({
    imported: 1,
    skipped_lines: [],
    faulty_lines: [2, 4],
  })
})

it('a name with a line break is a fault: two lines were read as one', async () => {
  expect(must(200, await check('Vorname;Name\nLena;"Vogt\nMia;Sommer"\n'))).toMatchObject({
    faults: [{ line: 2, column: 'last_name', code: 'line_break' }],
  })
})
