import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

it('contacts are entered in the form of a student, and called and written to from the card', async () => {
  const { id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const page = await open(`/students?student=${id}`, { as: school })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit student' })
  await form.getByRole('button', { name: 'Add a contact' }).click()
  const contacts = form.getByRole('group', { name: 'Contacts' })
  await contacts.getByLabel('Name').fill(' Eva Vogt ')
  await contacts.getByLabel('Phone').fill('0170 1234567')
  await contacts.getByLabel('E-mail').fill('eva@reader.example')
  await contacts.getByRole('switch').press('Space')
  await form.getByRole('button', { name: 'Save' }).click()
  const card = page.getByRole('dialog', { name: 'Lena Vogt' })
  await card.getByText('Eva Vogt (parent or guardian)').waitFor()
  expect((await school.client.get(`/students/${id}`)).body.contacts).toEqual([
    {
      name: 'Eva Vogt',
      relation: 'guardian',
      phone: '0170 1234567',
      email: 'eva@reader.example',
      gets_messages: true,
    },
  ])
})

it('contacts have links to call and write on a phone, in German', async () => {
  const contacts = [
    { name: 'Ida Groß', relation: 'payer', phone: '0170 1234567', email: 'ida@reader.example' },
  ]
  const { id } = await school.student({ first_name: 'Lena', last_name: 'Vogt', contacts })
  const viewport = { width: 390, height: 844 }
  const page = await open(`/students?student=${id}`, { as: school, locale: 'de-DE', viewport })
  const card = page.getByRole('dialog', { name: 'Lena Vogt' })
  await card.getByText('Ida Groß (zahlt)').waitFor()
  const hrefs = await card.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(hrefs).toEqual(
    expect.arrayContaining([expect.stringMatching(/^tel:.*1701234567$/), 'mailto:ida@reader.example']),
  )
})
