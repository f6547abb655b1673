import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { newEmail } from '../support/invitations.ts'
import { CLIENT, TestIssuer } from '../support/issuer.ts'

const service = useOwnService({ webhookAllowedNetworks: ['127.0.0.1'] })
const open = useBrowser(service)
let issuer: TestIssuer
let school: School

beforeAll(async () => {
  issuer = await TestIssuer.start()
})
afterAll(() => issuer.close())
beforeEach(async () => {
  school = await aSchool(service())
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const host = () => new URL(issuer.url).host

/** Lets the issuer send the browser back at once, logged in as this person. */
async function answerAs(page: Page, subject: string): Promise<void> {
  await page.route(`${issuer.url}/authorize?**`, async (route) => {
    const { redirect_uri } = Object.fromEntries(new URL(route.request().url()).searchParams)
    const location = `${redirect_uri}?${issuer.answer(route.request().url(), subject)}`
    await route.fulfill({ status: 302, headers: { location } })
  })
}

it('an owner enters the issuer, a user links the account, logs in there, and an invited one accepts there', async () => {
  const page = await open('/settings', { as: school })
  await page.getByLabel('Issuer').fill(issuer.url)
  await page.getByLabel('Client ID').fill(CLIENT.client_id)
  await page.getByLabel('Client secret').fill(CLIENT.client_secret)
  await button(page, 'Save provider').click()
  await page.getByText('The provider is saved.').waitFor()
  expect(await page.getByLabel('Redirect URI').inputValue()).toBe(`${service().url}/sso/callback`)

  const office = await aUser(service(), school.tenantId, { role: 'office', name: 'Ben Office' })
  const theirs = await open('/account')
  await answerAs(theirs, 'ben')
  await logInAt(theirs, { ...school, user: office } as School)
  await button(theirs, 'Link').click()
  await theirs.getByText(/^Linked /).waitFor()

  const fresh = await open(`/sso?school=${school.tenantId}`)
  await answerAs(fresh, 'ben')
  await button(fresh, `Log in at ${host()}`).click()
  await button(fresh, 'Menu').waitFor()
  await button(fresh, 'Menu').click()
  await button(fresh, 'Log out').click()
  await button(fresh, 'Log in with the school’s account').click()
  await button(fresh, 'Menu').waitFor()

  const given = { email: newEmail(), name: 'Ida', role: 'office' }
  const { invitation } = (await school.client.post('/users', given)).body
  const invited = await open(new URL(invitation.url).pathname + new URL(invitation.url).hash)
  await answerAs(invited, 'ida')
  await button(invited, `Log in at ${host()} instead`).click()
  await button(invited, 'Menu').waitFor()

  const unlinked = await open(`/sso?school=${school.tenantId}`)
  await answerAs(unlinked, 'nobody')
  await button(unlinked, `Log in at ${host()}`).click()
  await unlinked.getByText(/is not linked to a user of the school/).waitFor()
  expect(new URL(unlinked.url()).search).toBe('')
})
