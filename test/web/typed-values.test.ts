import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let page: Page
let dialog: Locator
let jonas: Row

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', max_daily_units: 8 })
})

const field = (name: string) => dialog.getByLabel(name, { exact: true }).first()
const save = () => dialog.getByRole('button', { name: 'Save' }).click()

describe('the field for units a day', () => {
  const stored = async () => (await school.client.get(`/instructors/${jonas.id}`)).body.max_daily_units

  beforeEach(async () => {
    page = await open(`/instructors?instructor=${jonas.id}`, { as: school })
    dialog = page.getByRole('dialog')
  })

  it.each([
    ['7,5', 'Enter a whole number.'],
    ['-3', '1 at least.'],
    ['0', '1 at least.'],
    ['97', '96 at most.'],
  ])('keeps the invalid value %s, shows an error, and is not saved', async (text, words) => {
    const units = field('Units a day')
    await units.fill('')
    await units.pressSequentially(text)
    await save()
    await dialog.getByText(words).waitFor()
    await expect.poll(() => units.inputValue()).toBe(text.replace(',', '.'))
    await expect.poll(() => stored()).toBe(8)
    await units.fill('7')
    await save()
    await expect.poll(stored).toBe(7)
  })

  it.each(['7,5', ' 7.5 '])('reads the pasted text “%s” as 7.5, not 75', async (text) => {
    const units = field('Units a day')
    await units.click()
    await page.keyboard.insertText(text)
    await expect.poll(() => units.inputValue()).toBe('7.5')
    await save()
    await dialog.getByText('Enter a whole number.').waitFor()
    await expect.poll(() => stored()).toBe(8)
  })
})

it('an invalid time stays in the field with an error', async () => {
  page = await open('/?date=2032-03-01', { as: school })
  dialog = page.getByRole('dialog')
  await page.locator('.column-head').first().waitFor()
  await page.keyboard.press('n')
  await field('Start').fill('25:70')
  await page.keyboard.press('Tab')
  await dialog.getByText('There is no such time.').waitFor()
  await expect.poll(() => field('Start').inputValue()).toBe('25:70')
})

it('typing after a click replaces a time or a number', async () => {
  page = await open('/?date=2032-03-01', { as: school })
  dialog = page.getByRole('dialog')
  await page.locator('.column-head').first().waitFor()
  await page.keyboard.press('n')
  for (const [name, text, shown] of [
    ['Start', '9:15', '09:15'],
    ['Duration', '60', '60 min'],
    ['End', '10:30', '10:30'],
  ] as const) {
    await field(name).click()
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
    await expect.poll(() => field(name).inputValue()).toBe(shown)
  }
})

it('typing after each click replaces a time or date that Tab has focused', async () => {
  page = await open('/?date=2032-03-01', { as: school })
  dialog = page.getByRole('dialog')
  await page.locator('.column-head').first().waitFor()
  await page.keyboard.press('n')
  await field('Date').focus()
  await page.keyboard.press('Tab')
  await dialog.locator('input:focus').and(field('Start')).waitFor()
  for (const text of ['09:15', '14:45']) {
    await field('Start').click()
    await page.keyboard.type(text)
    await expect.poll(() => field('Start').inputValue()).toBe(text)
  }
  await page.keyboard.press('Shift+Tab')
  await dialog.locator('input:focus').and(field('Date')).waitFor()
  await field('Date').click()
  await page.keyboard.type('2.3.2032')
  await expect.poll(() => field('Date').inputValue()).toBe('2.3.2032')
})

it('a text that is too long shows an error and is not truncated', async () => {
  const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  page = await open(`/students?student=${lena.id}`, { as: school })
  dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Last name').first().fill('x'.repeat(203))
  await field('Notes').fill('y'.repeat(5001))
  await save()
  await dialog.getByText('Too long by 3: the maximum is 200 characters.').waitFor()
  await dialog.getByText('Too long by 1: the maximum is 5000 characters.').waitFor()
  expect((await dialog.getByLabel('Last name').first().inputValue()).length).toBe(203)
  await dialog.getByLabel('Last name').first().fill('x'.repeat(200))
  await field('Notes').fill('y'.repeat(5000))
  await save()
  const { id } = lena
  await expect
    .poll(async () => (await school.client.get(`/students/${id}`)).body)
    .toMatchObject({ last_name: 'x'.repeat(200), notes: 'y'.repeat(5000) })
})

it('the form shows the real length of a lesson during which the clocks change', async () => {
  page = await open('/?date=2032-03-26', { as: school })
  dialog = page.getByRole('dialog')
  await page.locator('.column-head').first().waitFor()
  await page.keyboard.press('n')
  await field('Date').fill('28.3.2032')
  await field('Start').fill('01:30')
  await field('Duration').fill('120')
  const words = dialog.getByText(
    /^The clocks change that night: the lesson lasts 60 min and counts as 120 min/,
  )
  await words.waitFor()
  await field('Date').fill('29.3.2032')
  await words.waitFor({ state: 'detached' })
})

it('a phone number that lost its zero shows a warning until it has one', async () => {
  const { id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  page = await open(`/students?student=${id}`, { as: school })
  dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await field('Phone').fill('15112345678')
  await field('E-mail').focus()
  const warning = dialog.getByText('No messages are sent to it.')
  await warning.waitFor()
  await field('Phone').fill('0151 12345678')
  await field('E-mail').focus()
  await warning.waitFor({ state: 'detached' })
  await field('Phone').fill('+43 664 1234567')
  await save()
  await expect
    .poll(async () => (await school.client.get(`/students/${id}`)).body)
    .toMatchObject({ phone: '+43 664 1234567' })
})

const paste = async (text: string, label: string) => {
  await field(label).focus()
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(text)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  })()`)
}

it('an implausible phone number or e-mail address shows a warning, but is saved', async () => {
  const { id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  page = await open(`/students?student=${id}`, { as: school })
  dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await field('Phone').fill('abc')
  await field('E-mail').fill('hannah@klein')
  await paste('tel:+49305550145', 'Phone 2')
  await expect.poll(() => field('Phone 2').inputValue()).toBe('+49305550145')
  await paste('"Klein, Hannah" <hannah@klein.example>;', 'E-mail')
  await expect.poll(() => field('E-mail').inputValue()).toBe('hannah@klein.example')
  await field('E-mail').fill('hannah@klein')
  await field('Phone 2').fill('030 5550145')
  await dialog.getByText('This is probably not a phone number.').waitFor()
  await dialog.getByText('This is probably not an e-mail address.').waitFor()
  await expect.poll(() => dialog.getByText('This is probably not').count()).toBe(2)
  await save()
  await expect
    .poll(async () => (await school.client.get(`/students/${id}`)).body)
    .toMatchObject({ phone: 'abc', email: 'hannah@klein', phone_2: '030 5550145' })
})
