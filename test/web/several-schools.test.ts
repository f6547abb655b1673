import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { aSecondFactor } from '../support/passkeys.ts'
import { loginOf } from '../support/session.ts'
import { aPersonAt, type Membership } from '../support/shared-address.ts'
import { faultsOf } from './axe.ts'
import { aDay, onPhone } from './instructors-day.ts'

const service = useService()
const open = useBrowser(service)

let page: Page
let first: Membership
let second: Membership

beforeEach(async () => {
  const [one, other] = await aPersonAt(service(), [PASSWORD, PASSWORD])
  if (!one || !other) throw new Error('two were made')
  first = one
  second = other
  await first.school.student({ first_name: 'Nora', last_name: 'Quill' })
  await second.school.student({ first_name: 'Sven', last_name: 'Zander' })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const asMember = ({ school, user }: Membership) => ({ ...school, user }) as School

async function studentsShown(name: string): Promise<void> {
  await page.goto(`${service().url}/students`)
  await page.getByText(name).first().waitFor()
}

describe.each([
  ['a desktop', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
])('on %s', (_, viewport) => {
  it('a user of two schools logs in once, chooses one, and switches to the other', async () => {
    page = await open('/', { viewport })
    await logInAt(page, asMember(first))
    await page.getByRole('heading', { name: 'Which school?' }).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: /^School / }).allInnerTexts())
      .toEqual(['School 0', 'School 1'])
    await button('School 1').click()
    await button('Menu').waitFor()
    await studentsShown('Zander')
    await button('Menu').click()
    await button('Switch to School 0').click()
    await page.waitForURL(`${service().url}/`)
    await studentsShown('Quill')
    expect(await page.getByText('Zander').count()).toBe(0)
  })
})

it('the school choice, the menu and the account page have no axe violations, in German', async () => {
  // The content security policy of the page would block axe.
  page = await open('/', { locale: 'de-DE', bypassCSP: true, reducedMotion: 'reduce' })
  await logInAt(page, asMember(first))
  await page.getByRole('heading', { name: 'Bei welcher Fahrschule?' }).waitFor()
  await page.evaluate(axe.source)
  expect(await faultsOf(page)).toEqual([])
  await button('School 1').click()
  await button('Menü').waitFor()
  await page.goto(`${service().url}/account`)
  await button('Menü').click()
  await page.getByRole('heading', { name: 'Fahrschulen' }).waitFor()
  await expect.poll(() => button('Zu School 0 wechseln').count()).toBe(2)
  await page.evaluate(axe.source)
  expect(await faultsOf(page)).toEqual([])
})

it('pressing Enter in the school choice selects the first school', async () => {
  page = await open('/')
  await logInAt(page, asMember(first))
  await page.getByRole('heading', { name: 'Which school?' }).waitFor()
  await page.keyboard.press('Enter')
  await button('Menu').waitFor()
  await studentsShown('Quill')
})

it('the account page asks for a second factor when switching to a school where the user has one', async () => {
  const session = await loginOf(service(), first.user)
  await aSecondFactor(service(), session)
  page = await open('/account', { as: asMember(first) })
  await button('Menu').click()
  await page.getByRole('link', { name: 'Switch to School 0' }).waitFor()
  await page.keyboard.press('Escape')
  await button('Switch to School 0').click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Second step' }).waitFor()
})

it('the account page and the menu ask before a switch to another school discards typed notes', async () => {
  const day = await aDay(service())
  const other = await aSchool(service(), { name: 'Zenith' })
  await aUser(service(), other.tenantId, { email: day.user.email, role: 'office' })
  page = await onPhone(service(), open, day)
  await page.getByLabel('Notes').fill('Glasses')
  await button('Menu').click()
  await page.getByRole('link', { name: 'Account' }).click()
  const question = page.getByRole('dialog', { name: 'Discard what you have filled in?' })
  const onPage = page.getByRole('region', { name: 'Schools' }).getByRole('button')
  await onPage.click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await question.waitFor({ state: 'detached' })
  await button('Menu').click()
  await button('Switch to Zenith').first().click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await question.waitFor({ state: 'detached' })
  await page.goBack()
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Glasses')
  await page.goForward()
  await onPage.click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Zenith', { exact: true }).first().waitFor()
  await expect.poll(() => page.content()).not.toContain('Glasses')
})

it('a user of one school sees no school choice and no link to another school', async () => {
  const school = await aSchool(service())
  page = await open('/')
  await logInAt(page, school)
  await button('Menu').click()
  await page.getByRole('link', { name: 'Users' }).waitFor()
  const listed = page.waitForResponse(/\/auth\/schools$/)
  await page.goto(`${service().url}/account`)
  await listed
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Schools' }).count()).toBe(0)
  expect(await page.getByText(/Switch to/).count()).toBe(0)
})

it('a login after the session expired returns to the school on the page and keeps unsaved input', async () => {
  page = await open('/', { as: asMember(first) })
  await button('Menu').click()
  await button('Switch to School 1').click()
  await page.getByText('School 1', { exact: true }).first().waitFor()
  await page.goto(`${service().url}/students?add=true`)
  await page.getByRole('dialog').getByLabel('First name').fill('Half')
  await page.context().clearCookies()
  await page.getByRole('dialog').getByLabel('Last name').fill('Filled')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.locator('input[name=email]').waitFor()
  await logInAt(page, asMember(first))
  await page.locator('input[name=email]').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('dialog').getByLabel('First name').inputValue()).toBe('Half')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await second.school.client.get('/students')).text).toContain('Half')
})
