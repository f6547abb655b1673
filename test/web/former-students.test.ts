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

it('a student is put away, found as former, and taken back', async () => {
  const { id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  await school.student({ first_name: 'Emre', last_name: 'Kaya' })
  const page = await open(`/students?student=${id}`, { as: school })
  const card = page.getByRole('dialog', { name: 'Lena Vogt' })
  await card.getByRole('button', { name: 'Put away' }).click()
  await page.getByText('Put away: Lena Vogt').first().waitFor()
  await card.getByText('Former student').waitFor()
  expect(await card.getByRole('button', { name: 'Book a lesson' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByText('1 student', { exact: true }).waitFor()
  await page.getByRole('searchbox').fill('vogt')
  await page.getByRole('button', { name: /Vogt.*Former student/ }).waitFor()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('searchbox').blur()
  await page.keyboard.press('/')
  await page.getByRole('dialog').getByRole('combobox').fill('lena')
  await page.getByRole('option', { name: /Lena Vogt.*Former student/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('List', { exact: true }).selectOption('Former')
  await page.getByRole('list').getByRole('button', { name: /Vogt/ }).click()
  await card.getByRole('button', { name: 'Take back' }).click()
  await card.getByRole('button', { name: 'Put away' }).waitFor()
  expect((await school.client.get(`/students/${id}`)).body.archived_at).toBeNull()
})

it('a student with lessons to come stays, and a former one is in no choice, on a phone in German', async () => {
  const instructor = await school.instructor()
  const { id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const former = await school.student({ first_name: 'Mia', last_name: 'Groß' })
  await school.client.patch(`/students/${former.id}`, { archived: true })
  await school.lesson({
    instructor_id: instructor.id,
    student_id: id,
    start_at: '2099-03-02 08:00',
    end_at: '2099-03-02 08:45',
  })
  const viewport = { width: 390, height: 844 }
  const page = await open(`/students?student=${id}`, { as: school, locale: 'de-DE', viewport })
  const card = page.getByRole('dialog', { name: 'Lena Vogt' })
  await card.getByRole('button', { name: 'Ablegen' }).click()
  await page.getByText('Es stehen noch Fahrstunden an.').waitFor()
  await card.getByRole('button', { name: 'Fahrstunde buchen' }).click()
  await page.getByRole('combobox', { name: 'Fahrschüler' }).click()
  await page.getByRole('option', { name: /Lena Vogt/ }).waitFor()
  expect(await page.getByRole('option', { name: /Mia Groß/ }).count()).toBe(0)
})
