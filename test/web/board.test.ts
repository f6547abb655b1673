import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { boxOf, handleFirst, logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'

/** The number of failures after which the service makes an account wait. */
const MAX_FAILURES = 3

const service = useOwnService({
  loginLimits: { perAccountAndAddress: MAX_FAILURES, perAccount: 50, perAddress: 50 },
})
const open = useBrowser(service)
const BOARD = '/?date=2032-03-01'

let school: School
let instructor: { id: string }
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const student = await school.student({ first_name: 'Lena', last_name: 'Vogt', phone: '+49 30 5550142' })
  await school.student({ first_name: 'Emre', last_name: 'Kaya', phone: '+49 30 5550177' })
  await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: '2032-03-01 10:00',
    end_at: '2032-03-01 11:30',
  })
  page = await open(BOARD)
})

const lesson = (name: string) => page.locator('[data-lesson]', { hasText: name })
const told = (text: string | RegExp) => page.getByText(text).first().waitFor()

describe('login', () => {
  it('rejects a wrong password, then accepts the right one and opens the requested address', {
    tags: 'promise',
  }, async () => {
    await page.locator('input[name=email]').waitFor()
    await expect.poll(() => page.getByText('Your session has expired.').count()).toBe(0)
    await logInAt(page, school, 'not the password')
    await told('The e-mail address or the password is wrong.')
    await logInAt(page, school)
    await lesson('Lena Vogt').waitFor()
    expect(page.url()).toContain('date=2032-03-01')
  })

  it('survives a reload without the access token and keeps no token in localStorage', async () => {
    await logInAt(page, school)
    await lesson('Lena Vogt').waitFor()
    await page.context().clearCookies({ name: 'svc_jwt' })
    await page.reload()
    await lesson('Lena Vogt').waitFor()
    const { origins } = await page.context().storageState()
    expect(JSON.stringify(origins)).not.toMatch(/eyJ|token/)
  })

  it('shows the remaining wait after too many failed attempts', async () => {
    const other = await aSchool(service())
    for (let failures = 0; failures < MAX_FAILURES; failures += 1) {
      await logInAt(page, other, 'not the password')
      await page.getByRole('button', { name: 'Log in', disabled: false }).waitFor()
      await told('The e-mail address or the password is wrong.')
    }
    await logInAt(page, other, 'not the password')
    await told(/^Too many failed attempts. 1[45] minutes left.$/)
    await expect.poll(() => page.getByRole('button', { name: 'Log in' }).isDisabled()).toBe(true)
  })

  it('shows nothing once the wait after too many failed attempts is over', async () => {
    const body = '{"code":"too_many_requests","status":429}'
    const headers = { 'retry-after': '1' }
    await handleFirst(page, '**/api/v1/auth/login', (route) =>
      route.fulfill({ status: 429, contentType: 'application/problem+json', headers, body }),
    )
    await logInAt(page, await aSchool(service()))
    await told('Too many failed attempts. 1 second left.')
    await page.getByRole('button', { name: 'Log in', disabled: false }).waitFor()
    expect(await page.getByText(/^Too many failed attempts/).count()).toBe(0)
  })

  it('accepts only the new password after a password change', async () => {
    const other = await aSchool(service())
    await logInAt(page, other)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'My account' }).click()
    await page.getByRole('button', { name: 'Change password' }).click()
    const change = async (current: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password').fill('a better password')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
    }
    await change('not the password')
    await told('The current password is wrong.')
    await change(PASSWORD)
    await told('Password changed.')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await logInAt(page, other)
    await told('The e-mail address or the password is wrong.')
    await logInAt(page, other, 'a better password')
    await page.getByRole('link', { name: 'Board' }).waitFor()
  })

  it('ends in every tab when the user logs out in one', async () => {
    await logInAt(page, school)
    await lesson('Lena Vogt').waitFor()
    const sibling = await page.context().newPage()
    await sibling.goto(page.url())
    await sibling.locator('[data-lesson]').first().waitFor()
    await sibling.getByRole('button', { name: 'Menu' }).click()
    await sibling.getByRole('button', { name: 'Log out' }).click()
    await page.locator('input[name=password]').waitFor()
  })
})

describe('the board', () => {
  beforeEach(async () => {
    await logInAt(page, school)
    await lesson('Lena Vogt').waitFor()
  })

  it('books from the dialog and keeps the form open with the reason if the booking is rejected', {
    tags: 'promise',
  }, async () => {
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('5550177')
    await page.getByRole('option', { name: 'Emre Kaya' }).click()
    await told('Possible')
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await told(/^Booked: Emre Kaya/)
    await expect.poll(() => lesson('Emre Kaya').innerText()).toContain('08:00–09:30')

    await page.keyboard.press('n')
    await page.getByLabel('Start').fill('8')
    await page.keyboard.press('Tab')
    await told('Jonas Brandt already has an appointment 08:00–09:30 with Emre Kaya.')
    await page.getByLabel('Notes').fill('kept')
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await told('Not saved')
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('kept')
  })

  it('moves a lesson by keyboard, keeps the focus, and undoes the move', async () => {
    await lesson('Lena Vogt').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await told(/^Moved: Lena Vogt.*10:15–11:45/)
    await expect.poll(() => page.locator('[data-lesson]:focus').innerText()).toContain('10:15–11:45')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(/^Undone: Lena Vogt.*10:00–11:30/)
  })

  it('shows before the drop why a lesson cannot be moved there, and returns it to its place', async () => {
    await school.book({
      instructor_id: instructor.id,
      start_at: '2032-03-01 13:00',
      end_at: '2032-03-01 14:00',
      title: 'Car wash',
    })
    await lesson('Car wash').waitFor()
    const [from, to] = [await boxOf(lesson('Lena Vogt')), await boxOf(lesson('Car wash'))]
    await page.mouse.move(from.x + 40, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + 10, { steps: 8 })
    await told('Jonas Brandt already has an appointment 13:00–14:00.')
    await page.mouse.up()
    await expect.poll(() => lesson('Lena Vogt').innerText()).toContain('10:00–11:30')
  })
})
