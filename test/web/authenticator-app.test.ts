import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { AuthenticatorApp } from '../support/totp.ts'

const service = useService()
const open = useBrowser(service)

let school: School

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor({})
})
afterEach(() => service().setClock(undefined))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const told = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

/** Sets up an app with the secret in the open dialog, and saves the recovery codes that follow. */
async function confirm(page: Page): Promise<AuthenticatorApp> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  const now = new Date()
  service().setClock(now)
  const app = new AuthenticatorApp(service(), secret, now)
  await dialog.getByLabel('Code from the app').fill('000')
  await button(page, 'Set up').click()
  await told(page, /This code is wrong/)
  await dialog.getByLabel('Code from the app').fill(app.code())
  await button(page, 'Set up').click()
  await button(page, 'I have saved them').click()
  return app
}

async function logOut(page: Page): Promise<void> {
  await button(page, 'Menu').click()
  await button(page, 'Log out').click()
  await page.locator('input[name=email]').waitFor()
}

it('an app is set up by its QR code, asked for at login and as a proof, and removed', async () => {
  const page = await open('/account', { as: school })
  await told(page, 'You need a passkey or an app for this.')
  await button(page, 'Set up an app').click()
  const app = await confirm(page)
  await told(page, '10 codes left.')
  await logOut(page)
  await logInAt(page, school)
  await page.getByLabel('Code from the app').fill(app.code())
  await button(page, 'Log in with the code').click()
  await told(page, 'Wait for the next one.')
  await page.getByLabel('Code from the app').fill(app.next())
  await page.getByLabel('Code from the app').press('Enter')
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  await service().db.updateTable('token_families').set({ proved_at: null, proved_by: null }).execute()
  await button(page, 'Create new codes').click()
  await button(page, 'Use a code from the app').click()
  await page.getByRole('dialog').getByLabel('Code from the app').fill(app.next())
  await button(page, 'Confirm').click()
  await button(page, 'I have saved them').click()
  await button(page, 'Remove the app').click()
  await told(page, /your password alone is enough/)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the app' }).click()
  await page.getByRole('dialog').locator('input[name=password]').fill(PASSWORD)
  await button(page, 'Confirm').click()
  await told(page, 'You need a passkey or an app for this.')
})

it('an owner requires a second step, sees who has one, and a user without one sets it up first', async () => {
  const office = await aUser(service(), school.tenantId, { role: 'office', name: 'Ben Office' })
  const page = await open('/settings', { as: school })
  const demand = page.getByRole('switch', { name: 'Require it of all users' })
  await demand.press(' ')
  await told(page, /Set up your own second step first/)
  await page.goto(`${service().url}/account`)
  await button(page, 'Set up an app').click()
  await confirm(page)
  await page.goto(`${service().url}/settings`)
  await demand.press(' ')
  await told(page, 'From now on all users need a second step.')
  await page.goto(`${service().url}/users`)
  await page
    .getByRole('listitem')
    .filter({ hasText: school.user.email })
    .getByText('app', { exact: true })
    .waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Ben Office' })
    .getByText('none', { exact: true })
    .waitFor()
  await page.goto(`${service().url}/account`)
  await told(page, /it cannot be turned off/)
  const theirs = await open('/')
  await logInAt(theirs, { ...school, user: office } as School)
  await theirs.getByRole('heading', { name: 'Second step at login' }).waitFor()
  expect(await theirs.getByRole('link').count()).toBe(0)
  await button(theirs, 'Set up an app').click()
  await confirm(theirs)
  await button(theirs, 'Book lesson').waitFor()
})
