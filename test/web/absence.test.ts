import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { localToday } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const tomorrow = daysLater(localToday(new Date(), 'Europe/Berlin'), 1)
const days = [0, 1, 2].map((more) => daysLater(tomorrow, more))
const last = days.at(-1) ?? tomorrow

let school: School
let ill: Row
let other: Row
let lessons: Row[]
let page: Page
/** The clicks so far, without those on calls. */
let clicks = 0

const at = (day: string, hour: number) => `${day} ${String(hour).padStart(2, '0')}:00`

async function book(day: string, hour: number, name: string): Promise<Row> {
  const student = await school.student({ first_name: name, last_name: 'Kurz', phone: '+49 30 5550145' })
  const times = { start_at: at(day, hour), end_at: at(day, hour + 1) }
  return school.lesson({ instructor_id: ill.id, student_id: student.id, ...times })
}

beforeEach(async () => {
  school = await aSchool(service())
  ill = await school.instructor({ first_name: 'Karl', last_name: 'Krüger' })
  other = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  lessons = []
  clicks = 0
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = ({ id }: Row) => page.locator(`[data-lesson-row="${id}"]`)
const radio = (lesson: Row, name: string) => row(lesson).getByRole('radio', { name })
const stored = async ({ id }: Row) => (await school.client.get(`/appointments/${id}`)).body

async function click(what: Locator): Promise<void> {
  await what.click()
  clicks += 1
}

/** Enters the last day into the focused field. */
async function typeLastDay(): Promise<void> {
  await page.locator('input:focus').waitFor()
  const [, month, day] = last.split('-')
  await page.keyboard.type(`${day}.${month}.`)
  await page.keyboard.press('Enter')
}

describe('the absence of an instructor', () => {
  it('takes at most eight clicks to record for 18 lessons over three days, not counting calls', {
    tags: 'promise',
  }, async () => {
    for (const day of days)
      for (const hour of [8, 9, 10, 13, 14, 15]) lessons.push(await book(day, hour, `S${lessons.length}`))
    const [first, second, third] = lessons as [Row, Row, Row]
    page = await open(`/?date=${tomorrow}`, { as: school })
    await page.locator(`[data-lesson="${first.id}"]`).waitFor()
    await click(button('Karl Krüger is away'))
    await typeLastDay()
    await page.getByText('18 still undecided').waitFor()
    await expect.poll(() => page.locator('[data-lesson-row]').count()).toBe(18)
    expect(await row(first).getByRole('link').getAttribute('href')).toBe('tel:+49305550145')
    await click(button('Accept all suggestions'))
    await page.getByText('All decided').waitFor()
    await click(radio(second, 'Cancel'))
    await click(radio(third, 'Move'))
    for (const lesson of [first, second]) await row(lesson).getByRole('checkbox').check()
    await page.getByText('2 of 18 called').waitFor()
    await click(button('Record absence'))
    await page.getByText('Recorded: 16 taken over, 1 moved, 1 cancelled.').waitFor()
    expect(clicks).toBeLessThanOrEqual(8)
    expect(await stored(first)).toMatchObject({ instructor_id: other.id, start_at: at(tomorrow, 8) })
    expect(await stored(second)).toMatchObject({
      status: 'cancelled',
      cancellation: { by: 'school', reason: 'illness', charged: false },
    })
    expect((await stored(third)).start_at).not.toBe(at(tomorrow, 10))
    await page.getByText('2 of 18 called').waitFor()

    await page.reload()
    await page.getByText('2 of 18 called').waitFor()
    await page.getByText('S1 Kurz').waitFor()
    await click(button('Undo absence'))
    await page.getByText('18 still undecided').waitFor()
    for (const lesson of lessons)
      expect(await stored(lesson)).toMatchObject({ status: 'planned', instructor_id: ill.id })
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toEqual([])
  })

  it('shows the title of an appointment without a student only once', async () => {
    const times = { start_at: at(tomorrow, 8), end_at: at(tomorrow, 9) }
    const title = 'Büro, Fahrzeugpflege, Sperrzeit'
    const what = { lesson_type_id: school.lessonTypes.INTERNAL, title }
    const office = await school.lesson({ instructor_id: ill.id, ...what, ...times })
    page = await open(`/absence?instructor=${ill.id}&day=${tomorrow}`, { as: school })
    await row(office).waitFor()
    expect((await row(office).locator('div').first().innerText()).split(title)).toHaveLength(2)
  })

  it('shows the earliest possible last day if the one entered is before the first day', async () => {
    const [before, , , day] = [0, 1, 2, 3].map((more) => daysLater(tomorrow, more)) as [
      string,
      string,
      string,
      string,
    ]
    page = await open(`/absence?instructor=${ill.id}&day=${day}`, { as: school })
    await page.getByRole('textbox', { name: 'Last day' }).fill(`${before.slice(8)}.${before.slice(5, 7)}.`)
    await page.keyboard.press('Tab')
    await page.getByText(/ at the earliest\.$/).waitFor()
  })

  it('keeps its decisions across a reload and reports concurrent changes when it is recorded', async () => {
    lessons = [
      await book(tomorrow, 8, 'Ada'),
      await book(tomorrow, 10, 'Ben'),
      await book(tomorrow, 12, 'Cora'),
    ]
    const [ada, ben, cora] = lessons as [Row, Row, Row]
    page = await open('/instructors', { as: school })
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Karl Krüger' })
      .getByRole('link', { name: 'Record absence' })
      .click()
    await typeLastDay()
    await radio(ada, 'Substitute').check()
    await radio(ben, 'Cancel').check()
    await row(ben).getByRole('combobox').selectOption('vehicle')
    await radio(cora, 'Keep').check()
    await page.reload()
    await page.getByText('All decided').waitFor()
    expect(await row(ben).getByRole('combobox').inputValue()).toBe('vehicle')

    let dora: Row | undefined
    const meanwhile = [
      async () => {
        dora = await book(tomorrow, 14, 'Dora')
      },
      () => school.client.patch(`/appointments/${cora.id}`, { notes: 'brings glasses' }),
      () => school.lesson({ instructor_id: other.id, start_at: at(tomorrow, 8), end_at: at(tomorrow, 9) }),
    ]
    await page.route(`**/instructors/${ill.id}/absences`, async (route) => {
      await meanwhile.shift()?.()
      await route.continue()
    })
    await button('Record absence').click()
    await page.getByText(/^Dora Kurz, .*: the lesson was added meanwhile/).waitFor()
    await page.getByText('Your decisions are still here.').waitFor()
    await page.getByText('1 still undecided').waitFor()
    await radio(dora as unknown as Row, 'Keep').check()

    await button('Record absence').click()
    await page.getByText(/^Cora Kurz, .*: the lesson has changed meanwhile/).waitFor()
    await row(cora).getByRole('button', { name: 'Still right' }).click()

    await button('Record absence').click()
    await page.getByText(/^Ada Kurz, .*: Mira Seidel already has an appointment 08:00–09:00/).waitFor()
    expect(await stored(ben)).toMatchObject({ status: 'planned' })
    await row(ada).getByText('Mira Seidel (no longer free)').waitFor({ state: 'attached' })
    await radio(ada, 'Move').check()
    await radio(dora as unknown as Row, 'Substitute').check()
    await button('Record absence').click()
    await page.getByText('Recorded: 1 taken over, 1 moved, 1 cancelled, 1 kept.').waitFor()
    expect(await stored(ben)).toMatchObject({ status: 'cancelled', cancellation: { reason: 'vehicle' } })
    await page.keyboard.press('Control+z')
    await page.getByText(/^Undone: absence of Karl Krüger/).waitFor()
    for (const lesson of [...lessons, dora as unknown as Row])
      expect(await stored(lesson)).toMatchObject({ status: 'planned', instructor_id: ill.id })

    await row(ben).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(1)
    await button('Menu').click()
    await button('Log out').click()
    await page.locator('input[name=email]').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it('opens on the linked day and discards the decisions of another absence only after confirmation', async () => {
    const lesson = await book(tomorrow, 8, 'Ada')
    const later = daysLater(tomorrow, 20)
    const shown = (day: string) => day.split('-').toReversed().join('/')
    const first = () => page.getByRole('textbox', { name: 'First day' })
    page = await open(`/absence?instructor=${ill.id}&day=${later}`, { as: school })
    await expect.poll(() => first().inputValue()).toBe(shown(later))
    await page.getByLabel('Reason', { exact: true }).fill('flu')
    await page.goto(`${service().url}/absence?instructor=${ill.id}&day=${tomorrow}`)
    await expect.poll(() => first().inputValue()).toBe(shown(tomorrow))
    await radio(lesson, 'Cancel').check()
    await page.goto(`${service().url}/absence?instructor=${ill.id}&day=${later}`)
    await page.getByText('Another absence that you began is not finished.').waitFor()
    await expect.poll(() => first().inputValue()).toBe(shown(tomorrow))
    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await expect
      .poll(async () => {
        const box = await page.getByRole('button', { name: /^Discard it and begin on / }).boundingBox()
        return box !== null && box.x + box.width <= 360
      })
      .toBe(true)
    await page.getByRole('button', { name: /^Discard it and begin on / }).click()
    await expect.poll(() => first().inputValue()).toBe(shown(later))
    await page.getByText('Another absence').waitFor({ state: 'detached' })
  })

  it('can be recorded on a 360 px phone in German without horizontal scrolling', async () => {
    lessons = [await book(tomorrow, 8, 'Ada')]
    const [ada] = lessons as [Row]
    page = await open(`/absence?instructor=${ill.id}&day=${tomorrow}`, {
      ...{ as: school, locale: 'de-DE', colorScheme: 'dark' },
      viewport: { width: 360, height: 740 },
    })
    await radio(ada, 'Absagen').check()
    await row(ada).getByRole('combobox').selectOption('illness')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await button('Ausfall eintragen').click()
    await page.getByText('Eingetragen: 1 abgesagt.').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await button('Fertig').click()
    await page.waitForURL('**/')
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toMatchObject([
      { start_date: tomorrow, end_date: tomorrow },
    ])
  })
})
