import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Offer } from '../../src/contract/offer.ts'
import { daysLater } from '../../src/domain/local-time.ts'
import { localToday } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** Far enough ahead that students without a lesson are waiting, and no clock changes. */
const day = daysLater(localToday(new Date(), 'Europe/Berlin'), 2)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let lesson: Row
let emma: Row
let mara: Row
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  // The name of a public holiday would move the board while a test measures it.
  await school.client.patch('/tenant', { holidays: 'ignore' })
  const { id: instructor_id } = await school.instructor()
  const { id: student_id } = await school.student()
  emma = await school.student({ first_name: 'Emma', last_name: 'Kaya', phone: '+49 30 5550101' })
  mara = await school.student({ first_name: 'Mara', last_name: 'Lindt' })
  for (const { id } of [emma, mara]) await school.client.post(`/students/${id}/wishes`, { minutes: 90 })
  const times = { start_at: `${day} 10:00`, end_at: `${day} 11:30` }
  lesson = await school.lesson({ instructor_id, student_id, ...times })
  await school.client.post(`/appointments/${lesson.id}/cancel`, { by: 'student' })
})

const offers = async () => (await school.client.get('/offers')).body

describe('the time of a cancelled lesson', () => {
  it('can be offered to two students by link, and the first to accept gets it', async () => {
    page = await open(`/?date=${day}&lesson=${lesson.id}`, { as: school })
    await page.getByRole('button', { name: 'Who could come?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who could come?' })
    await dialog
      .getByText(/matches a wish/)
      .nth(1)
      .waitFor()
    expect(await dialog.getByRole('link', { name: '+49 30 5550101' }).getAttribute('href')).toBe(
      'tel:+49305550101',
    )
    await dialog.getByRole('checkbox', { name: /Emma Kaya/ }).check()
    await dialog.getByRole('checkbox', { name: /Mara Lindt/ }).check()
    await dialog.getByRole('button', { name: 'Offer to 2 students' }).click()
    const url = await dialog.getByLabel('Link for Emma Kaya').inputValue()
    const other = await dialog.getByLabel('Link for Mara Lindt').inputValue()
    const student = await open('/icon.svg', { ...PHONE, locale: 'en-GB' })
    await student.goto(url)
    await student.getByRole('button', { name: 'Accept and book' }).tap()
    await student.getByRole('heading', { name: 'Booked' }).waitFor()
    await student.goto(other)
    await student.getByRole('heading', { name: 'No longer available' }).waitFor()
    await dialog.getByText('Emma Kaya has accepted.').waitFor()
    expect(await offers()).toMatchObject([{ state: 'taken', taken_by: emma.id }])
  })

  it('is offered to each student with the duration of their wish', async () => {
    const tom = await school.student({ first_name: 'Tom', last_name: 'Berg' })
    await school.client.post(`/students/${tom.id}/wishes`, { minutes: 45 })
    page = await open(`/?date=${day}&lesson=${lesson.id}`, { as: school })
    await page.getByRole('button', { name: 'Who could come?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who could come?' })
    for (const name of [/Emma Kaya/, /Mara Lindt/, /Tom Berg/])
      await dialog.getByRole('checkbox', { name }).check()
    await dialog.getByRole('button', { name: 'Offer to 3 students' }).click()
    const link = dialog.getByLabel('Link for Tom Berg')
    await link.waitFor()
    const made = (await offers()).map(({ end_at, links }: Offer) => [end_at, links.length])
    expect(new Set(made.map(String))).toEqual(new Set([`${day} 10:45,1`, `${day} 11:30,2`]))
    const student = await open('/icon.svg', { ...PHONE, locale: 'en-GB' })
    await student.goto(await link.inputValue())
    await student.getByRole('button', { name: 'Accept and book' }).tap()
    await dialog.getByText('Tom Berg has accepted.').waitFor()
    await dialog.getByText('The time is no longer free.').waitFor()
  })

  it('is not offered any more to a student whom a colleague books elsewhere at that time', async () => {
    page = await open(`/?date=${day}&lesson=${lesson.id}`, { as: school })
    await page.getByRole('button', { name: 'Who could come?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who could come?' })
    await dialog.getByRole('checkbox', { name: /Emma Kaya/ }).check()
    const { id: instructor_id } = await school.instructor()
    const times = { start_at: `${day} 10:30`, end_at: `${day} 11:15` }
    await school.lesson({ instructor_id, student_id: emma.id, ...times })
    await dialog.getByRole('checkbox', { name: /Emma Kaya/ }).waitFor({ state: 'detached' })
    await dialog.getByRole('checkbox', { name: /Mara Lindt/ }).waitFor()
    await dialog.getByRole('button', { name: 'Offer to 0 students' }).waitFor()
  })

  it('is not offered to a student twice, and a sent offer leaves no unsaved changes', async () => {
    page = await open(`/?date=${day}&lesson=${lesson.id}`, { as: school })
    await page.getByRole('button', { name: 'Who could come?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who could come?' })
    await dialog.getByRole('checkbox', { name: /Mara Lindt/ }).check()
    await dialog.getByRole('button', { name: 'Offer to one student' }).click()
    await dialog.getByLabel('Link for Mara Lindt').waitFor()
    await dialog.getByRole('button', { name: 'Cancel', exact: true, disabled: false }).waitFor()
    await dialog.getByRole('checkbox', { name: /Emma Kaya/ }).check()
    await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await dialog.getByRole('checkbox', { name: /Emma Kaya/ }).uncheck()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('keeps a student selected who was selected while the offer to another was sent', async () => {
    page = await open(`/?date=${day}&lesson=${lesson.id}`, { as: school })
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    await page.route('**/api/v1/offers', async (route) => {
      if (route.request().method() === 'POST') {
        asked.resolve()
        await go.promise
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'Who could come?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who could come?' })
    await dialog.getByRole('checkbox', { name: /Mara Lindt/ }).check()
    await dialog.getByRole('button', { name: 'Offer to one student' }).click()
    await asked.promise
    await dialog.getByRole('checkbox', { name: /Emma Kaya/ }).check()
    go.resolve()
    await dialog.getByLabel('Link for Mara Lindt').waitFor()
    await dialog.getByRole('button', { name: 'Offer to one student', disabled: false }).waitFor()
    expect(await dialog.getByRole('checkbox', { name: /Emma Kaya/ }).isChecked()).toBe(true)
  })

  it('can be withdrawn after it was offered', async () => {
    page = await open(`/?date=${day}&lesson=${lesson.id}`, { as: school })
    await page.getByRole('button', { name: 'Who could come?' }).click()
    await page.getByRole('checkbox', { name: /Mara Lindt/ }).check()
    await page.getByRole('button', { name: 'Offer to one student' }).click()
    await page.getByRole('button', { name: 'Withdraw the offer' }).click()
    await page.getByText('The offer is withdrawn.').waitFor()
    expect(await offers()).toMatchObject([{ state: 'withdrawn' }])
  })
})

describe('a free time', () => {
  it('drawn on the board can be offered to students until a student is chosen', async () => {
    page = await open(`/?date=${day}`, { as: school })
    const strip = await boxOf(page.locator(`[data-lesson="${lesson.id}"]`))
    const column = await boxOf(page.locator('.column-head'))
    const at = { x: column.x + column.width / 2, y: strip.y + 4 }
    const { drop } = await dragWithMouse(page, at, { x: at.x, y: strip.y + strip.height - 4 })
    await drop()
    const form = page.getByRole('dialog').filter({ has: page.getByRole('combobox', { name: 'Instructor' }) })
    await form.getByRole('button', { name: 'Who could come?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who could come?' })
    await dialog.getByText(/10:00–11:30 · Jonas Brandt$/).waitFor()
    await dialog.getByRole('checkbox', { name: /Emma Kaya/ }).press('Space')
    await dialog.getByRole('button', { name: 'Offer to one student' }).press('Enter')
    await dialog.getByLabel('Link for Emma Kaya').waitFor()
    expect(await offers()).toMatchObject([
      { state: 'open', start_at: `${day} 10:00`, end_at: `${day} 11:30` },
    ])
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const students = form.getByRole('combobox', { name: 'Student' })
    await students.fill('kaya')
    await students.press('Enter')
    await form.getByRole('button', { name: 'Who could come?' }).waitFor({ state: 'detached' })
  })

  it('found by the search can be offered to students', async () => {
    page = await open(`/?date=${day}`, { as: school })
    await page.locator('.column-head').waitFor()
    await page.keyboard.press('f')
    const form = page.getByRole('dialog')
    const button = form.getByRole('button', { name: 'Who could come?' })
    await form.getByRole('radio').nth(1).check()
    await button.click()
    await page
      .getByRole('dialog', { name: 'Who could come?' })
      .getByRole('checkbox', { name: /Mara Lindt/ })
      .check()
  })

  it('in the past cannot be offered', async () => {
    page = await open(`/?date=${daysLater(day, -9)}`, { as: school })
    const column = await boxOf(page.locator('.column-head'))
    await page.mouse.click(column.x + column.width / 2, column.y + 200)
    const button = page.getByRole('dialog').getByRole('button', { name: 'Who could come?' })
    await expect.poll(() => button.isDisabled()).toBe(true)
  })
})

describe('the wishes of a student', () => {
  it('can be added and withdrawn on the card', async () => {
    page = await open(`/students?student=${mara.id}`, { as: school })
    const card = page.getByRole('dialog').first()
    await card.getByText('Wishes for lessons').click()
    await card.getByRole('button', { name: 'Add wish' }).click()
    const form = page.getByRole('dialog', { name: 'Add wish' })
    await form.getByRole('checkbox', { name: 'Monday' }).check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await form.getByLabel('Duration in minutes').fill('45')
    await form.getByLabel('Not before').fill('14:00')
    await form.getByRole('button', { name: 'Save' }).click()
    const added = card.getByRole('button', { name: /^Withdraw wish: 45 .* · Monday · 14:00–24:00/ })
    await added.click()
    await added.waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await school.client.get(`/students/${mara.id}/wishes`)).body)
      .toMatchObject([{ minutes: 90 }])
  })
})
