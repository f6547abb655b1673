import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let student: Row
let url: string

beforeAll(async () => {
  school = await aSchool(service())
  student = await school.student()
  url = String(must(200, await school.client.post(`/students/${student.id}/link`)).url)
})

async function languageOf(address: string, accepted?: string): Promise<string | undefined> {
  const headers = accepted === undefined ? {} : { 'accept-language': accepted }
  const html = await (await fetch(address, { headers })).text()
  return /<html lang="([^"]+)"/.exec(html)?.[1]
}

async function speak(language: string | null): Promise<void> {
  must(200, await school.client.patch(`/students/${student.id}`, { language }))
}

describe("a student's page", () => {
  it.each([
    ['the parameter first', 'tr', '?lang=ar', 'ru', 'ar'],
    ["then the student's language", 'tr', '', 'ru', 'tr'],
    ['then the one that the browser accepts', null, '', 'ru', 'ru'],
    ["then the school's", null, '', 'fr', 'de'],
    ["the student's in place of an unknown parameter", 'tr', '?lang=fr', 'ru', 'tr'],
  ])('uses %s', async (_, own, query, accepted, language) => {
    await speak(own)
    expect(await languageOf(url + query, accepted)).toBe(language)
  })

  it("has its calendar in the student's language", async () => {
    await speak('tr')
    const file = await (await fetch(`${url}.ics`)).text()
    expect(file).toMatch(/^NAME:Direksiyon dersleri/m)
  })
})

describe('the language of a student', () => {
  it.each(['POST', 'PATCH'])(
    'by %s must be one of the pages in the country of the school',
    async (method) => {
      const change = { language: 'fr' }
      const { status, body } =
        method === 'POST'
          ? await school.client.post('/students', { first_name: 'Lena', last_name: 'Vogt', ...change })
          : await school.client.patch(`/students/${student.id}`, change)
      expect(status).toBe(400)
      expect(body.errors).toEqual([
        {
          pointer: '/language',
          code: 'not_offered',
          detail: expect.stringContaining('language must be one of de, en, tr, ar, ru, or null'),
        },
      ])
    },
  )

  it('is read in a file by its code, or by its name in German, English or itself', async () => {
    const other = await aSchool(service())
    const lines = ['Vorname;Nachname;Sprache', 'A;A;tr', 'B;B;Türkisch', 'C;C;Arabic', 'D;D;русский', 'E;E;']
    const file = Buffer.from(lines.join('\n')).toString('base64')
    expect(must(200, await other.client.post('/student-imports', { file }))).toMatchObject({ imported: 5 })
    const rows = must(200, await other.client.get('/students')) as unknown as Row[]
    expect(rows.map(({ language }) => language)).toEqual(['tr', 'tr', 'ar', 'ru', null])
    const wrong = Buffer.from('Vorname;Nachname;Sprache\nF;F;Französisch').toString('base64')
    const { body } = await other.client.post('/student-imports/check', { file: wrong })
    expect(JSON.stringify(body)).toContain('language must be one of de, en, tr, ar, ru')
  })
})
