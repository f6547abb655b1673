import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2099-03-02'

it('a second phone number is limited in length, searchable, callable and checked for duplicates', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const student = await school.student({ phone: '030 5550145' })
  const times = { start_at: `${DATE} 08:00`, end_at: `${DATE} 09:30` }
  await school.lesson({ instructor_id, student_id: student.id, ...times })
  const page = await open(`/students?student=${student.id}`, { as: school })
  await page.getByRole('button', { name: 'Edit' }).click()
  const second = page.getByRole('dialog').getByLabel('Phone 2')
  await second.fill('0'.repeat(60))
  await page.getByText('Too long by 10: the maximum is 50 characters.').waitFor()
  await expect.poll(() => second.inputValue()).toBe('0'.repeat(60))
  await second.fill('0171 5550146')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: '0171 5550146' }).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: '0171 5550146' }).getAttribute('href'))
    .toBe('tel:01715550146')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('+49 171 555')
  await page.getByText('1 student', { exact: true }).waitFor()
  await page.goto(`${service().url}/students?add=true`)
  await page.getByRole('dialog').getByLabel('Phone', { exact: true }).fill('0171 5550146')
  await page.getByText('Lena Vogt has the same phone number.').waitFor()
  await page.goto(`${service().url}/day-sheet?day=${DATE}`)
  for (const [name, href] of [
    ['030 5550145', 'tel:0305550145'],
    ['0171 5550146', 'tel:01715550146'],
  ] as const)
    await expect.poll(() => page.getByRole('link', { name }).getAttribute('href')).toBe(href)
})
