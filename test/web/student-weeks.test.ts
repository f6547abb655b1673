import { expect, it } from 'vitest'
import { daysLater, mondayOf } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
const TODAY = '2032-05-04'
const [THIS, NEXT] = [mondayOf(TODAY), daysLater(mondayOf(TODAY), 7)]

/** Makes a school with an instructor who works on two days, and a student who wishes for one of them. */
async function anOffice(actions: object) {
  service().setClock(new Date(`${TODAY}T06:00:00Z`))
  const school = await aSchool(service())
  must(200, await school.client.patch('/tenant', { student_actions: { wish: true, ...actions } }))
  const hours = [2, 3].map((weekday) => ({ weekday, start: '08:00', end: '18:00' }))
  await school.instructor({ license_classes: ['B'], availability_windows: hours })
  const license_class_template_id = await templateOf(school, 'B')
  const student = await school.student({ birth_date: '2008-04-12', license_class_template_id })
  must(201, await school.client.post(`/students/${student.id}/wishes`, { minutes: 90, weekdays: [2] }))
  const read = async (week: string): Promise<Row> =>
    (await school.client.get(`/students/${student.id}/availability/${week}`)).body
  return { school, student, read }
}

it('a student without JavaScript answers for the next week in two taps from the link, and sees what is impossible', async () => {
  const { school, student, read } = await anOffice({ proof: 'none' })
  const { url } = must(200, await school.client.post(`/students/${student.id}/link`))
  const page = await open('/login', { ...PHONE, javaScriptEnabled: false })
  await page.goto(`${url}?lang=en`)
  await page.getByRole('link', { name: 'When can you come?' }).tap()
  await page.getByRole('button', { name: 'As I wished' }).first().tap()
  await page.getByText('Your answer · Lessons: 1 · As I wished').waitFor()
  expect(await read(NEXT)).toMatchObject({ lessons: 1, windows: null })
  const next = page.locator('section').filter({ hasText: 'Next week: 10–16 May' })
  await next.getByText('Give other times').tap()
  const times = next.locator('details')
  await times.getByLabel('Wednesday, 12 May').check()
  await times.getByLabel('Sunday, 16 May').check()
  await times.getByLabel('Not before').fill('14:00')
  await times.getByLabel('Lessons in the week, planned ones included').selectOption('2')
  await times.getByRole('button', { name: 'Send' }).tap()
  await next.getByText('Your answer · Lessons: 2').waitFor()
  const sunday = next.getByRole('listitem').filter({ hasText: 'Sunday, 16 May' })
  await sunday.getByText('No lesson is possible at this time at the moment.').waitFor()
  await expect.poll(() => page.getByText('No lesson is possible at this time at the moment.').count()).toBe(1)
  await sunday.getByRole('button', { name: 'Withdraw' }).tap()
  await sunday.waitFor({ state: 'detached' })
  const window = { date: '2032-05-12', time_from: '14:00', time_to: '24:00', minutes: 90 }
  expect(await read(NEXT)).toMatchObject({ lessons: 2, windows: [window] })
  await page.getByRole('button', { name: 'I cannot come' }).last().tap()
  await page.getByText('Your answer · I cannot come').waitFor()
  expect(await read(THIS)).toMatchObject({ lessons: 0 })
})

it('the office enters a week on the card by keyboard, sees what is impossible, and takes it back', async () => {
  const { school, student, read } = await anOffice({})
  const page = await open(`/students?student=${student.id}`, { as: school })
  await page.clock.setFixedTime(new Date(`${TODAY}T06:00:00Z`))
  await page.reload()
  const card = page.getByRole('dialog').first()
  await card.getByText('When the student can come').click()
  const next = card
    .getByRole('listitem')
    .filter({ hasText: /10\s?–\s?16 May/ })
    .first()
  await next.getByText('No answer yet: the wishes apply.').waitFor()
  await next.getByRole('button', { name: 'Enter week' }).press('Enter')
  const form = page.getByRole('dialog', { name: /^Week of 10/ })
  await form.getByLabel('Lessons in the week').press('ArrowUp')
  await form.getByLabel('Wednesday, not before').fill('14')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1520')
  await form.getByText('Too short for 90 minutes.').waitFor()
  expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await form.getByLabel('Wednesday, not after').fill('1730')
  await form.getByText('Too short for 90 minutes.').waitFor({ state: 'detached' })
  await page.keyboard.press('Tab')
  await page.keyboard.type('9')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await next.getByText('2 lessons').waitFor()
  await next.getByText(/Wed 12 May · 14:00–17:30 · 90/).waitFor()
  const thursday = next.getByRole('listitem').filter({ hasText: '09:00–24:00' })
  await thursday.getByText('No lesson is possible then at the moment.').waitFor()
  await expect.poll(() => card.getByText('No lesson is possible then at the moment.').count()).toBe(1)
  const windows = [
    { date: '2032-05-12', time_from: '14:00', time_to: '17:30', minutes: 90 },
    { date: '2032-05-13', time_from: '09:00', time_to: '24:00', minutes: 90 },
  ]
  expect(await read(NEXT)).toMatchObject({ lessons: 2, windows })
  await next.getByRole('button', { name: 'Take the answer back' }).click()
  await next.getByText('No answer yet: the wishes apply.').waitFor()
  await next.getByRole('button', { name: 'Enter week' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await next.getByText('One lesson · as wished').waitFor()
  expect(await read(NEXT)).toMatchObject({ lessons: 1, windows: null })
})

it('the office enters lessons a week, which a week begins with, and the first day of a wish', async () => {
  const { school, student } = await anOffice({})
  const page = await open(`/students?student=${student.id}`, { as: school })
  await page.clock.setFixedTime(new Date(`${TODAY}T06:00:00Z`))
  await page.reload()
  const card = page.getByRole('dialog').first()
  await card.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog').last()
  await form.getByLabel('Lessons a week').fill('3')
  await form.getByRole('button', { name: 'Save' }).click()
  const read = async () => (await school.client.get(`/students/${student.id}`)).body.lessons_per_week
  await expect.poll(read).toBe(3)
  await card.getByText('When the student can come').click()
  await card.getByRole('button', { name: 'Enter week' }).first().click()
  const week = page.getByRole('dialog', { name: /^Week of 10/ })
  expect(await week.getByLabel('Lessons in the week').inputValue()).toBe('3')
  await week.getByRole('button', { name: 'Cancel' }).click()
  await card.getByText('Wishes for lessons').click()
  await card.getByRole('button', { name: 'Add wish' }).click()
  const wish = page.getByRole('dialog', { name: 'Add wish' })
  await wish.getByLabel('Valid from').fill('17.5.2032')
  await wish.getByLabel('Valid until').fill('31.5.2032')
  await page.keyboard.press('Enter')
  await wish.waitFor({ state: 'detached' })
  await card.getByText(/from 17 May 2032 · until 31 May 2032/).waitFor()
  const wishes = (await school.client.get(`/students/${student.id}/wishes`)).body
  expect(wishes.at(-1)).toMatchObject({ from: '2032-05-17', until: '2032-05-31' })
})
