import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aLogin } from '../support/session.ts'

const service = useService()
const open = useBrowser(service)
const MONDAY = '2099-03-02'
const HOURS = [{ weekday: 1, start: '08:00', end: '12:00' }]
const TUESDAY = { weekday: 2, start: '09:00', end: '17:00' }
const AFTERNOON = { start_at: `${MONDAY} 14:00`, end_at: `${MONDAY} 15:30` }

let school: School
let jonas: Row
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', availability_windows: HOURS })
})

const at = async (path: string) => {
  page = await open(path, { as: school })
}
const dialog = () => page.getByRole('dialog').last()
const instructor = async () => (await school.client.get(`/instructors/${jonas.id}`)).body
const atForm = async () => {
  await at(`/instructors?instructor=${jonas.id}`)
  await dialog().getByText('Limits and breaks').waitFor()
}

it('an instructor is marked as being in training, which is in their history', async () => {
  await atForm()
  const trainee = () => dialog().getByRole('switch', { name: 'Instructor in training' })
  await trainee().click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Saved/).waitFor()
  expect(await instructor()).toMatchObject({ is_trainee: true, active: true })
  await at(`/instructors?instructor=${jonas.id}`)
  await expect.poll(() => trainee().isChecked()).toBe(true)
  await dialog().getByText('History').click()
  await dialog().getByText('in training', { exact: true }).first().waitFor()
})

describe('a form with input', () => {
  it('is not replaced by the link of a message without a question', async () => {
    await at('/students')
    const add = () => page.getByRole('button', { name: 'New student' }).first().click()
    await add()
    await dialog().getByLabel('First name').fill('Mira')
    await dialog().getByLabel('Last name').fill('Seidel')
    await dialog().getByRole('button', { name: 'Save' }).click()
    const show = page.getByRole('link', { name: 'Show' })
    await show.waitFor()
    await page.getByRole('dialog', { name: 'Mira Seidel' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await add()
    await dialog().getByLabel('First name').fill('Emma')
    await show.click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(await dialog().getByLabel('First name').inputValue()).toBe('Emma')
  })

  it('of an instructor lists no lessons that another user has made possible meanwhile', async () => {
    await atForm()
    const checks: string[] = []
    page.on('request', (request) => request.url().includes('/impact') && checks.push(request.url()))
    const read = (part: string) => page.waitForResponse((answer) => answer.url().includes(part))
    const reread = read(`/instructors/${jonas.id}`)
    const hours = [{ weekday: 1, start: '08:00', end: '18:00' }]
    await school.client.patch(`/instructors/${jonas.id}`, { availability_windows: hours })
    await school.lesson({ instructor_id: jonas.id, title: 'Car wash', ...AFTERNOON })
    await reread
    await read('/changes/since?cursor=')
    expect(checks).toEqual([])
    expect(await dialog().getByText('would no longer fit').count()).toBe(0)
  })

  it('of an instructor keeps days off that were accepted just before', async () => {
    const asked = { instructor_id: jonas.id, start_date: '2099-03-09', end_date: '2099-03-10' }
    await school.client.post('/schedule-requests', asked)
    await at('/instructors')
    await page.getByRole('article', { name: 'Jonas Brandt' }).getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('article', { name: 'Jonas Brandt' }).waitFor({ state: 'detached' })
    await page.getByText('Jonas Brandt', { exact: true }).click()
    await dialog().getByRole('button', { name: 'Add absence' }).click()
    await dialog().getByLabel('Reason').last().fill('Skiing')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Jonas Brandt').waitFor()
    expect((await instructor()).vacations).toMatchObject([{ start_date: '2099-03-09' }, { note: 'Skiing' }])
  })

  it('of working hours keeps an invalid date in its own row when another row is removed', async () => {
    await school.client.patch(`/instructors/${jonas.id}`, { availability_windows: [...HOURS, TUESDAY] })
    await atForm()
    await dialog().getByRole('button', { name: 'Monday 08:00–12:00: dates' }).click()
    await dialog().getByLabel('valid until').fill('31.4.')
    await dialog().getByRole('button', { name: 'Remove Monday 08:00–12:00' }).click()
    await dialog().getByRole('button', { name: 'Tuesday 09:00–17:00: dates' }).waitFor()
    expect(await dialog().getByLabel('valid until').count()).toBe(0)
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Jonas Brandt').waitFor()
    expect((await instructor()).availability_windows).toMatchObject([TUESDAY])
  })
})

it('a lesson cancelled by a double click in the form of an instructor is planned again by one undo', async () => {
  const lesson = await school.lesson({
    instructor_id: jonas.id,
    start_at: `${MONDAY} 10:00`,
    end_at: `${MONDAY} 11:30`,
    title: 'Car wash',
  })
  await school.client.patch(`/instructors/${jonas.id}`, { availability_windows: [...HOURS, TUESDAY] })
  await atForm()
  await dialog().getByRole('button', { name: 'Remove Monday 08:00–12:00' }).click()
  await dialog().getByText('1 upcoming lesson would no longer fit').waitFor()
  await dialog()
    .getByRole('button', { name: /^Cancel lesson: / })
    .dblclick()
  await page.getByText(/^Cancelled: /).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(/^Undone: /).waitFor()
  expect((await school.client.get(`/appointments/${lesson.id}`)).body.status).toBe('planned')
})

it('changes can be shown for everybody again after a person without any was chosen', async () => {
  const ben = await aLogin(service(), school.tenantId)
  await at(`/changes?person=${ben.user.id}`)
  await page.getByText('No changes match this filter.').waitFor()
  const who = page.getByLabel('Who')
  expect(await who.inputValue()).toBe(ben.user.id)
  await who.selectOption('')
  await page.getByText('Jonas Brandt').first().waitFor()
})
