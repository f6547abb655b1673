import axe, { type Result } from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { enter } from '../support/factory.ts'
import { aDay, DATE, type Day, onPhone } from './instructors-day.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let phone: Page

beforeEach(async () => {
  day = await aDay(service())
})

async function atRequests(options = {}): Promise<void> {
  phone = await onPhone(service(), open, day, options)
  await phone.goto(`${service().url}/requests`)
  await phone.getByRole('textbox').first().waitFor()
}

/** Opens the office's list of instructors, with the phone's clock. */
async function atOffice(): Promise<Page> {
  const office = await open('/icon.svg', { as: day.school })
  await office.clock.install({ time: `${DATE}T09:15:00Z` })
  await office.goto(`${service().url}/instructors`)
  await office.getByRole('heading', { name: 'Instructors' }).waitFor()
  return office
}

const mine = () => phone.locator('[data-status]')
const vacations = async () => (await day.school.client.get(`/instructors/${day.jonas.id}`)).body.vacations

async function askForMonday(): Promise<void> {
  await phone.getByLabel('From', { exact: true }).fill(DATE)
  await phone.getByLabel('Note').fill('Moving house')
  await phone.getByRole('button', { name: 'Ask', exact: true }).tap()
  await phone.getByText('Your request is with the office.').waitFor()
}

describe('days off', () => {
  it('are requested on the phone and accepted by the office, which sees the affected lessons', async () => {
    await atRequests()
    await askForMonday()
    await mine().getByText('open', { exact: true }).waitFor()
    const office = await atOffice()
    await office.getByTitle('1 request is waiting for you').waitFor()
    const request = office.getByRole('article', { name: 'Jonas Brandt' })
    for (const text of ['Days off: 1 March', 'Moving house', /2 upcoming lessons|Tom Berg/])
      await request.getByText(text).first().waitFor()
    await request.getByText('Accepting leaves them where they are').waitFor()
    expect(await request.getByRole('button', { name: 'Decide on these lessons together' }).count()).toBe(0)
    const link = request.getByRole('link', { name: 'Decide on each lesson' })
    expect(await link.getAttribute('href')).toMatch(`day=${DATE}&until=${DATE}`)
    await request.getByLabel('Reply from the office').fill('Of course.')
    await request.getByRole('button', { name: 'Accept' }).dblclick()
    await request.waitFor({ state: 'detached' })
    await office.getByTitle('1 request is waiting for you').waitFor({ state: 'detached' })
    await office.getByText('Accepted: Jonas Brandt, 1 March · 3 lessons still to decide').waitFor()
    await office.getByRole('button', { name: 'Decide', exact: true }).click()
    await office.waitForURL(new RegExp(`/absence\\?.*day=${DATE}&until=${DATE}`))
    await office.getByText('3 still undecided').waitFor()
    await expect.poll(() => vacations()).toEqual([{ start_date: DATE, end_date: DATE, note: 'Moving house' }])
    await phone.clock.fastForward(30_000)
    await mine().getByText('accepted', { exact: true }).waitFor()
    await mine().getByText('Reply from the office: Of course.').waitFor()
  })

  it('already recorded as an absence can be accepted without creating a second vacation', async () => {
    const asked = { instructor_id: day.jonas.id, start_date: DATE, end_date: DATE, note: 'Moving house' }
    await day.school.client.post('/schedule-requests', asked)
    const office = await atOffice()
    await office.getByRole('link', { name: 'Decide on each lesson' }).click()
    await office.getByRole('button', { name: 'Accept all suggestions' }).click()
    await office.getByRole('button', { name: 'Record absence' }).click()
    await office.getByText('Jonas Brandt has asked for these days off').waitFor()
    await office.getByRole('button', { name: 'Accept the request' }).dblclick()
    await office.getByText('Jonas Brandt has asked for these days off').waitFor({ state: 'detached' })
    await office.getByText('Accepted: Jonas Brandt').waitFor()
    expect((await day.school.client.get('/schedule-requests')).body).toMatchObject([{ status: 'accepted' }])
    await expect.poll(() => vacations()).toEqual([{ start_date: DATE, end_date: DATE, note: null }])
  })

  it('are left for another page with a typed reply only after a question', async () => {
    const asked = { instructor_id: day.jonas.id, start_date: DATE, end_date: DATE }
    await day.school.client.post('/schedule-requests', asked)
    const office = await atOffice()
    const reply = office.getByLabel('Reply from the office')
    const question = office.getByRole('dialog', { name: 'Discard what you have filled in?' })
    await reply.fill('Of course.')
    await office.getByRole('link', { name: 'Decide on each lesson' }).click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    await office.getByRole('link', { name: /Jonas Brandt/ }).click()
    await office.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => reply.inputValue()).toBe('Of course.')
    await office.getByRole('link', { name: 'Decide on each lesson' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await office.getByRole('button', { name: 'Record absence' }).waitFor()
  })

  it('are left on the phone for another page with a typed note only after a question', async () => {
    await atRequests()
    await phone.getByLabel('Note').fill('Moving house')
    const leave = async (answer: string) => {
      await phone.getByRole('link', { name: 'My day' }).tap()
      await phone.getByRole('dialog').getByRole('button', { name: answer }).tap()
    }
    await leave('Keep editing')
    await expect.poll(() => phone.getByLabel('Note').inputValue()).toBe('Moving house')
    await leave('Discard')
    await phone.waitForURL(/\/today/)
    await phone.goBack()
    await askForMonday()
    await phone.getByRole('link', { name: 'My day' }).tap()
    await phone.waitForURL(/\/today/)
  })

  it('appear among the changes of the user who decided the request', async () => {
    const { school, user, jonas } = day
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    const asked = { instructor_id: jonas.id, start_date: DATE, end_date: DATE }
    const { body } = await client.post('/schedule-requests', asked)
    await school.client.patch(`/schedule-requests/${body.id}`, { status: 'declined' })
    const { body: me } = await school.client.get('/auth/me')
    const office = await open(`/changes?kind=schedule_request&person=${me.id}`, { as: school })
    await office.getByText('Request changed Jonas Brandt, 1 March').waitFor()
    expect(await office.getByText('Request created').count()).toBe(0)
  })

  it('are not requested for an invalid date or a last day before the first', async () => {
    await atRequests()
    await phone.getByLabel('From', { exact: true }).fill('31.4.')
    await phone.getByLabel('To', { exact: true }).fill('5.4.')
    await phone.getByRole('button', { name: 'Ask', exact: true }).tap()
    await phone.getByText('There is no such day.').waitFor()
    await expect.poll(() => phone.getByLabel('From', { exact: true }).inputValue()).toBe('31.4.')
    await phone.getByLabel('From', { exact: true }).fill('4.4.')
    await phone.getByText(/^Sun,? 4 Apr, in 5 weeks$/).waitFor()
    await phone.getByLabel('To', { exact: true }).fill('3.4.')
    await phone.getByRole('button', { name: 'Ask', exact: true }).tap()
    await phone.getByText(/^Sun,? 4 Apr at the earliest\.$/).waitFor()
    expect((await day.school.client.get('/schedule-requests')).body).toEqual([])
    const lastDay = phone.getByLabel('To', { exact: true })
    await lastDay.tap()
    await lastDay.fill('5.4.')
    await phone.getByRole('button', { name: 'Ask', exact: true }).tap()
    await phone.getByText('Your request is with the office.').waitFor()
    expect((await day.school.client.get('/schedule-requests')).body).toMatchObject([
      { start_date: '2032-04-04', end_date: '2032-04-05' },
    ])
  })

  it('already decided by another user cannot be decided again', async () => {
    const asked = { instructor_id: day.jonas.id, start_date: DATE, end_date: DATE }
    const { body } = await day.school.client.post('/schedule-requests', asked)
    const office = await atOffice()
    const request = office.getByRole('article', { name: 'Jonas Brandt' })
    await request.waitFor()
    await office.route('**/api/v1/changes/since*', (route) => route.abort())
    await day.school.client.patch(`/schedule-requests/${body.id}`, { status: 'declined' })
    await request.getByRole('button', { name: 'Accept' }).click()
    await office.getByText('Not saved: Somebody else has changed it in the meantime.').waitFor()
    await request.waitFor({ state: 'detached' })
    await expect.poll(() => vacations()).toEqual([])
  })

  it('can be withdrawn by the instructor', async () => {
    await atRequests()
    await askForMonday()
    await mine().getByRole('button', { name: 'Withdraw' }).tap()
    await mine().getByText('withdrawn', { exact: true }).waitFor()
    expect((await day.school.client.get('/schedule-requests?status=open')).body).toEqual([])
  })

  it('cannot be requested offline, but keep their dates and can be sent after the connection returns', async () => {
    await atRequests()
    await phone.getByLabel('From', { exact: true }).fill(DATE)
    await phone.getByLabel('To', { exact: true }).fill(DATE)
    await phone.context().setOffline(true)
    await phone.getByRole('button', { name: 'Ask', exact: true }).tap()
    await phone.getByRole('alert').getByText('The service cannot be reached.').tap()
    await phone.context().setOffline(false)
    await phone.getByRole('button', { name: 'Ask', exact: true }).tap()
    await phone.getByText('Your request is with the office.').waitFor()
    expect((await day.school.client.get('/schedule-requests')).body).toHaveLength(1)
  })
})

describe('other hours', () => {
  it('start with the current hours, are requested by weekday, and are declined with a reply', async () => {
    const windows = [{ weekday: 1, start: '08:00', end: '17:00' }]
    await day.school.client.patch(`/instructors/${day.jonas.id}`, { availability_windows: windows })
    await atRequests()
    await phone.getByRole('button', { name: 'Other hours' }).tap()
    await phone.getByLabel('Monday, end').fill('12:00')
    await phone.getByRole('button', { name: 'Add a time: Tuesday' }).tap()
    await phone.getByLabel('Tuesday, end').fill('00:00')
    await phone.getByRole('button', { name: 'Ask', exact: true }).tap()
    await mine().getByText('Other hours: Monday 08:00–12:00, Tuesday 08:00–24:00').waitFor()
    const office = await atOffice()
    const request = office.getByRole('article', { name: 'Jonas Brandt' })
    await request.getByLabel('Reply from the office').fill('Not before summer.')
    const asked: string[] = []
    office.on('request', (one) => one.method() === 'PATCH' && asked.push(one.url()))
    await request.getByRole('button', { name: 'Decline' }).dblclick()
    await request.waitFor({ state: 'detached' })
    await office.getByText('Declined: Jonas Brandt, Other hours').waitFor()
    expect(asked).toHaveLength(1)
    await phone.clock.fastForward(30_000)
    await mine().getByText('Reply from the office: Not before summer.').waitFor()
    const { body } = await day.school.client.get(`/instructors/${day.jonas.id}`)
    expect(body.availability_windows).toEqual(windows)
  })
})

it('accepting other hours applies only the shown difference and keeps later changes by the office', async () => {
  const hours = (weekday: number, end = '17:00') => ({ weekday, start: '08:00', end })
  const path = `/instructors/${day.jonas.id}`
  await day.school.client.patch(path, { availability_windows: [hours(1), hours(2)] })
  const request = { instructor_id: day.jonas.id, availability_windows: [hours(1, '12:00'), hours(2)] }
  await day.school.client.post('/schedule-requests', request)
  await day.school.client.patch(path, { availability_windows: [hours(1), hours(2, '20:00')] })
  const office = await atOffice()
  const changes = office.getByRole('region', { name: 'Accepting changes' })
  await changes.getByText('Monday 08:00–12:00').waitFor()
  await expect.poll(() => changes.getByText('Tuesday').count()).toBe(0)
  await office.getByRole('button', { name: 'Accept' }).click()
  await expect
    .poll(async () => (await day.school.client.get(path)).body.availability_windows)
    .toEqual([hours(1, '12:00'), hours(2, '20:00')])
})

it('the card of a request with affected lessons does not scroll sideways on a German phone', async () => {
  const windows = [{ weekday: 1, start: '08:00', end: '08:30' }]
  const asked = { instructor_id: day.jonas.id, availability_windows: windows }
  await day.school.client.post('/schedule-requests', asked)
  const viewport = { width: 390, height: 844 }
  const options = { viewport, isMobile: true, locale: 'de-DE', as: day.school }
  const office = await open('/instructors', options)
  await office.getByRole('button', { name: 'Über diese Fahrstunden zusammen entscheiden' }).waitFor()
  expect(await office.evaluate('document.documentElement.scrollWidth')).toBe(390)
})

describe.each(['en-GB', 'de-DE'])('the requests page in %s', (locale) => {
  it('has no axe violations in light and dark mode, and does not scroll sideways on a phone', async () => {
    for (const fields of [{ start_date: DATE, end_date: DATE }, { availability_windows: [] }])
      await day.school.client.post('/schedule-requests', { instructor_id: day.jonas.id, ...fields })
    await atRequests({ locale, bypassCSP: true })
    await phone.getByRole('button', { name: /Other hours|Andere Zeiten/ }).tap()
    await phone.getByRole('button', { name: /: (Monday|Montag)$/ }).tap()
    await phone.addScriptTag({ content: axe.source })
    for (const colorScheme of ['light', 'dark'] as const) {
      await phone.emulateMedia({ colorScheme })
      await phone.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      const found = await phone.evaluate<Result[]>('axe.run().then(({ violations }) => violations)')
      expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    }
    await expect.poll(() => phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})
