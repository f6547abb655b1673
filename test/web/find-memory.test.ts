import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday. */
const DATE = '2032-03-01'

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const templates = (await school.client.get('/license-class-templates')).body
  const b = templates.find(({ code }: { code: string }) => code === 'B')
  const teaching = { license_classes: ['B'], required_break_minutes: 0 }
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', ...teaching })
  const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel', ...teaching })
  const learning = { license_class_template_id: b.id, preferred_instructor_id: mira.id }
  await school.student({ first_name: 'Emma', last_name: 'Kaya', ...learning })
  await school.student({ first_name: 'Lena', last_name: 'Vogt', ...learning })
  page = await open(`/?date=${DATE}`, { as: school })
  await page.locator('.column-head', { hasText: 'Mira' }).waitFor()
})

const dialog = () => page.getByRole('dialog')
const told = (text: RegExp) => page.getByText(text).first().waitFor()
const chosen = (name: RegExp) => dialog().getByRole('radio', { name, checked: true }).waitFor()
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const isPressed = async (name: string) => (await button(name).getAttribute('aria-pressed')) === 'true'
const finder = () => dialog().getByRole('region', { name: 'Find a time' })

async function chooseStudent(letters: string, name: string): Promise<void> {
  await dialog().getByLabel('Student').first().fill(letters)
  await page.locator('[role=option][data-combobox-selected]', { hasText: name }).waitFor()
  await page.keyboard.press('Enter')
  await dialog().getByRole('radio', { checked: true }).waitFor()
}

/** Searches for a motorway drive of 135 minutes with Emma and Jonas on a Tuesday evening in March. */
async function searchForEmma(): Promise<void> {
  await page.keyboard.press('f')
  await chooseStudent('kay', 'Emma Kaya')
  await dialog().getByRole('combobox', { name: 'Type' }).fill('autobahn')
  await page.keyboard.press('Enter')
  await dialog().getByLabel('Duration').fill('135')
  await button('Tuesday').click()
  await button('From 17:00').click()
  await finder().getByLabel('Instructor').fill('jonas')
  await page.keyboard.press('Enter')
  await finder().getByLabel('Until').fill('31/03/2032')
  await page.keyboard.press('Tab')
  await chosen(/^Tue,? 2 Mar(?: 2032)?, 17:00–19:15 Jonas Brandt/)
}

async function bookForEmma(): Promise<void> {
  await searchForEmma()
  await button('Book').click()
  await told(/^Booked: Emma Kaya, Tue/)
  await dialog().waitFor({ state: 'detached' })
}

async function expectNothingKept(): Promise<void> {
  await expect.poll(() => Promise.all(['Tuesday', 'From 17:00'].map(isPressed))).toEqual([false, false])
  await expect.poll(() => finder().getByLabel('Until').inputValue()).toBe('')
  await chosen(/Mira Seidel/)
  await expect
    .poll(() => dialog().getByRole('combobox', { name: 'Type' }).inputValue())
    .not.toMatch(/^Autobahn/)
}

describe('a search', () => {
  it('keeps its criteria for the same student, on the board and on the student card', async () => {
    await bookForEmma()
    await page.keyboard.press('f')
    await chooseStudent('kay', 'Emma Kaya')
    await chosen(/^Tue,? 2 Mar(?: 2032)?, 19:15–21:30 Jonas Brandt/)
    await expect
      .poll(() => Promise.all(['Tuesday', 'From 17:00', 'Monday'].map(isPressed)))
      .toEqual([true, true, false])
    await expect.poll(() => finder().getByLabel('Until').inputValue()).toBe('31/03/2032')
    await expect
      .poll(() => dialog().getByRole('combobox', { name: 'Type' }).inputValue())
      .toMatch(/^Autobahnfahrt/)
    await button('Close').click()
    const discard = page.getByRole('button', { name: 'Discard' })
    await discard.click()
    await page.getByRole('link', { name: 'Students' }).click()
    await page.getByRole('button', { name: /^Emma/ }).first().click()
    await button('Find a time').click()
    await dialog()
      .last()
      .getByRole('radio', { name: /^Tue.*Jonas Brandt/, checked: true })
      .waitFor()
  })

  it('resets its criteria when another student is chosen in the same form', async () => {
    await searchForEmma()
    await chooseStudent('vog', 'Lena Vogt')
    await expectNothingKept()
    await chooseStudent('kay', 'Emma Kaya')
    await expectNothingKept()
  })

  it('resets its criteria after logout', async () => {
    await bookForEmma()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await logInAt(page, school)
    await page.locator('.column-head', { hasText: 'Mira' }).waitFor()
    await page.keyboard.press('f')
    await chooseStudent('kay', 'Emma Kaya')
    await expectNothingKept()
  })
})
