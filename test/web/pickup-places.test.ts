import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

it('a pick-up place of a student is limited to 200 characters, stored, and listed in the history', async () => {
  const school = await aSchool(service())
  const student = await school.student()
  const page = await open(`/students?student=${student.id}`, { as: school })
  await page.getByRole('button', { name: 'Edit' }).click()
  const place = page.getByRole('dialog').getByLabel('Pick-up place')
  await place.fill('x'.repeat(210))
  await page.getByText('Too long by 10: the maximum is 200 characters.').waitFor()
  await place.fill('Station, north exit')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const card = page.getByRole('dialog')
  await card.getByRole('definition').filter({ hasText: 'Station, north exit' }).waitFor()
  await card.getByText('History', { exact: true }).press('Enter')
  await card.locator('ol > li').filter({ hasText: 'Pick-up place' }).first().waitFor()
  const { body } = await school.client.get(`/students/${student.id}`)
  expect(body.pickup_place).toBe('Station, north exit')
})

it('a booking proposes the pick-up place of its student', async () => {
  const school = await aSchool(service())
  await school.instructor()
  await school.student({ pickup_place: 'Station, north exit' })
  const page = await open('/?date=2099-03-02', { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Student').first().fill('vogt')
  await page.getByRole('option').first().click()
  await dialog.getByLabel('Pick-up place').and(page.locator('[value="Station, north exit"]')).waitFor()
})

it('the form of an ordinary lesson fits a window of 900 pixels, with rare fields behind a button until they are filled in', async () => {
  const school = await aSchool(service())
  await school.instructor()
  await school.client.post('/vehicles', { name: 'Golf', kind: 'car' })
  await school.student({ pickup_place: 'Station, north exit' })
  await school.student({ first_name: 'Emre', last_name: 'Kaya' })
  const page = await open('/?date=2099-03-02', { as: school })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Book lesson' }).first().click()
  const dialog = page.getByRole('dialog')
  const student = dialog.getByLabel('Student').first()
  await student.fill('kaya')
  await page.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'More: Title, Pick-up place' }).waitFor()
  await student.fill('vogt')
  await page.getByRole('option').first().click()
  const place = dialog.getByLabel('Pick-up place')
  await place.waitFor()
  await dialog.getByText('Possible', { exact: true }).waitFor()
  expect(await dialog.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(
    2,
  )
  await place.fill('')
  await place.pressSequentially('School')
  await dialog.getByRole('button', { name: 'More: Title' }).click()
  await page.keyboard.type('First drive')
  expect(await dialog.getByLabel('Title').inputValue()).toBe('First drive')
})

it('a pick-up place is a link once the school has set the address of a map', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' }
  const lesson = await school.lesson({ instructor_id, ...times, pickup_place: 'Main street 1' })
  const page = await open('/settings?chapter=students', { as: school })
  const map = page.getByLabel('Map for pick-up places')
  await map.fill('http://map.example/{place}')
  await page.getByText('The address begins with https://').waitFor()
  await map.fill('https://map.example/{place}')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const stored = async () => (await school.client.get('/tenant')).body.map_url
  await expect.poll(stored).toBe('https://map.example/{place}')
  await page.goto(`${service().url}/?date=2099-03-02&lesson=${lesson.id}`)
  const link = page.getByRole('link', { name: 'Main street 1' })
  expect(await link.getAttribute('href')).toBe('https://map.example/Main%20street%201')
})
