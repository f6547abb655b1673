import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { goOffline, handleFirst, logInAt, useBrowser } from '../support/browser.ts'
import { enter, PASSWORD, type Row } from '../support/factory.ts'
import { aDay, DATE, type Day, NOW, onPhone } from './instructors-day.ts'
import { keptIn, keptTextIn } from './kept.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
})

const large = () => page.locator('section').first()
const stored = async ({ id }: Row) => (await day.school.client.get(`/appointments/${id}`)).body

describe('the stored day', () => {
  beforeEach(async () => {
    page = await onPhone(service(), open, day)
    await appIsKept()
  })

  /** Waits until the browser can show the page offline. */
  async function appIsKept(): Promise<void> {
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await expect
      .poll(() => kept())
      .toEqual(expect.arrayContaining(['bootstrap', 'appointments', 'practised']))
  }

  const kept = () => keptIn(page)
  const keptText = () => keptTextIn(page)
  const press = (name: string) => large().getByRole('button', { name, exact: true }).tap()
  const goOnline = () => page.context().setOffline(false)
  const waiting = (count: number) => page.getByText(new RegExp(`^${count} entr(y|ies) will be sent`))

  /** Waits for the notice of a sending, which begins with the network's return or, if that failed, half a minute later. */
  async function sent(text: string): Promise<void> {
    const notice = page.getByText(text)
    const isSeen = await notice.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if (isSeen) return
    await page.clock.fastForward(30_000)
    await notice.waitFor()
  }

  /** Closes the app and opens it again. */
  async function reopen(): Promise<void> {
    const context = page.context()
    await page.close()
    page = await context.newPage()
    await page.clock.install({ time: NOW })
    await page.goto(`${service().url}/today`)
  }

  describe('the app without a connection', () => {
    it('shows only the days around today after a reload or restart', async () => {
      await day.school.lesson({
        instructor_id: day.jonas.id,
        title: 'In two days',
        start_at: '2032-03-03 10:00',
        end_at: '2032-03-03 11:30',
      })
      const read = page.waitForResponse((answer) => answer.url().endsWith('from=2032-03-03&to=2032-03-03'))
      await page.reload()
      await (await read).finished()
      await expect.poll(() => keptText()).toContain('In two days')
      await expect.poll(async () => (await kept()).filter((key) => key === 'appointments')).toHaveLength(4)
      await goOffline(page)
      await page.reload()
      await large().getByRole('heading', { name: 'Tom Berg' }).waitFor()
      await page.getByText('No connection to the service.').waitFor()
      await reopen()
      await large().getByRole('heading', { name: 'Tom Berg' }).waitFor()
      await page.getByRole('button', { name: 'Next day' }).tap()
      await page.getByRole('heading', { name: /2 March 2032/ }).waitFor()
      await page.getByRole('button', { name: 'Next day' }).tap()
      await large().getByRole('heading', { name: 'In two days' }).waitFor()
      await page.getByRole('button', { name: 'Next day' }).tap()
      await page.getByText('The service cannot be reached.').waitFor()
    })

    it('keeps entries across a restart and sends them once, in one request per lesson', {
      tags: 'promise',
    }, async () => {
      await page.clock.setFixedTime(NOW)
      await goOffline(page)
      await press('Lesson begins')
      await large().getByText('Began 10:15, until 11:45').waitFor()
      await page.getByLabel('Practised').fill('Parking.')
      await press('Save')
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Lena Vogt' })
        .getByRole('button', { name: 'Done' })
        .tap()
      await waiting(2).waitFor()
      await reopen()
      await waiting(2).waitFor()
      await large().getByText('Began 10:15, until 11:45').waitFor()
      await expect.poll(() => stored(day.running)).toMatchObject({ actual_start_at: null, version: 1 })
      await goOnline()
      await sent('2 entries have been sent.')
      await waiting(2).waitFor({ state: 'detached' })
      await expect
        .poll(() => stored(day.running))
        .toMatchObject({
          actual_start_at: `${DATE} 10:15`,
          practised: 'Parking.',
          version: 2,
        })
      await expect.poll(() => stored(day.early)).toMatchObject({ status: 'completed', version: 2 })
    })

    it('applies a change only once if its response was lost', async () => {
      await handleFirst(page, '**/api/v1/appointments/*', async (route) => {
        expect([route.request().method(), (await route.fetch()).status()]).toEqual(['PATCH', 200])
        await route.abort()
      })
      await press('Done')
      await press('As planned 10:00–11:30')
      await waiting(1).waitFor()
      await reopen()
      await page.clock.fastForward(5_000)
      await page.getByText('1 entry has been sent.').waitFor()
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      await expect.poll(() => stored(day.running)).toMatchObject({ status: 'completed', version: 2 })
    })

    it('lets the user resolve a conflict with a change by the office, even after a restart', async () => {
      await goOffline(page)
      await press('Done')
      await press('As planned 10:00–11:30')
      await waiting(1).waitFor()
      await day.school.client.patch(`/appointments/${day.running.id}`, { status: 'cancelled' })
      await goOnline()
      await page.clock.fastForward(30_000)
      await page.getByRole('alert').getByText('Somebody else has changed it in the meantime.').waitFor()
      await reopen()
      const notice = page.getByRole('alert')
      for (const text of ['Status: done', 'Status: cancelled']) await notice.getByText(text).waitFor()
      await notice.getByRole('button', { name: 'Keep the current version' }).tap()
      await notice.waitFor({ state: 'detached' })
      await expect.poll(() => stored(day.running)).toMatchObject({ status: 'cancelled' })
    })

    it('shows the same entries in two tabs, only one of which sends them', async () => {
      const other = await page.context().newPage()
      await other.clock.install({ time: NOW })
      await other.goto(`${service().url}/today`)
      await other.getByRole('heading', { name: 'Tom Berg' }).waitFor()
      // A tab that goes online early may send a request twice.
      const senders = new Set<Page>()
      page.context().on('response', (answer) => {
        if (answer.request().method() === 'PATCH') senders.add(answer.frame().page())
      })
      await goOffline(page)
      await press('No-show')
      await waiting(1).waitFor()
      await other.getByText(/^1 entry will be sent/).waitFor()
      await goOnline()
      for (const tab of [page, other]) await tab.clock.fastForward(30_000)
      await waiting(1).waitFor({ state: 'detached' })
      await other.getByText(/^1 entry will be sent/).waitFor({ state: 'detached' })
      await expect.poll(() => stored(day.running)).toMatchObject({ status: 'no_show', version: 2 })
      expect(senders.size).toBe(1)
    })
  })

  describe('a session', () => {
    it('with an expired access token still sends the pending entries', async () => {
      await goOffline(page)
      await press('Done')
      await press('As planned 10:00–11:30')
      await waiting(1).waitFor()
      await page.context().clearCookies({ name: 'svc_jwt' })
      await reopen()
      await waiting(1).waitFor()
      await goOnline()
      await sent('1 entry has been sent.')
      await expect.poll(() => stored(day.running)).toMatchObject({ status: 'completed' })
    })

    it('with a changed role shows a message, sends the pending entries, and deletes the stored days', async () => {
      await goOffline(page)
      await press('Done')
      await press('As planned 10:00–11:30')
      await waiting(1).waitFor()
      await service()
        .db.updateTable('users')
        .set({ role: 'office', instructor_id: null })
        .where('id', '=', day.user.id)
        .execute()
      await goOnline()
      await page.clock.fastForward(30_000)
      await expect.poll(async () => (await stored(day.running)).status).toBe('completed')
      // The service notices the new role within seconds, and the page polls every half minute.
      await expect
        .poll(
          async () => {
            await page.clock.fastForward(30_000)
            return page.getByText('You now have the role “Office”.').count()
          },
          { timeout: 20_000 },
        )
        .toBe(1)
      await expect.poll(() => kept()).toEqual(['outbox'])
    })

    it('that has expired keeps only the pending entries, which are sent after a new login', async () => {
      await goOffline(page)
      await press('Done')
      await press('As planned 10:00–11:30')
      await waiting(1).waitFor()
      await page.context().clearCookies()
      await goOnline()
      await reopen()
      await page
        .getByText('Your session has expired.')
        .or(page.locator('input[name=password]'))
        .first()
        .waitFor()
      await expect.poll(() => kept()).toEqual(['outbox'])
      await logInAt(page, { ...day.school, user: day.user } as typeof day.school, PASSWORD)
      await page.getByText('1 entry has been sent.').waitFor()
      await expect.poll(() => stored(day.running)).toMatchObject({ status: 'completed' })
    })

    it('ended by its user deletes all stored data, after a warning about unsent entries', async () => {
      await goOffline(page)
      await reopen()
      await press('Done')
      await press('As planned 10:00–11:30')
      await waiting(1).waitFor()
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Lena Vogt' })
        .getByRole('button', { name: 'Done' })
        .tap()
      await waiting(2).waitFor()
      await page.getByRole('button', { name: 'Menu' }).tap()
      await page.getByText('2 entries have not been sent yet. Logging out discards them.').waitFor()
      await page.getByRole('button', { name: 'Log out' }).tap()
      await expect.poll(() => kept()).toEqual([])
      expect(await page.evaluate('localStorage.getItem("fahrplan.kept")')).toBe(null)
      await goOnline()
      await reopen()
      await page.locator('input[name=password]').waitFor()
      await expect.poll(() => stored(day.running)).toMatchObject({ status: 'planned', version: 1 })
    })

    it('of another user deletes the pending entries of the first user without sending them', async () => {
      await goOffline(page)
      await press('Done')
      await press('As planned 10:00–11:30')
      await waiting(1).waitFor()
      await page.context().clearCookies()
      await goOnline()
      await reopen()
      await page.locator('input[name=password]').waitFor()
      await logInAt(page, day.school)
      await page.getByRole('link', { name: 'Board' }).waitFor()
      await expect.poll(() => kept()).toEqual([])
      await expect.poll(() => stored(day.running)).toMatchObject({ status: 'planned', version: 1 })
    })
  })
})

describe('a page without a connection', () => {
  beforeEach(async () => {
    const { client } = await enter(service(), { tenantId: day.school.tenantId, user: day.user })
    const asked = { instructor_id: day.jonas.id, start_date: '2032-08-02', end_date: '2032-08-13' }
    await client.post('/schedule-requests', { ...asked, note: 'Summer' })
    page = await onPhone(service(), open, day)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await expect
      .poll(() => keptIn(page))
      .toEqual(expect.arrayContaining(['bootstrap', 'appointments', 'schedule-requests', 'inbox']))
  })

  it('the address of the board leads an instructor to the stored day', async () => {
    await goOffline(page)
    await page.goto(`${service().url}/`)
    await page.getByRole('heading', { name: 'Tom Berg' }).waitFor()
    await page.getByText('No connection to the service.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/today')
  })

  it('the requests are shown, and a new one keeps its text until it can be sent', async () => {
    await goOffline(page)
    await page.goto(`${service().url}/requests`)
    await page.getByText('Summer').waitFor()
    await page.getByLabel('From', { exact: true }).fill('2032-09-06')
    await page.getByLabel('To', { exact: true }).fill('2032-09-07')
    await page.getByLabel('Note').fill('Moving house')
    await page.getByRole('button', { name: 'Ask', exact: true }).tap()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByLabel('Note').inputValue()).toBe('Moving house')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Ask', exact: true }).tap()
    await page.getByText('Your request is with the office.').waitFor()
  })

  it('the inbox opens', async () => {
    await goOffline(page)
    await page.goto(`${service().url}/inbox`)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })
})

describe('on a phone whose storage is full', () => {
  beforeEach(async () => {
    page = await onPhone(service(), open, day)
    await page.getByLabel('Notes').fill('Glasses')
    // An entry that still has room, so that the device holds an older outbox.
    await line('Lena Vogt').getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => stored(day.early)).toMatchObject({ status: 'completed', version: 2 })
    await fillStorage()
  })

  /** Makes the browser abort what the page stores from now on, as it does when the device is full. */
  async function fillStorage(): Promise<void> {
    await page.evaluate(`(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (...given) {
      const asked = put.apply(this, given)
      this.transaction.abort()
      return asked
    }
  })()`)
  }

  const line = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  const press = (name: string) => large().getByRole('button', { name, exact: true }).click()

  it('an outcome is still sent, with its notes', async () => {
    await press('Done')
    await press('As planned 10:00–11:30')
    await expect.poll(() => stored(day.running)).toMatchObject({ status: 'completed', notes: 'Glasses' })
    await line('Tom Berg').getByRole('button').first().click()
    await expect.poll(() => large().getByRole('button', { name: 'Save' }).count()).toBe(0)
  })

  it('entries made while offline are shown until they are sent, and notes stay a draft', async () => {
    await goOffline(page)
    await press('No-show')
    await line('Lena Vogt').getByRole('button', { name: 'Undo “done”' }).click()
    await page.getByText(/^2 entries will be sent/).waitFor()
    await large().getByText('no-show').waitFor()
    await large().getByRole('button', { name: 'Save' }).waitFor()
    await page.context().setOffline(false)
    await page.clock.fastForward(30_000)
    await expect.poll(() => stored(day.running)).toMatchObject({ status: 'no_show', notes: 'Glasses' })
    await expect.poll(() => stored(day.early)).toMatchObject({ status: 'planned', version: 3 })
    await page.getByText(/entr(y|ies) will be sent/).waitFor({ state: 'detached' })
  })
})
