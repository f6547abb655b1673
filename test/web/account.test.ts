import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { startService, useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { originOf } from '../support/passkeys.ts'
import { rowsIn } from '../support/transfer-file.ts'
import { VirtualAuthenticator } from '../support/virtual-authenticator.ts'

const service = useService()
const open = useBrowser(() => ({ url: originOf(service()) }))
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DESKTOP = { viewport: { width: 1440, height: 900 } }

let school: School

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor({})
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const told = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

async function addPasskey(page: Page, name = 'Office laptop'): Promise<void> {
  await button(page, 'Add a passkey').click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await button(page, 'Continue').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('listitem').filter({ hasText: name }).waitFor()
}

/** Returns the recovery codes that are shown when the second step is first turned on. */
async function turnOn(page: Page): Promise<readonly string[]> {
  await page.getByRole('switch', { name: 'Ask for a second step after the password' }).press(' ')
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
  const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
  await button(page, 'I have saved them').click()
  await told(page, '10 codes left.')
  return codes
}

async function logOut(page: Page): Promise<void> {
  await button(page, 'Menu').click()
  await button(page, 'Log out').click()
  await page.locator('input[name=email]').waitFor()
}

const isIn = (page: Page) => page.getByRole('heading', { name: 'My account' }).waitFor()

/** Ages the sessions by the five minutes after which they ask for a proof again. */
async function forgetProof(): Promise<void> {
  await sql`update token_families set proved_at = proved_at - interval '5 minutes'
    where user_id = ${school.user.id}`.execute(service().db)
}

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
] as const)('on %s', (_, size) => {
  it('a passkey can be added, used to log in without a password, renamed and removed', async () => {
    const page = await open('/account', { as: school, ...size })
    await VirtualAuthenticator.on(page)
    await told(page, 'None yet.')
    await addPasskey(page)
    await told(page, 'on one device only')
    await logOut(page)
    await button(page, 'Use a passkey').click()
    await isIn(page)
    await told(page, /last used/)
    await button(page, 'Office laptop: Rename').click()
    await page.getByRole('dialog').getByLabel('Name').fill('My phone')
    await button(page, 'Save').click()
    await button(page, 'My phone: Remove').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await told(page, 'None yet.')
    await logOut(page)
    await button(page, 'Use a passkey').click()
    await told(page, 'This passkey is not valid here.')
  })

  it('the second step can be turned on and completed with a passkey at login', async () => {
    const page = await open('/account', { as: school, ...size })
    await VirtualAuthenticator.on(page)
    await told(page, 'You need a passkey or an app for this.')
    await addPasskey(page)
    expect(await turnOn(page)).toHaveLength(10)
    await logOut(page)
    await logInAt(page, school)
    await told(page, 'Your password is right.')
    await button(page, 'Back').click()
    await logInAt(page, school)
    await button(page, 'Confirm with a passkey').click()
    await isIn(page)
  })

  it('a recovery code replaces a lost passkey once, and the app shows how many codes are left', async () => {
    const page = await open('/account', { as: school, ...size })
    const device = await VirtualAuthenticator.on(page)
    await addPasskey(page)
    const [code = ''] = await turnOn(page)
    await logOut(page)
    await device.forget()
    await logInAt(page, school)
    await button(page, 'Use a recovery code').click()
    await page.getByLabel('Recovery code').fill('0000-0000-0000-0000')
    await button(page, 'Log in with the code').click()
    await told(page, 'This code is wrong or has already been used.')
    await page.getByLabel('Recovery code').fill(code.toUpperCase().replaceAll('-', ' '))
    await page.getByLabel('Recovery code').press('Enter')
    await isIn(page)
    await told(page, 'You have used the code. 9 are left.')
    await told(page, '9 codes left.')
    await logOut(page)
    await logInAt(page, school)
    await button(page, 'Use a recovery code').click()
    await page.getByLabel('Recovery code').fill(code)
    await button(page, 'Log in with the code').click()
    await told(page, 'This code is wrong or has already been used.')
  })
})

describe('the identity confirmation', () => {
  it('is requested after five minutes and then completes the interrupted action', async () => {
    const page = await open('/account', { as: school })
    await VirtualAuthenticator.on(page)
    await addPasskey(page)
    await forgetProof()
    await button(page, 'Create new codes').click()
    await page.getByRole('dialog').locator('input[name=password]').fill('not the password')
    await button(page, 'Confirm').click()
    await told(page, 'The password is wrong.')
    await page.getByRole('dialog').locator('input[name=password]').fill(PASSWORD)
    await button(page, 'Confirm').click()
    await button(page, 'I have saved them').click()
    await forgetProof()
    await button(page, 'Create new codes').click()
    await button(page, 'Confirm with a passkey').click()
    await button(page, 'I have saved them').click()
    await forgetProof()
    await button(page, 'Office laptop: Remove').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').locator('input[name=password]').waitFor()
    await button(page, 'Cancel').last().click()
    await page.getByRole('dialog').locator('input[name=password]').waitFor({ state: 'detached' })
    await button(page, 'Cancel').click()
    await page.getByRole('listitem').filter({ hasText: 'Office laptop' }).waitFor()
  })

  it('requires the password to remove the last passkey of the second step', async () => {
    const page = await open('/account', { as: school })
    await VirtualAuthenticator.on(page)
    await addPasskey(page)
    await turnOn(page)
    await forgetProof()
    await button(page, 'Office laptop: Remove').click()
    await told(page, /your password alone is enough/)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').locator('input[name=password]').waitFor()
    await expect.poll(() => button(page, 'Confirm with a passkey').count()).toBe(0)
    await page.getByRole('dialog').locator('input[name=password]').fill(PASSWORD)
    await button(page, 'Confirm').click()
    await told(page, 'None yet.')
    await logOut(page)
    await logInAt(page, school)
    await isIn(page)
  })
})

describe('the passkey ceremony', () => {
  it('shows the reason for a failure and can be retried, when adding a passkey and at login', async () => {
    const page = await open('/account', { as: school })
    const device = await VirtualAuthenticator.on(page)
    await device.verifies(false)
    await button(page, 'Add a passkey').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await button(page, 'Continue').click()
    await told(page, 'Cancelled, or time ran out. Try again.')
    await device.verifies(true)
    await button(page, 'Continue').click()
    await page.getByRole('listitem').filter({ hasText: 'Laptop' }).waitFor()
    await button(page, 'Add a passkey').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Once more')
    await button(page, 'Continue').click()
    await told(page, 'You already have a passkey on this device.')
    await page.getByRole('dialog').getByLabel('Name').fill('')
    await page.reload()
    await logOut(page)
    await device.verifies(false)
    await button(page, 'Use a passkey').click()
    await told(page, 'Cancelled, or time ran out. Try again.')
    await device.verifies(true)
    await button(page, 'Use a passkey').click()
    await isIn(page)
  })

  it('shows that the service is unreachable while offline, on the account page and at login', async () => {
    const page = await open('/account', { as: school })
    await VirtualAuthenticator.on(page)
    await addPasskey(page)
    await page.context().setOffline(true)
    await button(page, 'Create new codes').click()
    await told(page, /cannot be reached/)
    await page.context().setOffline(false)
    await button(page, 'Create new codes').click()
    await button(page, 'I have saved them').click()
    await logOut(page)
    await page.context().setOffline(true)
    await button(page, 'Use a passkey').click()
    await told(page, /cannot be reached/)
    await page.context().setOffline(false)
    await button(page, 'Use a passkey').click()
    await isIn(page)
  })

  it('reports that passkeys do not work at a different address', async () => {
    const elsewhere = { publicUrl: 'https://fahrplan.example' }
    const other = await startService(service().db, elsewhere)
    const page = await open('/account')
    await VirtualAuthenticator.on(page)
    await page.goto(`${originOf(other)}/account`)
    await button(page, 'Use a passkey').click()
    await told(page, 'Passkeys for this service do not work at this address.')
    await logInAt(page, school)
    await isIn(page)
    await page.context().close()
    await other.close()
  })

  it('runs only once on a double click', async () => {
    const page = await open('/account', { as: school })
    const device = await VirtualAuthenticator.on(page)
    await button(page, 'Add a passkey').dblclick()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await button(page, 'Continue').dblclick()
    await page.getByRole('listitem').filter({ hasText: 'Laptop' }).waitFor()
    await expect.poll(() => device.count()).toBe(1)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await logOut(page)
    await button(page, 'Use a passkey').dblclick()
    await isIn(page)
  })
})

it('the owner downloads the whole school after a fresh proof, in the settings', async () => {
  const page = await open('/settings', { as: school, ...DESKTOP })
  await button(page, 'Download the file').waitFor()
  await forgetProof()
  await button(page, 'Download the file').click()
  await page.getByRole('dialog').locator('input[name=password]').fill(PASSWORD)
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Confirm').click()])
  expect(file.suggestedFilename()).toMatch(/^school-\d{4}-\d\d-\d\d\.ndjson\.gz$/)
  expect(rowsIn(await file.path()).join()).toContain(school.tenantId)
  await told(page, 'The file has been downloaded.')
})
