import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setupToken } from '../../src/auth/setup-token.ts'
import { openOwnDatabase, useOwnService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { PASSWORD } from '../support/factory.ts'
import { faultsOf } from './axe.ts'

const service = useOwnService({}, openOwnDatabase)
const open = useBrowser(service)

const token = setupToken(JWT_SECRET)
const VIENNA = { locale: 'de-AT', timezoneId: 'Europe/Vienna' }

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel(ENGLISH.school).fill('Fahrschule Donau')
  await page.getByLabel(ENGLISH.name).fill('Änne Donau')
  await page.locator('input[name=email]').fill('aenne@donau.example')
  await page.locator('input[name=password]').fill(PASSWORD)
}

const ENGLISH = { school: 'Name of the school', name: 'Your name', submit: 'Set up the school' }

it('an empty installation redirects to the set-up page, which requires the code from the link', async () => {
  const page = await open('/')
  await page.waitForURL('**/setup')
  await page.getByText('Open this page by the link').waitFor()
  await page.getByLabel('Code from the link').fill('a-guess')
  await fillIn(page)
  await page.getByRole('button', { name: ENGLISH.submit }).click()
  await page.getByRole('alert').getByText('This code is wrong').waitFor()
  await expect.poll(() => page.locator('input[name=email]').inputValue()).toBe('aenne@donau.example')
})

it('the set-up page has no axe violations in light and dark mode, on desktop and phone', async () => {
  // The content security policy of the page would block axe.
  const page = await open('/setup', { bypassCSP: true })
  await page.getByLabel('Code from the link').waitFor()
  await page.evaluate(axe.source)
  expect(await faultsOf(page)).toEqual([])
})

it('the set-up page warns that nobody can log in without HTTPS and explains what to do', async () => {
  const page = await open(`/setup#${token}`)
  const warning = page.getByText('Nobody will be able to log in at this address')
  await page.getByLabel(ENGLISH.school).waitFor()
  await expect.poll(() => warning.count()).toBe(0)
  await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })")
  await page.reload()
  await warning.waitFor()
  await page.getByText('in front of Fahrplan and open its https:// address').waitFor()
})

it('the set-up page rejects a weak password with the reason and keeps the entries', async () => {
  const page = await open(`/setup#${token}`)
  await fillIn(page)
  await page.locator('input[name=password]').fill('password123')
  await page.getByRole('button', { name: ENGLISH.submit }).click()
  await page.getByRole('alert').getByText('Password: is too easy to guess').waitFor()
  await expect.poll(() => page.getByLabel(ENGLISH.school).inputValue()).toBe('Fahrschule Donau')
})

it('the code field accepts the whole set-up link', async () => {
  const page = await open('/setup')
  await page.getByLabel('Code from the link').fill(` ${service().url}/setup#${token} `)
  await fillIn(page)
  await page.locator('input[name=password]').fill('password123')
  await page.getByRole('button', { name: ENGLISH.submit }).click()
  await page.getByRole('alert').getByText('Password: is too easy to guess').waitFor()
})

it('the set-up page detects country, time zone and language, and keeps a time zone set by hand', async () => {
  const page = await open(`/setup#${token}`, VIENNA)
  const chosen = () =>
    Promise.all(
      ['country', 'timezone', 'locale'].map((name) => page.locator(`select[name=${name}]`).inputValue()),
    )
  await page.getByRole('heading', { name: 'Fahrplan einrichten' }).waitFor()
  await expect.poll(() => chosen()).toEqual(['AT', 'Europe/Vienna', 'de'])
  await expect.poll(() => page.locator('select[name=country] option').count()).toBe(7)
  await page.getByLabel('Land').selectOption('CH')
  await expect.poll(() => chosen()).toEqual(['CH', 'Europe/Zurich', 'de'])
  await page.getByLabel('Zeitzone').selectOption('Europe/Vienna')
  await page.getByLabel('Land').selectOption('DE')
  await expect.poll(() => chosen()).toEqual(['DE', 'Europe/Vienna', 'de'])
})
