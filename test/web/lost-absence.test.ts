import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { handleFirst, useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2099-03-02'

let school: School
let ill: Row
let page: Page

async function book(hour: number, name: string): Promise<Row> {
  const student = await school.student({ first_name: name, last_name: 'Kurz', phone: '+49 30 5550145' })
  const times = { start_at: `${DATE} ${hour}:00`, end_at: `${DATE} ${hour + 1}:00` }
  return school.lesson({ instructor_id: ill.id, student_id: student.id, ...times })
}

beforeEach(async () => {
  school = await aSchool(service())
  ill = await school.instructor({ first_name: 'Karl', last_name: 'Krüger' })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const radio = ({ id }: Row, name: string) =>
  page.locator(`[data-lesson-row="${id}"]`).getByRole('radio', { name })
const stored = async ({ id }: Row) => (await school.client.get(`/appointments/${id}`)).body

const ABSENCES = '**/instructors/*/absences'
const UNCONFIRMED = /^No confirmation: the absence \(.*\) may have been recorded\.$/

/** Opens the page with one lesson that is to be cancelled. */
async function cancelAda(): Promise<Row> {
  const ada = await book(10, 'Ada')
  page = await open(`/absence?instructor=${ill.id}&day=${DATE}`, { as: school })
  await radio(ada, 'Cancel').check()
  return ada
}

describe('an absence whose response is lost', () => {
  it('is stored once, and keeps its list of calls and its undo across a reload', async () => {
    const ada = await cancelAda()
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/absences')) keys.push(request.headers()['idempotency-key'])
    })
    await handleFirst(page, ABSENCES, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button('Record absence').click()
    await page.getByText(UNCONFIRMED).waitFor()
    await page.getByText('The service cannot be reached.').waitFor()
    expect(await stored(ada)).toMatchObject({ status: 'cancelled' })
    await page.getByRole('checkbox', { name: /^Called: Ada Kurz/ }).check()

    await page.reload()
    await page.getByText(UNCONFIRMED).waitFor()
    await button('Record absence').click()
    await page.getByText('Recorded: 1 cancelled.').waitFor()
    await page.getByText('1 of 1 called').waitFor()
    expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([2, 1, 'string'])
    await button('Undo absence').click()
    await page.getByText('1 still undecided').waitFor()
    expect(await stored(ada)).toMatchObject({ status: 'planned' })
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toEqual([])
  })

  it('leaves nothing in the session storage if the response arrives after the logout', async () => {
    await cancelAda()
    const held = Promise.withResolvers<void>()
    await handleFirst(page, ABSENCES, async (route) => {
      const response = await route.fetch()
      await held.promise
      await route.fulfill({ response })
    })
    await button('Record absence').click()
    await button('Menu').click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.locator('input[name=email]').waitFor()
    const arrived = page.waitForResponse(ABSENCES)
    held.resolve()
    await (await arrived).finished()
    await page.evaluate('new Promise((done) => setTimeout(done))')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')
    expect(await page.getByText('Absence recorded').count()).toBe(0)
  })

  it('can be changed after a rejected retry or with a button, if it was never stored', async () => {
    const ada = await cancelAda()
    const isOutcomeUnknown = [true, false, true]
    await page.route(ABSENCES, (route) => (isOutcomeUnknown.shift() ? route.abort() : route.continue()))
    const press = () => button('Record absence').press('Enter')
    await press()
    await page.getByText(UNCONFIRMED).waitFor()
    const dora = await book(14, 'Dora')
    await press()
    await page.getByText(/^Dora Kurz, .*: the lesson was added meanwhile/).waitFor()
    await radio(dora, 'Keep').check()
    await press()
    await page.getByText(UNCONFIRMED).waitFor()
    await button('Change decisions').click()
    await radio(ada, 'Keep').check()
    await press()
    await page.getByText('Recorded: 2 kept.').waitFor()
  })
})

it('an absence stored despite a lost response is shown as recorded, and saving it again updates it', async () => {
  await cancelAda()
  await handleFirst(page, ABSENCES, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await button('Record absence').click()
  await page.getByText(UNCONFIRMED).waitFor()
  await button('Change decisions').click()
  await page.getByText('Karl Krüger is already recorded as away in this time').waitFor()
  await page.getByLabel('Reason', { exact: true }).fill('Flu')
  await button('Record absence').click()
  await page
    .getByText(/^Absence recorded: Karl Krüger/)
    .first()
    .waitFor()
  expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toMatchObject([
    { start_date: DATE, end_date: DATE, note: 'Flu' },
  ])
})

it('the message about an absence without lessons shows its days and that there is nobody to call', async () => {
  page = await open(`/absence?instructor=${ill.id}&day=${DATE}`, { as: school })
  await page.getByText('Karl Krüger has no planned lessons in this time.').waitFor()
  await button('Record absence').click()
  const notice = page.getByRole('alert').filter({ hasText: 'There is nobody to call.' })
  await notice.getByText(/^Absence recorded: Karl Krüger, .*2 March/).waitFor()
  expect(await page.getByText(/of 0 called|Tick the students/).count()).toBe(0)
  expect(await page.getByRole('list', { name: 'Affected lessons' }).count()).toBe(0)
})
