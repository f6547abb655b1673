import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'
import { anInvitation } from '../support/invitations.ts'

const service = useService()
const open = useBrowser(service)
const PASSWORD = 'staple, correct horse'

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', email: 'jonas@school.example' })
  await school.student()
})

const dialog = () => page.getByRole('dialog').last()
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const link = async () => dialog().getByLabel('Link', { exact: true }).inputValue()

async function choose(label: string, option: string): Promise<void> {
  await dialog().getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Opens a link's path in a browser of its own. */
const follow = (url: string, options = {}) => open(url.replace(service().url, ''), options)

describe.each([
  ['a desktop', { width: 1440, height: 900 }, 'promise'],
  ['a phone', { width: 390, height: 844 }, undefined],
] as const)('on %s', (_, viewport, tags) => {
  it('an owner invites an instructor, who sets a password and sees their own day', {
    tags,
  }, async () => {
    page = await open('/', { as: school, viewport })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Users' }).click()
    await row('Anna Office').getByText('(you)').waitFor()
    await page.getByRole('button', { name: 'Invite user' }).click()
    await choose('Role', 'Instructor')
    await choose('Instructor', 'Jonas Brandt')
    await expect.poll(() => dialog().getByLabel('E-mail').inputValue()).toBe('jonas@school.example')
    await dialog().getByLabel('E-mail').fill(`${school.tenantId}@school.example`)
    await dialog().getByRole('button', { name: 'Invite', exact: true }).dblclick()
    const url = await link()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press('Copy link')
    await dialog().getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url)
    await press('Done')
    await row('Jonas Brandt')
      .getByText(/^invited until /)
      .waitFor()
    await row('Jonas Brandt').getByText('Instructor: Jonas Brandt').waitFor()

    const guest = await follow(url, { viewport })
    await guest.getByRole('heading', { name: 'Welcome to Fahrschule Test' }).waitFor()
    const go = guest.getByRole('button', { name: 'Set password' })
    await guest.getByLabel('New password').fill('password123')
    await go.click()
    await guest.getByText(/too easy to guess/).waitFor()
    await guest.getByLabel('New password').fill(PASSWORD)
    await go.dblclick()
    await guest.getByRole('button', { name: 'Next day' }).waitFor()
    expect([new URL(guest.url()).pathname, new URL(guest.url()).hash]).toEqual(['/today', ''])
    await row('Jonas Brandt').getByText('active').waitFor()

    const again = await follow(url, { viewport })
    await again.getByText(/^This link does not work/).waitFor()
    await again.getByRole('link', { name: 'Go to the login' }).click()
    await again.locator('input[name=email]').waitFor()
  })

  it('a user is disabled after confirmation, and enabled again', async () => {
    const user = await aUser(service(), school.tenantId, { name: 'Ben Office', role: 'office' })
    const ben = await enter(service(), { tenantId: school.tenantId, user })
    page = await open('/users', { as: school, viewport })
    await row('Ben Office').getByRole('button').click()
    await press('Disable')
    await dialog()
      .getByText(/logged out everywhere at once/)
      .waitFor()
    await press('Cancel')
    expect((await ben.client.get('/auth/me')).status).toBe(200)
    await press('Disable')
    await press('Disable')
    await page.getByText('Ben Office is disabled').waitFor()
    await row('Ben Office').getByText('disabled').waitFor()
    expect((await ben.client.get('/auth/me')).status).toBe(401)
    await row('Ben Office').getByRole('button').click()
    await press('Enable')
    await row('Ben Office').getByText('active').waitFor()
  })
})

describe('a password reset link', () => {
  it('is created by an owner and sets the password only once', async () => {
    const user = await aUser(service(), school.tenantId, { name: 'Ben Office', role: 'office' })
    page = await open('/users', { as: school })
    await row('Ben Office').getByRole('button').click()
    await press('Link for a new password')
    const url = await link()
    const guest = await follow(url)
    await guest.getByLabel('New password').fill(PASSWORD)
    await guest.getByRole('button', { name: 'Save' }).dblclick()
    await guest.getByText(/^Your new password is set/).waitFor()
    await guest.reload()
    await guest.getByLabel('New password').fill(`${PASSWORD} again`)
    await guest.getByRole('button', { name: 'Save' }).click()
    await guest.getByText(/^This link does not work/).waitFor()
    await guest.getByRole('link', { name: 'Go to the login' }).click()
    await logInAt(guest, { user } as School, PASSWORD)
    await guest.getByRole('button', { name: 'Book lesson' }).waitFor()
  })

  it('cannot be requested at the login if the service sends no mail', async () => {
    const guest = await open('/students')
    await guest.getByRole('link', { name: 'Forgot your password?' }).click()
    await guest.getByLabel(/Which e-mail address do you log in/).fill('nobody@school.example')
    await guest.getByRole('button', { name: 'Request link' }).click()
    await guest.getByText(/^This service sends no e-mail/).waitFor()
    await guest.goBack()
    await guest.locator('input[name=password]').waitFor()
  })
})

describe('an owner', () => {
  it('cannot give up the role or be disabled as the last owner, and sees why', async () => {
    page = await open('/users', { as: school })
    await row('Anna Office').getByRole('button').click()
    await choose('Role', 'Office')
    await press('Save')
    await dialog()
      .getByText(/only another owner can give you the role back/)
      .waitFor()
    await press('Give up role')
    await dialog()
      .getByText(/last owner who can log in/)
      .waitFor()
    await press('Cancel')
    await press('Disable')
    await dialog()
      .getByText(/This is you/)
      .waitFor()
    await press('Disable')
    await dialog()
      .getByText(/last owner who can log in/)
      .waitFor()
    expect((await school.client.get('/auth/me')).body.role).toBe('owner')
  })

  it('keeps the typed invitation if the address is taken or the connection is lost', async () => {
    page = await open('/users?add=true', { as: school })
    await dialog().getByLabel('Name').fill('Ida Invited')
    await dialog().getByLabel('E-mail').fill(school.user.email)
    await press('Invite')
    await dialog()
      .getByText(/A user of this school already has this e-mail address/)
      .waitFor()
    await dialog().getByLabel('E-mail').fill(`ida-${school.tenantId}@school.example`)
    await page.context().setOffline(true)
    await press('Invite')
    await dialog().getByRole('alert').waitFor()
    await expect.poll(() => dialog().getByLabel('Name').inputValue()).toBe('Ida Invited')
    await page.context().setOffline(false)
    await press('Invite')
    await dialog().getByRole('button', { name: 'Copy link' }).waitFor()
  })

  it('merges a concurrent change to a user by saving again', async () => {
    const user = await aUser(service(), school.tenantId, { name: 'Ben Office', role: 'office' })
    page = await open('/users', { as: school })
    await row('Ben Office').getByRole('button').click()
    await dialog().getByLabel('Name').fill('Benjamin Office')
    await school.client.patch(`/users/${user.id}`, { role: 'owner' })
    await press('Save')
    await dialog().getByText('Not saved').waitFor()
    await press('Save')
    await row('Benjamin Office').getByText('Owner').waitFor()
  })
})

it('an invitation warns a user who is logged in, and switches every tab to the invited user', async () => {
  const { token } = await anInvitation(school)
  page = await open('/', { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).waitFor()
  const second = await page.context().newPage()
  await second.goto(`${service().url}/invitation#${token}`)
  await second.getByText(/Anna Office is logged in in this browser/).waitFor()
  await second.getByLabel('New password').fill(PASSWORD)
  await second.getByRole('button', { name: 'Set password' }).click()
  for (const tab of [second, page]) {
    await tab.getByRole('button', { name: 'Menu' }).click()
    await tab.getByText('Ida Invited').waitFor()
  }
})

it('an office user has no access to the users page and no link to it', async () => {
  const user = await aUser(service(), school.tenantId, { role: 'office' })
  page = await open('/users', { as: await enter(service(), { tenantId: school.tenantId, user }) })
  await page.getByText('This page is for the owner.').waitFor()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Users' }).count()).toBe(0)
})
