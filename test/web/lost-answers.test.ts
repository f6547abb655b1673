import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { handleFirst, logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2099-03-02'

let school: School
let page: Page
/** The keys that were sent, in order. */
let keys: (string | undefined)[]

beforeEach(async () => {
  school = await aSchool(service())
  keys = []
})

async function at(path: string): Promise<void> {
  page = await open(path)
  await logInAt(page, school)
  await page.getByRole('heading', { level: 1 }).waitFor()
  page.on('request', (request) => {
    const isCreating = request.method() === 'POST' && !/\/(auth|check)\b/.test(request.url())
    if (isCreating) keys.push(request.headers()['idempotency-key'])
  })
}

/** Lets the service handle the next POST and drops its response. */
async function loseNextAnswer(address: string): Promise<void> {
  let isLost = false
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue()
    isLost = true
    expect((await route.fetch()).status()).toBe(201)
    await route.abort()
  })
}

const dialog = () => page.getByRole('dialog').last()
const book = () => dialog().getByRole('button', { name: 'Book', exact: true }).click()
const lost = () => dialog().getByText('The service cannot be reached. Check the connection.')
const lessons = async () => (await school.client.get('/appointments')).body

/** Opens the dialog of a booking whose response was lost, while the board already shows the lesson. */
async function afterLostBooking(): Promise<void> {
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  await at(`/?date=${DATE}`)
  await page.getByRole('button', { name: 'Book lesson' }).click()
  await dialog().getByRole('combobox', { name: 'Student' }).fill('Lena')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
  await dialog().getByText('Possible', { exact: true }).waitFor()
  await loseNextAnswer('**/api/v1/appointments')
  await book()
  await lost().waitFor()
  await page.locator('[data-lesson]', { hasText: 'Lena Vogt' }).waitFor()
}

describe('a saved change whose response was lost', () => {
  it('is reported as saved when sent again, and can be undone', async () => {
    const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
    await at('/instructors')
    await page.getByText('Mira Seidel').click()
    await dialog().getByLabel('Phone', { exact: true }).fill('+49 30 5550123')
    let isLost = false
    await page.route(`**/api/v1/instructors/${mira.id}`, async (route) => {
      if (isLost || route.request().method() !== 'PATCH') return route.continue()
      isLost = true
      expect((await route.fetch()).status()).toBe(200)
      await route.abort()
    })
    await dialog().getByRole('button', { name: 'Save' }).click()
    await lost().waitFor()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved: Mira Seidel/).waitFor()
    const phone = async () => (await school.client.get(`/instructors/${mira.id}`)).body.phone
    expect(await phone()).toBe('+49 30 5550123')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText(/^Undone: /).waitFor()
    expect(await phone()).toBeNull()
  })
})

describe('a wish whose response broke off', () => {
  it('is stored once when it is sent again', async () => {
    const { id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
    await at(`/students?student=${id}`)
    await page.getByText('Wishes for lessons').click()
    await page.getByRole('button', { name: 'Add wish' }).click()
    await handleFirst(page, '**/wishes', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).slice(0, 20) })
    })
    await dialog().getByRole('button', { name: 'Save' }).click()
    await lost().waitFor()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^Withdraw wish/ }).waitFor()
    expect((await school.client.get(`/students/${id}/wishes`)).body).toHaveLength(1)
  })
})

describe('a booking whose response was lost', () => {
  it('is stored once when retried with the same key, and is not shown as conflicting with itself', async () => {
    await afterLostBooking()
    await expect.poll(() => dialog().innerText()).not.toContain('already')
    await book()
    await page.getByText(/^Booked: Lena Vogt/).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => lessons()).toHaveLength(1)
    expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([2, 1, 'string'])
  })

  it('is shown in its current state if another user has changed it since', async () => {
    await afterLostBooking()
    const [{ id }] = await lessons()
    await school.client.patch(`/appointments/${id}`, {
      start_at: `${DATE} 14:00`,
      end_at: `${DATE} 15:30`,
    })
    await book()
    await page.getByText(/^Booked: Lena Vogt.*14:00–15:30/).waitFor()
    await page.locator('[data-lesson]', { hasText: '14:00–15:30' }).waitFor()
    await expect.poll(() => lessons()).toHaveLength(1)
  })

  it('becomes a second booking with a new key if the form has changed', async () => {
    await afterLostBooking()
    await dialog().getByRole('textbox', { name: 'Start' }).focus()
    await page.keyboard.type('14')
    await page.keyboard.press('Tab')
    await dialog().getByText('Possible', { exact: true }).waitFor()
    await book()
    await page.getByText(/^Booked: Lena Vogt.*14:00–15:30/).waitFor()
    await expect.poll(() => lessons()).toHaveLength(2)
    expect(new Set(keys).size).toBe(2)
  })

  it('is reported as deleted if it no longer exists, and can be booked again with a new key', async () => {
    await afterLostBooking()
    const [{ id }] = await lessons()
    await school.client.delete(`/appointments/${id}`)
    await book()
    await dialog().getByText('It no longer exists.').waitFor()
    await book()
    await page.getByText(/^Booked: Lena Vogt/).waitFor()
    await expect.poll(() => lessons()).toHaveLength(1)
    expect(new Set(keys).size).toBe(2)
  })
})

describe('an enrolment whose response was lost', () => {
  it('stores one student, and a later enrolment with the same name stores another', async () => {
    await at('/students')
    const enrol = async () => {
      await page.getByRole('button', { name: 'New student' }).click()
      await dialog().getByLabel('First name').fill('Lena')
      await dialog().getByLabel('Last name').fill('Vogt')
      await dialog().getByRole('button', { name: 'Save' }).click()
    }
    await loseNextAnswer('**/api/v1/students')
    await enrol()
    await lost().waitFor()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Lena Vogt').waitFor()
    const students = async () => (await school.client.get('/students')).body
    await expect.poll(() => students()).toHaveLength(1)
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await enrol()
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    await expect.poll(() => students()).toHaveLength(2)
    expect(new Set(keys).size).toBe(2)
  })
})

describe('an invitation or a webhook whose response was lost', () => {
  it('is created once, and shows its link or secret when sent again', async () => {
    await at('/users?add=true')
    await loseNextAnswer('**/api/v1/users')
    await dialog().getByLabel('Name').fill('Ida Invited')
    await dialog().getByLabel('E-mail').fill(`ida-${school.tenantId}@school.example`)
    await dialog().getByRole('button', { name: 'Invite', exact: true }).click()
    await lost().waitFor()
    await dialog().getByRole('button', { name: 'Invite', exact: true }).click()
    await expect.poll(() => dialog().getByLabel('Link', { exact: true }).inputValue()).toContain('#')
    await dialog().getByRole('button', { name: 'Done' }).click()
    await page.goto(`${service().url}/settings?chapter=webhooks`)
    await loseNextAnswer('**/api/v1/webhooks')
    await page
      .getByLabel('Address', { exact: true })
      .filter({ visible: true })
      .fill('https://203.0.113.7/hook')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await expect.poll(() => page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/)
    expect((await school.client.get('/webhooks')).body).toHaveLength(1)
    expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([4, 2, 'string'])
  })
})

describe('a booking that gets 409 request_in_progress', () => {
  it('is shown as still being saved, and is retried with the same key', async () => {
    await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
    await at(`/?date=${DATE}`)
    await page.getByRole('button', { name: 'Book lesson' }).click()
    await dialog().getByText('Possible', { exact: true }).waitFor()
    const body = '{"code":"request_in_progress","status":409}'
    const answer = { status: 409, contentType: 'application/problem+json', body }
    let isInProgress = true
    await page.route('**/api/v1/appointments', (route) =>
      isInProgress && route.request().method() === 'POST' ? route.fulfill(answer) : route.continue(),
    )
    await book()
    await dialog().getByText('This is still being saved. Try again in a moment.').waitFor()
    isInProgress = false
    await book()
    await page.getByText(/^Booked: /).waitFor()
    expect(new Set(keys).size).toBe(1)
  })
})
