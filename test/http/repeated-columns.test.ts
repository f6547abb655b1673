import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const NAME = { first_name: 'Lena', last_name: 'Vogt' }

it.each([
  ['Bemerkung;Hinweis', 'mag Regen;Brille', ['notes', 'notes'], { notes: 'mag Regen\nBrille' }],
  ['Hinweis;Notizen', 'Brille;mag Regen', ['notes', 'notes'], { notes: 'Brille\nmag Regen' }],
  ['Telefon;Mobil', '030 1;0171 2', ['phone', 'phone'], { phone: '030 1', phone_2: '0171 2' }],
  [
    'Mobil;Handy;Telefon',
    '0171 2;0160 3;030 1',
    ['phone', null, 'phone'],
    { phone: '0171 2', phone_2: '030 1' },
  ],
  [
    'Telefon;Mobil;Telefon 2',
    '030 1;0171 2;0160 3',
    ['phone', null, 'phone_2'],
    { phone: '030 1', phone_2: '0160 3' },
  ],
  ['Name', 'Vogt, Lena', [null], {}],
])(
  'columns %s are imported as the preview of the file lists them',
  async (headings, cells, columns, fields) => {
    const text = `${headings};Vorname;Nachname\n${cells};Lena;Vogt`
    const file = Buffer.from(text).toString('base64')
    const preview = must(200, await school.client.post('/student-imports/check', { file }))
    expect(preview.columns.map(({ column }: { column: string | null }) => column)).toEqual([
      ...columns,
      'first_name',
      'last_name',
    ])
    must(200, await school.client.post('/student-imports', { file }))
    expect((await school.client.get('/students')).body).toMatchObject([{ ...NAME, ...fields }])
  },
)
