import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instantOf, localNow } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** The time on the clocks of the service and the pages. */
const NOW = '2032-03-01T09:15:00Z'
const tomorrow = '2032-03-02'
const HOUR = 3_600_000

let school: School
let lesson: Row
let page: Page

beforeEach(async () => {
  service().setClock(new Date(NOW))
  school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const { id: student_id } = await school.student({ first_name: 'Emma', last_name: 'Kaya' })
  const times = { start_at: `${tomorrow} 10:00`, end_at: `${tomorrow} 11:30` }
  lesson = await school.lesson({ instructor_id, student_id, ...times })
})

afterEach(() => service().setClock(undefined))

/** Opens an address at that time. */
async function at(path: string, options: Parameters<typeof open>[1] = {}): Promise<void> {
  page = await open('/icon.svg', { ...options, as: school })
  await page.clock.setFixedTime(NOW)
  await page.goto(`${service().url}${path}`)
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const form = () => page.getByRole('dialog', { name: 'Cancel lesson' })
const stored = async () => (await school.client.get(`/appointments/${lesson.id}`)).body
const policy = async () => (await school.client.get('/tenant')).body.cancellation_policy
const isFitting = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')

describe('a cancellation', () => {
  it('records who cancelled, why, and the proposed fee, and can be undone and redone', async () => {
    const step = { categories: null, notice: { hours: 96 }, fee_percent: 80 }
    await school.client.patch('/tenant', { cancellation_policy: [step] })
    await at(`/?date=${tomorrow}&lesson=${lesson.id}`)
    await button('Cancel with reason and fee…').click()
    await form().getByText('Cancelled too late').waitFor()
    await form().getByText('Your cancellation policy proposes 80% of the price.').waitFor()
    expect(await form().getByRole('radio', { name: '80% of the price' }).isChecked()).toBe(true)
    await form().getByRole('combobox', { name: 'Reason' }).selectOption('illness')
    await form().getByText('Your cancellation policy proposes no fee.').waitFor()
    await form().getByRole('combobox', { name: 'Reason' }).selectOption('other')
    await form().getByText('proposes 80%').waitFor()
    await form().getByLabel('Note for the office').fill('overslept')
    await form().getByRole('button', { name: 'Record cancellation' }).click()
    await page.getByText(/^Cancelled: Emma Kaya/).waitFor()
    const given = { by: 'student', reason: 'other', note: 'overslept', is_late: true, fee_percent: 80 }
    expect(await stored()).toMatchObject({ status: 'cancelled', cancellation: given })
    const card = page.getByRole('dialog', { name: 'Emma Kaya' })
    await card.locator('dl').getByText('too late · Fee: 80% of the price').waitFor()
    await card.getByText('History').click()
    await card
      .getByText(/by the student · .* · another reason/)
      .nth(1)
      .waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await page.getByText(/^Undone: /).waitFor()
    expect(await stored()).toMatchObject({ status: 'planned', cancellation: null })
    await page.keyboard.press('Control+y')
    await page.getByText(/^Redone: /).waitFor()
    expect(await stored()).toMatchObject({ status: 'cancelled', cancellation: given })

    await page.getByRole('link', { name: 'Students' }).click()
    await page.getByLabel('List', { exact: true }).selectOption('Missed lessons')
    const to = page.getByRole('textbox', { name: 'To' })
    const [year, month, day] = tomorrow.split('-')
    await to.fill(`${day}.${month}.${year}`)
    await to.press('Enter')
    const missed = page.getByRole('listitem').filter({ hasText: 'late cancellation · another reason' })
    await missed.getByText('late cancellation · another reason · 80% · overslept').waitFor()
    await page.getByText('1 missed lesson · 1 fee: 80% of the price').first().waitFor()
    await missed.getByRole('button', { name: 'Waive the fee' }).click()
    await missed.getByText('no fee').waitFor()
    const saved = page.waitForEvent('download')
    await button('Download').click()
    expect((await saved).suggestedFilename()).toMatch(/^missed-appointments-.*\.csv$/)
    await button('Previous month').click()
    await page.getByText('There were none in this time.').waitFor()
    await button('Next month').click()
    await missed.waitFor()
  })

  it('of a student who does not come has the fee of the policy on the card, to be waived', async () => {
    const step = { categories: null, no_show: true, fee_percent: 90 }
    await school.client.patch('/tenant', { cancellation_policy: [step] })
    const times = { start_at: '2032-03-01 06:00', end_at: '2032-03-01 07:30' }
    await school.client.patch(`/appointments/${lesson.id}`, times)
    await at(`/?date=2032-03-01&lesson=${lesson.id}`)
    await button('No-show').click()
    const card = page.getByRole('dialog', { name: 'Emma Kaya' })
    await card.getByText('Fee: 90% of the price').waitFor()
    await button('Waive the fee').click()
    await card.locator('dl').getByText('no fee').waitFor()
    expect(await stored()).toMatchObject({ status: 'no_show', no_show_fee_percent: 0 })
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await page.getByText(/^Undone: /).waitFor()
    expect(await stored()).toMatchObject({ status: 'no_show', no_show_fee_percent: 90 })
  })

  it('rejects a future date and highlights one that is many years ago', async () => {
    await at(`/?date=${tomorrow}&lesson=${lesson.id}`)
    await button('Cancel with reason and fee…').click()
    const day = form().getByLabel('Cancelled on')
    await day.fill(`${tomorrow.slice(8)}.${tomorrow.slice(5, 7)}.`)
    await page.keyboard.press('Tab')
    await form()
      .getByText(/ at the latest\.$/)
      .waitFor()
    expect(await form().getByRole('button', { name: 'Record cancellation' }).isDisabled()).toBe(true)
    await day.fill('7.1.1999')
    await page.keyboard.press('Tab')
    const colour = form().getByText(/1999, \d+ years ago/)
    await expect.poll(() => colour.evaluate((hint) => hint.className)).not.toBe('')
  })

  it('has a form that takes the focus and is closed by "Keep lesson" instead of "Cancel"', async () => {
    await at(`/?date=${tomorrow}&lesson=${lesson.id}`)
    await button('Cancel with reason and fee…').click()
    await expect
      .poll(() => page.locator('input:focus').evaluateAll(([one]) => one?.labels[0].textContent))
      .toBe('Student')
    await page.keyboard.press('ArrowRight')
    expect(await form().getByRole('radio', { name: 'School' }).isChecked()).toBe(true)
    expect(await form().getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0)
    await form().getByRole('button', { name: 'Keep lesson' }).click()
    expect(await stored()).toMatchObject({ status: 'planned' })
  })

  it('turns late in the open form when the notice period passes', async () => {
    const start = instantOf(`${tomorrow} 10:00`, 'Europe/Berlin')
    const hours = Math.floor((start - Date.parse(NOW)) / HOUR) - 1
    const step = { categories: null, notice: { hours }, fee_percent: 80 }
    await school.client.patch('/tenant', { cancellation_policy: [step] })
    page = await open('/icon.svg', { as: school })
    await page.clock.install({ time: NOW })
    await page.goto(`${service().url}/?date=${tomorrow}&lesson=${lesson.id}`)
    await button('Cancel with reason and fee…').click()
    await form().getByText('Cancelled in time').waitFor()
    const late = new Date(start - hours * HOUR + 120_000)
    service().setClock(late)
    await page.clock.setFixedTime(late)
    await page.clock.fastForward(5_000)
    await form().getByText('Cancelled too late').waitFor()
    await expect
      .poll(() => form().getByLabel('at', { exact: true }).inputValue())
      .toBe(localNow(late, 'Europe/Berlin').slice(11))
  })

  it('can be charged at 100 % without a cancellation policy, in German on a phone', async () => {
    await at(`/?date=${tomorrow}&lesson=${lesson.id}`, {
      ...{ locale: 'de-DE', colorScheme: 'dark' },
      viewport: { width: 360, height: 740 },
    })
    await button('Absage mit Grund und Gebühr …').click()
    const dialog = page.getByRole('dialog', { name: 'Fahrstunde absagen' })
    await dialog.getByText('In den Einstellungen stehen keine Absageregeln.').waitFor()
    await dialog.getByRole('radio', { name: '100 % des Preises' }).check()
    expect(await isFitting()).toBe(true)
    await dialog.getByRole('button', { name: 'Absage eintragen' }).click()
    await page.getByText(/^Abgesagt: Emma Kaya/).waitFor()
    expect(await stored()).toMatchObject({
      cancellation: { is_late: false, charged: true, fee_percent: 100 },
    })
  })
})

describe('the cancellation policy', () => {
  it.each(['en-GB', 'de-DE'])(
    'aligns the three fields of a rule in one row, with labels of equal height (%s)',
    async (locale) => {
      await at('/settings?chapter=cancellations', { locale })
      await page.getByRole('button', { name: /^(Add a rule|Regel hinzufügen)$/ }).click()
      const rule = page.getByRole('listitem', { name: /^(Rule|Regel) 1$/ })
      await rule
        .getByRole('combobox', { name: /^(Unit of the notice|Einheit der Frist)$/ })
        .selectOption('days_before')
      const fields = rule.getByRole('textbox')
      await expect.poll(() => fields.count()).toBe(3)
      const tops = () => fields.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
      await expect.poll(async () => new Set(await tops()).size).toBe(1)
      const heights = () => fields.evaluateAll((all) => all.map(({ labels }) => labels[0].clientHeight))
      await expect.poll(async () => new Set(await heights()).size).toBe(1)
    },
  )

  it('is edited as an ordered list of rules with an example in words', async () => {
    await at('/settings?chapter=cancellations')
    await button('Add a rule').click()
    const first = page.getByRole('listitem', { name: 'Rule 1' })
    await first
      .getByText(/^Example: a lesson on Wed.*, 15:00 can be cancelled .* until Mon.*, 15:00\./)
      .waitFor()
    await button('Add a rule').click()
    const second = page.getByRole('listitem', { name: 'Rule 2' })
    await second.getByRole('combobox', { name: 'Applies to' }).fill('special')
    await second.getByRole('combobox', { name: 'Applies to' }).press('Enter')
    await second.getByRole('combobox', { name: 'Unit of the notice' }).selectOption('working_days')
    await second.getByLabel('Free until').fill('6')
    await second.getByLabel('After that: % of the price').fill('100')
    await button('Move rule 2 up').click()
    await button('Add a rule').click()
    const third = page.getByRole('listitem', { name: 'Rule 3' })
    await third.getByRole('combobox', { name: 'Unit of the notice' }).selectOption('no_show')
    await third.getByLabel('Fee: % of the price').fill('90')
    await button('Save').click()
    await page.getByText(/^Saved: /).waitFor()
    expect(await policy()).toEqual([
      { categories: ['special'], notice: { working_days: 6 }, fee_percent: 100 },
      { categories: null, notice: { hours: 48 }, fee_percent: 80 },
      { categories: null, no_show: true, fee_percent: 90 },
    ])
    expect(await button('Save').isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByText('special drives: free until 6 working days before, then 100%').waitFor()
    await page.getByText('all lessons: 90% for a no-show').waitFor()
  })
})

it('the example of a rule excludes public holidays from working days even if the school ignores them', async () => {
  await school.client.patch('/tenant', { holidays: 'ignore', country: 'DE', region: null })
  await at('/settings?chapter=cancellations')
  // Christmas falls into the working days before a lesson on the last Wednesday of 2026.
  await page.clock.setFixedTime(new Date('2026-12-16T10:00:00Z'))
  await page.reload()
  await button('Add a rule').click()
  const rule = page.getByRole('listitem', { name: 'Rule 1' })
  await rule.getByRole('combobox', { name: 'Unit of the notice' }).selectOption('working_days')
  await rule.getByLabel('Free until').fill('4')
  await rule.getByText(/^Example: a lesson on Wed,? 30 Dec.* until Wed,? 23 Dec/).waitFor()
})

it('a concurrent cancellation by another user is kept, and the later one is not saved', async () => {
  await at(`/?date=${tomorrow}&lesson=${lesson.id}`)
  await button('Cancel with reason and fee…').click()
  await form().getByRole('combobox', { name: 'Reason' }).selectOption('other')
  await page.route('**/cancel', async (route) => {
    if (!route.request().postDataJSON().dry_run)
      await school.client.post(`/appointments/${lesson.id}/cancel`, { by: 'school', reason: 'vehicle' })
    await route.continue()
  })
  await form().getByRole('button', { name: 'Record cancellation' }).click()
  await page.getByText(/^Not saved: /).waitFor()
  expect(await page.getByText(/^Cancelled: /).count()).toBe(0)
  expect((await stored()).cancellation).toMatchObject({ by: 'school', reason: 'vehicle' })
})
