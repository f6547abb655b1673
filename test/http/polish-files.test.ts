import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

it("a Polish school's file of a spreadsheet is read in Windows-1250", async () => {
  const { client } = await aSchool(service(), { country: 'PL', timezone: 'Europe/Warsaw', locale: 'pl' })
  const bytes = Buffer.from('Imi\xea;Nazwisko\n\xa3ukasz;Wi\x9cniewski', 'latin1')
  const file = bytes.toString('base64')
  const preview = must(200, await client.post('/student-imports/check', { file }))
  expect(preview).toMatchObject({ encoding: 'windows-1250', students: 1, faults: [] })
  must(200, await client.post('/student-imports', { file }))
  expect((await client.get('/students')).body).toMatchObject([
    { first_name: 'Łukasz', last_name: 'Wiśniewski' },
  ])
})

it("a Polish school's file in UTF-8 is read as it is", async () => {
  const { client } = await aSchool(service(), { country: 'PL', timezone: 'Europe/Warsaw', locale: 'pl' })
  const file = Buffer.from('Imię;Nazwisko\nŁukasz;Wiśniewski').toString('base64')
  const preview = must(200, await client.post('/student-imports/check', { file }))
  expect(preview).toMatchObject({ encoding: 'utf-8', sample: [{ last_name: 'Wiśniewski' }] })
})
