import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useOwnService, useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, PASSWORD, type School, type User } from '../support/factory.ts'

const PHONE = { width: 390, height: 844 }

let page: Page
const dialog = () => page.getByRole('dialog').last()
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()

async function ask(email: string): Promise<void> {
  await dialog().getByLabel('New e-mail address').fill(email)
  await press('Change')
}

describe('without mail delivery', () => {
  const service = useService()
  const open = useBrowser(service)

  it('an owner confirms with a password and changes the address of a user immediately', async () => {
    const school = await aSchool(service())
    const user = await aUser(service(), school.tenantId, { name: 'Ben Office', role: 'office' })
    page = await open('/users', { as: school, viewport: PHONE })
    await page.getByRole('listitem').filter({ hasText: 'Ben Office' }).getByRole('button').click()
    await press('Change address')
    await ask(school.user.email)
    await dialog()
      .getByText(/A user of this school already has this e-mail address/)
      .waitFor()
    await sql`update token_families set proved_at = now() - interval '1 hour'
      where user_id = ${school.user.id}`.execute(service().db)
    const email = `ben-${school.tenantId}@school.example`
    await ask(email)
    await dialog().getByLabel('Password').first().fill(PASSWORD)
    await press('Confirm')
    await page.getByText(`The address is now ${email}.`).waitFor()
    await press('Cancel')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const guest = await open('/')
    await logInAt(guest, { user: { ...user, email } } as School)
    await guest.getByRole('button', { name: 'Book lesson' }).waitFor()
  })

  it('a clerk is referred to the owner to change their own address', async () => {
    const school = await aSchool(service())
    const user = await aUser(service(), school.tenantId, { role: 'office' })
    page = await open('/account', { as: await enter(service(), { tenantId: school.tenantId, user }) })
    await page.getByRole('button', { name: 'Change address' }).click()
    await ask(`new-${user.email}`)
    await dialog()
      .getByText(/^This service sends no e-mail/)
      .waitFor()
  })
})

describe('with mail delivery', () => {
  const from = { name: undefined, address: 'noreply@fahrplan.example' }
  const service = useOwnService({
    mail: { host: '127.0.0.1', port: 9, tls: 'none', user: undefined, password: undefined, from },
    publicUrl: 'https://fahrplan.example',
  })
  const open = useBrowser(service)
  let school: School
  let user: User
  let email: string

  beforeEach(async () => {
    school = await aSchool(service())
    user = await aUser(service(), school.tenantId, { role: 'office' })
    email = `new-${user.email}`
    page = await open('/account', {
      as: await enter(service(), { tenantId: school.tenantId, user }),
      viewport: PHONE,
    })
    await page.getByRole('button', { name: 'Change address' }).click()
    await ask(email)
    await page.getByText(/^We have sent links to/).waitFor()
  })

  async function follow(address: string): Promise<Page> {
    const { rows } = await sql<{ url: string }>`select params::json->>'url' as url from mails
      where to_address = ${address} and params is not null`.execute(service().db)
    const { pathname, hash } = new URL(rows[0]?.url ?? '')
    return open(`${pathname}${hash}`, { viewport: PHONE })
  }

  it('a user changes their address once both the old and the new one have confirmed', async () => {
    const old = await follow(user.email)
    await old.getByText(email).waitFor()
    await old.getByRole('button', { name: 'Yes, confirm' }).dblclick()
    await old.getByText(/^Thank you.*sent to it/).waitFor()
    const fresh = await follow(email)
    await fresh.getByRole('button', { name: 'Yes, confirm' }).click()
    await fresh.getByText(/^The new address is valid/).waitFor()
    await fresh.getByRole('link', { name: 'Go to the login' }).click()
    await logInAt(fresh, { user: { ...user, email } } as School)
    await fresh.getByRole('button', { name: 'Menu' }).waitFor()
    await old.reload()
    await old.getByText(/^This link does not work/).waitFor()
  })

  it('the change can be cancelled from the old address', async () => {
    const old = await follow(user.email)
    await old.getByRole('button', { name: 'No, cancel it' }).click()
    await old.getByText(/^The change is cancelled/).waitFor()
    await old.reload()
    await old.getByText(/^This link does not work/).waitFor()
    expect((await school.client.get('/users')).text).not.toContain(email)
  })
})
