import ical from 'node-ical'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setupToken } from '../../src/auth/setup-token.ts'
import { openOwnDatabase, useOwnService } from '../support/app.ts'
import { goOffline, useBrowser } from '../support/browser.ts'
import { Client } from '../support/client.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { PASSWORD } from '../support/factory.ts'
import { DATE, NOW, PHONE } from './instructors-day.ts'

const service = useOwnService({}, openOwnDatabase)
const open = useBrowser(service)

/** Opens a link's path in another browser. */
const follow = (url: string, options = {}) => open(url.replace(service().url, ''), options)

const dialogOf = (page: Page) => page.getByRole('dialog').last()
const link = (page: Page) => page.getByLabel('Link', { exact: true }).inputValue()

async function name(page: Page, first: string, last: string): Promise<void> {
  await dialogOf(page).getByLabel('First name').fill(first)
  await dialogOf(page).getByLabel('Last name').fill(last)
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
}

/** Fills in the form of an invitation. Returns its link. */
async function invite(page: Page, email: string, fill: () => Promise<void>): Promise<string> {
  await page.getByRole('button', { name: 'Invite user' }).click()
  await fill()
  await dialogOf(page).getByLabel('E-mail').fill(email)
  await dialogOf(page).getByRole('button', { name: 'Invite', exact: true }).click()
  const url = await link(page)
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()
  return url
}

async function accept(url: string, options = {}): Promise<Page> {
  const guest = await follow(url, options)
  await guest.getByLabel('New password').fill(PASSWORD)
  await guest.getByRole('button', { name: 'Set password' }).click()
  return guest
}

it('an empty installation can be set up and used for lessons entirely in browsers', async () => {
  const owner = await open('/setup')
  await owner.getByLabel('Code from the link').fill(` ${service().url}/setup#${setupToken(JWT_SECRET)} `)
  await owner.getByLabel('Name of the school').fill('Fahrschule Nord')
  await owner.getByLabel('Your name').fill('Nora Nord')
  await owner.locator('select[name=country]').selectOption('DE')
  await owner.locator('input[name=email]').fill('nora@nord.example')
  await owner.locator('input[name=password]').fill(PASSWORD)
  await owner.getByRole('button', { name: 'Set up the school' }).click()

  const steps = owner.getByRole('navigation', { name: 'Getting started' })
  await steps.getByRole('link', { name: 'First instructor' }).click()
  await name(owner, 'Jonas', 'Brandt')
  await owner.getByText('Saved: Jonas Brandt').waitFor()
  await owner.getByRole('button', { name: 'Menu' }).click()
  await owner.getByRole('link', { name: 'Users' }).click()
  const choose = async (label: string, option: string) => {
    await dialogOf(owner).getByRole('combobox', { name: label }).click()
    await owner.getByRole('option', { name: option }).click()
  }
  const toClerk = await invite(owner, 'ben@nord.example', async () => {
    await choose('Role', 'Office')
    await dialogOf(owner).getByLabel('Name').fill('Ben Office')
  })
  const toInstructor = await invite(owner, 'jonas@nord.example', async () => {
    await choose('Role', 'Instructor')
    await choose('Instructor', 'Jonas Brandt')
  })

  const clerk = await accept(toClerk)
  await clerk.getByRole('link', { name: 'Students', exact: true }).click()
  await clerk.getByRole('button', { name: 'New student' }).click()
  await name(clerk, 'Lena', 'Vogt')
  const card = clerk.getByRole('dialog', { name: 'Lena Vogt' })
  await card.getByRole('button', { name: 'Book lesson' }).click()
  const form = clerk.getByRole('dialog', { name: 'Book lesson' })
  await form.getByLabel('Date').fill('1.3.2032')
  await form.getByRole('textbox', { name: 'Start', exact: true }).fill('10:00')
  await form.getByRole('combobox', { name: 'Instructor' }).fill('brandt')
  await clerk.keyboard.press('Enter')
  await form.getByText('Possible', { exact: true }).waitFor()
  await form.getByRole('button', { name: 'Book', exact: true }).click()
  await clerk.getByText(/^Booked: Lena Vogt/).waitFor()
  await card.getByText('Page for the student').click()
  await card.getByRole('button', { name: 'Create a link' }).click()
  const toStudent = await link(clerk)

  const phone = await accept(toInstructor, PHONE)
  await phone.getByRole('button', { name: 'Next day' }).waitFor()
  await phone.clock.install({ time: NOW })
  await phone.goto(`${service().url}/today`)
  const lesson = phone.locator('section').first()
  await lesson.getByRole('heading', { name: 'Lena Vogt' }).waitFor()
  await phone.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await goOffline(phone)
  await lesson.getByRole('button', { name: 'Done', exact: true }).tap()
  await lesson.getByRole('button', { name: /^As planned/ }).tap()
  const waiting = phone.getByText(/^1 entry will be sent/)
  await waiting.waitFor()
  await phone.context().setOffline(false)
  await phone.clock.fastForward(30_000)
  await waiting.waitFor({ state: 'detached' })
  await phone.reload()
  await lesson.getByRole('button', { name: 'Undo “done”' }).waitFor()
  await phone.getByText('In my calendar').tap()
  await phone.getByRole('button', { name: 'Create a link' }).tap()
  // A feed has the lessons of the next twelve months.
  service().setClock(new Date(NOW))
  const { text } = await new Client(service()).get(`/${(await link(phone)).slice(service().url.length)}`)
  service().setClock(undefined)
  const [event] = Object.values(ical.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT')
  expect(event).toMatchObject({ start: expect.objectContaining({ tz: 'Europe/Berlin' }) })
  expect(text).toContain(`${DATE.replaceAll('-', '')}T100000`)

  await clerk.goto(`${service().url}/?date=${DATE}`)
  await clerk.locator('[data-lesson]', { hasText: 'Lena Vogt' }).click()
  await clerk
    .getByRole('dialog')
    .getByText(/\bdone\b/i)
    .first()
    .waitFor()
  const student = await follow(toStudent, PHONE)
  await student.getByRole('heading', { name: 'Driving lessons of Lena' }).waitFor()
})
