import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const students = async () => (await school.client.get('/students')).body
const send = (text: string) =>
  school.client.post('/student-imports', { file: Buffer.from(text).toString('base64') })

it.each(['students', 'instructors'])(
  '%s have a second phone number, and its changes are in the history',
  async (resource) => {
    const given = { first_name: 'Lena', last_name: 'Vogt', phone: '030 1', phone_2: '  0171 2 ' }
    const { id, phone_2 } = must(201, await school.client.post(`/${resource}`, given))
    expect(phone_2).toBe('0171 2')
    expect(must(200, await school.client.patch(`/${resource}/${id}`, { phone_2: null })).phone_2).toBe(null)
    const [changed] = must(200, await school.client.get(`/${resource}/${id}/history`))
    expect([changed.before, changed.after]).toEqual([
      { phone_2: '0171 2', version: 1 },
      { phone_2: null, version: 2 },
    ])
  },
)

describe('a student import', () => {
  it.each([
    ['Telefon;Mobil', '030 1;0171 2', '030 1', '0171 2'],
    ['Telefon;Telefon 2', '030 1;0171 2', '030 1', '0171 2'],
    ['Phone;Phone 2', ';0171 2', null, '0171 2'],
    ['Telefon;Mobil', ';0171 2', '0171 2', null],
    ['Telefon;Mobil', '030 1;030 1', '030 1', null],
  ])(
    'maps the columns %s with the cells %s to phone and phone_2',
    async (headings, cells, phone, phone_2) => {
      must(200, await send(`Vorname;Nachname;${headings}\nLena;Vogt;${cells}`))
      expect(await students()).toMatchObject([{ phone, phone_2 }])
    },
  )

  it('reports the column of a second number that a spreadsheet has rounded', async () => {
    const { body } = await send('Vorname;Nachname;Telefon 2\nLena;Vogt;4,93E+11')
    expect(body.errors[0].pointer).toBe('/file/2/phone_2')
  })

  it('finds a duplicate by the second phone number', async () => {
    await school.student({
      first_name: 'Emil',
      last_name: 'Kaya',
      phone: '030 5550145',
      phone_2: '0171 5550146',
    })
    const file = Buffer.from('Vorname;Nachname;Telefon\nEmil;Busch;+49 171 5550146').toString('base64')
    const { body } = await school.client.post('/student-imports/check', { file })
    expect(body.duplicates).toMatchObject([{ line: 2, likeness: 'phone' }])
  })
})
