import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
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
})

const dialog = () => page.getByRole('dialog')
const told = (text: RegExp) => page.getByText(text).first().waitFor()
const chosen = (name: RegExp) => dialog().getByRole('radio', { name, checked: true }).waitFor()

describe('several times', () => {
  const EVENINGS = [1, 2, 3, 4].map((weekday) => ({ weekday, start: '15:00', end: '20:00' }))

  let mira: { id: string }
  let emma: { id: string }
  /** The clicks and keys since the board was shown. */
  let clicks = 0
  let keys = 0

  beforeEach(async () => {
    const templates = (await school.client.get('/license-class-templates')).body
    const b = templates.find(({ code }: { code: string }) => code === 'B')
    mira = await school.instructor({
      first_name: 'Mira',
      last_name: 'Seidel',
      license_classes: ['B'],
      required_break_minutes: 0,
      availability_windows: EVENINGS,
    })
    const learning = { license_class_template_id: b.id, preferred_instructor_id: mira.id }
    emma = await school.student({ first_name: 'Emma', last_name: 'Kaya', ...learning })
    await school.student({ first_name: 'Lena', last_name: 'Vogt', ...learning })
    const times = { start_at: '2032-02-23 15:00', end_at: '2032-02-23 16:30' }
    await school.lesson({ instructor_id: mira.id, student_id: emma.id, ...times })
    page = await open(`/?date=${DATE}`, { as: school })
    await page.locator('.column-head', { hasText: 'Mira' }).waitFor()
    clicks = 0
    keys = 0
  })

  const alsoOn = (day: string) =>
    dialog().getByRole('checkbox', { name: new RegExp(`^${day}(?: 2032)?, 17:00`) })
  const evening = () => dialog().getByRole('button', { name: 'From 17:00' })
  const submit = (name: string) => dialog().getByRole('button', { name, exact: true })

  async function press(...struck: readonly string[]): Promise<void> {
    for (const key of struck) await page.keyboard.press(key)
    keys += struck.length
  }

  async function click(what: Locator): Promise<void> {
    await what.click()
    clicks += 1
  }

  async function findFor(letters: string, name: string): Promise<void> {
    await press('f')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(letters)
    keys += letters.length
    await page.locator('[role=option][data-combobox-selected]', { hasText: name }).waitFor()
    await press('Enter')
  }

  async function emmasLessons(): Promise<readonly Appointment[]> {
    const all: Appointment[] = (await school.client.get(`/appointments?student_id=${emma.id}`)).body
    return all.filter(({ start_at }) => start_at > DATE)
  }

  /** Chooses the evenings of Monday to Wednesday. */
  async function chooseThree(): Promise<void> {
    await findFor('kay', 'Emma Kaya')
    await click(evening())
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 17:00–18:30/)
    await click(alsoOn('Tue,? 2 Mar'))
    await click(alsoOn('Wed,? 3 Mar'))
    await submit('Book 3 lessons').waitFor()
  }

  describe('several selected times', () => {
    it('are booked together: four special drives with 5 clicks and 5 keystrokes', {
      tags: 'promise',
    }, async () => {
      await chooseThree()
      await click(alsoOn('Thu,? 4 Mar'))
      await click(submit('Book 4 lessons'))
      await told(/^Booked: 4 lessons, Emma Kaya/)
      const lessons = await emmasLessons()
      expect(lessons.map(({ start_at }) => start_at)).toEqual(
        [1, 2, 3, 4].map((day) => `2032-03-0${day} 17:00`),
      )
      expect(new Set(lessons.map(({ lesson_type_id }) => lesson_type_id))).toEqual(
        new Set([school.lessonTypes.RURAL]),
      )
      expect({ clicks, keys }).toEqual({ clicks: 5, keys: 5 })
      await page.keyboard.press('Control+z')
      await told(/^Undone: booked 4 lessons for Emma Kaya/)
      await expect.poll(() => emmasLessons()).toEqual([])
    })

    it('can be selected with Space and the arrow keys', async () => {
      await findFor('kay', 'Emma Kaya')
      await evening().click()
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 17:00/)
      await dialog().getByRole('radio', { checked: true }).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 18:30/)
      await page.keyboard.press('ArrowDown')
      await chosen(/^Tue,? 2 Mar(?: 2032)?, 17:00/)
      await submit('Book 2 lessons').waitFor()
      // The board shows the day of the time, and its former day after the search.
      await page.waitForURL(/date=2032-03-02/)
      await page.locator('button.slot-chosen', { hasText: '17:00–18:30' }).waitFor()
      await page.keyboard.press('Enter')
      await told(/^Booked: 2 lessons, Emma Kaya/)
      await page.waitForURL(/date=2032-03-01/)
      expect((await emmasLessons()).map(({ start_at }) => start_at)).toEqual([
        '2032-03-01 17:00',
        '2032-03-02 17:00',
      ])
    })

    it('stay selected when the search changes, and can be removed', async () => {
      await chooseThree()
      await dialog().getByRole('button', { name: 'Thursday' }).click()
      await alsoOn('Thu,? 4 Mar').click()
      await submit('Book 4 lessons').waitFor()
      await dialog()
        .getByRole('button', { name: /^Remove Tue,? 2 Mar(?: 2032)?, 17:00/ })
        .click()
      await submit('Book 3 lessons').click()
      await told(/^Booked: 3 lessons, Emma Kaya/)
      expect((await emmasLessons()).map(({ start_at }) => start_at.slice(8, 10))).toEqual(['01', '03', '04'])
    })

    it('are all rejected if one conflicts: the form names it and keeps the others', async () => {
      await chooseThree()
      await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
      const times = { start_at: '2032-03-02 18:00', end_at: '2032-03-02 18:30' }
      await school.lesson({ instructor_id: mira.id, ...times })
      await submit('Book 3 lessons').click()
      const answer = dialog().getByRole('alert')
      await answer.getByText('Nothing booked').waitFor()
      await answer.getByText(/Tue,? 2 Mar(?: 2032)?, 17:00–18:30.* already has an appointment/).waitFor()
      await expect.poll(() => emmasLessons()).toEqual([])
      await dialog()
        .getByRole('button', { name: /^Remove Tue,? 2 Mar(?: 2032)?, 17:00/ })
        .click()
      await submit('Book 2 lessons').click()
      await told(/^Booked: 2 lessons, Emma Kaya/)
    })
  })

  describe('a search', () => {
    it('returns no times after its last day', async () => {
      await findFor('kay', 'Emma Kaya')
      await chosen(/^Mon,? 1 Mar/)
      await evening().click()
      await alsoOn('Wed,? 3 Mar').waitFor()
      const until = dialog().getByRole('region', { name: 'Find a time' }).getByLabel('Until')
      await until.fill('02/03/2032')
      await page.keyboard.press('Tab')
      await alsoOn('Wed,? 3 Mar').waitFor({ state: 'detached' })
      await expect.poll(() => dialog().getByRole('radio').count()).toBe(4)
    })
  })
})

describe('criteria', () => {
  beforeEach(async () => {
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
})
