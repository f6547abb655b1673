import axe, { type Result } from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { goOffline, handleFirst, useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { aDay, DATE, doubleClickAt, NOW, onPhone, PHONE } from './instructors-day.ts'
import { keptIn } from './kept.ts'

const service = useService()
const open = useBrowser(service)

describe('the day', () => {
  let school: School
  let jonas: Row
  let page: Page
  let early: Row
  let running: Row

  beforeEach(async () => {
    school = await aSchool(service())
    const templates = (await school.client.get('/license-class-templates')).body
    const { id } = templates.find(({ code }: { code: string }) => code === 'B')
    jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
    const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
    const tom = {
      first_name: 'Tom',
      last_name: 'Berg',
      phone: '+49 170 1234567',
      license_class_template_id: id,
    }
    const student = (await school.student(tom)).id
    early = await drive('08:00', '09:30', { student_id: lena.id })
    running = await drive('10:00', '11:30', { student_id: student, notes: 'Parks well.' })
    await drive('12:00', '13:00', { title: 'Car wash' })
    const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
    await drive('10:00', '11:30', { instructor_id: mira.id, title: 'Of another' })
  })

  function drive(start: string, end: string, fields: object): Promise<Row> {
    const times = { start_at: `${DATE} ${start}`, end_at: `${DATE} ${end}` }
    return school.lesson({ instructor_id: jonas.id, ...times, ...fields })
  }

  /** Opens an address as the instructor. Returns the requests that the page sends. */
  async function at(path: string, options: BrowserContextOptions = {}): Promise<string[]> {
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: jonas.id })
    const as = await enter(service(), { tenantId: school.tenantId, user })
    page = await open('/icon.svg', { ...PHONE, ...options, as })
    await page.clock.install({ time: NOW })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().split('/api/v1')[1] ?? ''))
    await page.goto(`${service().url}${path}`)
    return asked
  }

  const large = () => page.locator('section').first()
  const line = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const notes = () => page.getByLabel('Notes')
  const stored = async ({ id }: Row) => (await school.client.get(`/appointments/${id}`)).body

  /** Stops the page's clock at a time in UTC, which the page notices. */
  async function stopAt(time: string): Promise<void> {
    await page.clock.setFixedTime(`${DATE}T${time}:00Z`)
    await page.clock.fastForward(5_000)
  }

  describe('an instructor', () => {
    it('starts on their own day, with the current lesson enlarged above the list', {
      tags: 'promise',
    }, async () => {
      const asked = await at('/')
      await large().getByRole('heading', { name: 'Tom Berg' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/today')
      await page.getByRole('heading', { name: /Monday,? 1 March 2032/ }).waitFor()
      for (const text of ['Now', '10:00–11:30', 'Still needed:']) await large().getByText(text).waitFor()
      await expect.poll(() => large().getByRole('link').getAttribute('href')).toBe('tel:+491701234567')
      await expect.poll(() => page.getByRole('listitem').filter({ hasText: '–' }).count()).toBe(3)
      await expect.poll(() => page.getByText('Of another').count()).toBe(0)
      await expect.poll(() => page.getByRole('link', { name: 'Board' }).count()).toBe(0)
      expect(asked).toContain('/bootstrap')
      expect(asked.filter((path) => path.startsWith('/changes'))).toEqual([])
    })

    it('sees a lesson booked by the office within 30 seconds', async () => {
      await at('/today')
      await large().getByRole('heading', { name: 'Tom Berg' }).waitFor()
      const ida = await school.student({ first_name: 'Ida', last_name: 'Neu' })
      await drive('14:00', '15:30', { student_id: ida.id })
      await page.clock.fastForward(30_000)
      await line('Ida Neu').waitFor()
    })

    it('changes the day by tapping or swiping, and returns to today', async () => {
      await at('/today')
      await button('Next day').tap()
      await page.getByRole('heading', { name: /Tuesday,? 2 March 2032/ }).waitFor()
      await page.getByText('You have no lessons on this day.').waitFor()
      await strokeAcross(-200)
      await page.getByRole('heading', { name: /Wednesday,? 3 March 2032/ }).waitFor()
      await strokeAcross(200)
      await page.getByRole('heading', { name: /Tuesday,? 2 March 2032/ }).waitFor()
      await button('Today').tap()
      await large().getByRole('heading', { name: 'Tom Berg' }).waitFor()
    })
  })

  describe('the outcome of a lesson', () => {
    it('can be entered from the start of the lesson on, and undone in the same place', {
      tags: 'promise',
    }, async () => {
      await at('/today')
      await line('Lena Vogt').getByRole('button', { name: 'Done' }).tap()
      await line('Lena Vogt').getByText('done', { exact: true }).waitFor()
      await expect.poll(async () => (await stored(early)).status).toBe('completed')
      // A second tap at the same place could count as a double tap.
      await line('Lena Vogt').getByRole('button', { name: 'Undo “done”' }).click()
      await line('Lena Vogt').getByRole('button', { name: 'No-show' }).waitFor()
      await expect.poll(async () => (await stored(early)).status).toBe('planned')
      // First to a minute before the next lesson, then to its beginning.
      await stopAt('10:59')
      await large().getByRole('heading', { name: 'Car wash' }).waitFor()
      await large().getByText('Next', { exact: true }).waitFor()
      await expect.poll(() => large().getByRole('button', { name: 'Done' }).count()).toBe(0)
      await stopAt('11:00')
      await large().getByRole('button', { name: 'Done' }).waitFor()
    })

    it('is not undone by a double tap', async () => {
      const asked = await at('/today')
      const noShow = line('Lena Vogt').getByRole('button', { name: 'No-show' })
      await noShow.waitFor()
      await doubleClickAt(NOW, noShow)
      await line('Lena Vogt').getByText('no-show').waitFor()
      await expect.poll(async () => (await stored(early)).status).toBe('no_show')
      const again = page.waitForRequest((request) => request.method() === 'PATCH')
      await line('Lena Vogt').getByRole('button', { name: 'Reinstate' }).click()
      await again
      expect(asked.filter((path) => path === `/appointments/${early.id}`)).toHaveLength(2)
    })

    it('is kept while offline, along with the day, and sent when the connection returns', async () => {
      await at('/today')
      await large().getByRole('heading', { name: 'Tom Berg' }).waitFor()
      await goOffline(page)
      await large().getByRole('button', { name: 'No-show' }).tap()
      await large().getByText('no-show').waitFor()
      await page.getByText('1 entry will be sent').waitFor()
      // The page reads the day again every half minute.
      await page.clock.fastForward(30_000)
      await page.getByText('No connection to the service.').waitFor()
      await line('Car wash').waitFor()
      expect((await stored(running)).status).toBe('planned')
      await page.context().setOffline(false)
      await expect.poll(async () => (await stored(running)).status).toBe('no_show')
      await page.getByText('1 entry will be sent').waitFor({ state: 'detached' })
    })

    it('is sent again without an error message if only the response was lost', async () => {
      await at('/today')
      await large().getByRole('heading', { name: 'Tom Berg' }).waitFor()
      await handleFirst(page, '**/api/v1/appointments/*', async (route) => {
        expect([route.request().method(), (await route.fetch()).status()]).toEqual(['PATCH', 200])
        await route.abort()
      })
      await large().getByRole('button', { name: 'Done' }).tap()
      await large()
        .getByRole('button', { name: /^As planned/ })
        .tap()
      await page.getByText('1 entry will be sent').waitFor()
      await page.clock.fastForward(5_000)
      await page.getByText('1 entry will be sent').waitFor({ state: 'detached' })
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      expect((await stored(running)).status).toBe('completed')
    })
  })

  describe('notes', () => {
    it('are saved without overwriting another field that the office has changed', async () => {
      await at('/today')
      await notes().fill('Motorway next.')
      await school.client.patch(`/appointments/${running.id}`, { title: 'Drive' })
      await button('Save').tap()
      await button('Save').waitFor({ state: 'detached' })
      await expect.poll(() => stored(running)).toMatchObject({ notes: 'Motorway next.', title: 'Drive' })
    })

    it('keep unsaved text while another lesson is viewed', async () => {
      await at('/today')
      await notes().fill('Motorway next.')
      await line('Lena Vogt').getByRole('button').first().tap()
      await large().getByRole('heading', { name: 'Lena Vogt' }).waitFor()
      await line('Tom Berg').getByRole('button', { name: 'not saved' }).tap()
      await expect.poll(() => notes().inputValue()).toBe('Motorway next.')
    })

    it.each([
      ['Save my changes', 'Motorway next.'],
      ['Keep the current version', 'By the office.'],
    ])(
      'that conflict with notes by the office are shown in both versions, resolved by: %s',
      async (answer, kept) => {
        await at('/today')
        await notes().fill('Motorway next.')
        await school.client.patch(`/appointments/${running.id}`, { notes: 'By the office.' })
        // Wait until the page has read the office's change, behind the typed text.
        const read = page.waitForResponse(
          (one) => one.url().includes('/appointments?') && one.status() === 200,
        )
        await page.clock.fastForward(30_000)
        await (await read).finished()
        await button('Save').tap()
        const conflict = page.getByRole('alert')
        await conflict.getByText('Motorway next.').waitFor()
        await conflict.getByText('By the office.').waitFor()
        await button(answer).tap()
        await conflict.waitFor({ state: 'detached' })
        await expect.poll(() => notes().inputValue()).toBe(kept)
        await expect.poll(async () => (await stored(running)).notes).toBe(kept)
      },
    )
  })

  describe.each(['en-GB', 'de-DE'])('the day page in %s', (locale) => {
    it('has no axe violations in light and dark mode, and does not scroll sideways on a phone', async () => {
      await at('/today', { locale, bypassCSP: true })
      await page.addScriptTag({ content: axe.source })
      await large().getByRole('heading', { name: 'Tom Berg' }).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
        const found = await page.evaluate<Result[]>('axe.run().then(({ violations }) => violations)')
        expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
      }
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    })
  })

  /** Swipes across the middle of the page, to the left if the distance is negative. */
  async function strokeAcross(distance: number): Promise<void> {
    const devtools = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
    const from = 195 - distance / 2
    await touch('touchStart', from)
    for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from + distance * part)
    await touch('touchEnd')
  }
})

describe('an instructor on the phone', () => {
  let school: School
  let jonas: Row
  let lena: Row
  let page: Page
  let refused: string[]

  beforeEach(async () => {
    school = await aSchool(service())
    jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
    lena = await school.student({
      first_name: 'Lena',
      last_name: 'Vogt',
      preferred_instructor_id: jonas.id,
    })
    await school.student({ first_name: 'Tom', last_name: 'Berg' })
    await lesson('14:00', '14:45')
  })

  function lesson(start: string, end: string): Promise<Row> {
    const times = { start_at: `${DATE} ${start}`, end_at: `${DATE} ${end}` }
    return school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...times })
  }

  /** Opens the instructor's day in a school with the given setting. */
  async function openDay(instructors_may: string): Promise<void> {
    expect((await school.client.patch('/tenant', { instructors_may })).status).toBe(200)
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: jonas.id })
    const as = await enter(service(), { tenantId: school.tenantId, user })
    page = await open('/icon.svg', { ...PHONE, as })
    await page.clock.install({ time: NOW })
    refused = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(`${service().url}/today`)
    await page.getByRole('heading', { name: 'Lena Vogt' }).waitFor()
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const stored = async (): Promise<Row[]> =>
    (await school.client.get(`/appointments?from=${DATE}&to=${DATE}`)).body

  it('books, moves and cancels their own lessons', async () => {
    await openDay('own_students')
    await button('Book lesson').tap()
    await page.getByLabel('Student', { exact: true }).fill('e')
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([expect.stringContaining('Lena')])
    await page.getByRole('option', { name: 'Lena Vogt' }).tap()
    await expect.poll(() => page.getByLabel('Instructor', { exact: true }).count()).toBe(0)
    await expect.poll(() => button('New student').count()).toBe(0)
    await page.getByLabel('Start', { exact: true }).fill('16:00')
    await button('Book').tap()
    await page.getByText('Booked: ').waitFor()
    await page.locator('section').first().getByText('16:00–').waitFor()
    await expect.poll(async () => (await stored()).map(({ start_at }) => start_at)).toContain(`${DATE} 16:00`)

    await button('Edit').tap()
    await page.getByLabel('Start', { exact: true }).fill('17:00')
    await button('Save').tap()
    await page.locator('section').first().getByText('17:00–').waitFor()

    await page.getByRole('status').getByText('Undo', { exact: true }).tap()
    await page.locator('section').first().getByText('16:00–').waitFor()
    // A second tap at the same place could count as a double tap.
    await page.getByRole('status').getByText('Redo', { exact: true }).press('Enter')
    await page.locator('section').first().getByText('17:00–').waitFor()

    await page.getByRole('link', { name: 'Show' }).tap()
    await expect.poll(() => page.url()).toMatch(/\/today\?/)
    await button('Cancel lesson').tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Record cancellation', exact: true }).tap()
    await expect
      .poll(async () => (await stored()).find(({ start_at }) => start_at === `${DATE} 17:00`)?.status)
      .toBe('cancelled')
    expect(refused).toEqual([])
  })

  it('books the next lesson of a student in two taps, at the same weekday and hour', {
    tags: 'promise',
  }, async () => {
    await openDay('own_students')
    await button('Book the next lesson').tap()
    const times = page.getByRole('button', { name: /^Mon \d+ Mar, 14:00/ })
    await expect.poll(() => times.count()).toBe(3)
    await times.first().tap()
    await page.getByText(/^Booked: Lena Vogt, Mon 8 Mar, 14:00/).waitFor()
    const { body } = await school.client.get('/appointments?from=2032-03-08&to=2032-03-08')
    const aWeekLater = { start_at: '2032-03-08 14:00', end_at: '2032-03-08 14:45' }
    expect(body).toMatchObject([{ student_id: lena.id, instructor_id: jonas.id, ...aWeekLater }])
    expect(refused).toEqual([])
    await button('Book the next lesson').tap()
    await button('Find another time').tap()
    await expect.poll(() => page.getByLabel('Student', { exact: true }).inputValue()).toBe('Lena Vogt')
  })

  it('sees which rule a booking would break', async () => {
    await openDay('own_students')
    await button('Book lesson').tap()
    await page.getByLabel('Student', { exact: true }).fill('Lena')
    await page.getByRole('option', { name: 'Lena Vogt' }).tap()
    await page.getByLabel('Start', { exact: true }).fill('14:00')
    await page.getByText('Jonas Brandt already has an appointment').waitFor()
  })

  it('has no buttons to book, edit or cancel if the school does not allow it', async () => {
    await openDay('nothing')
    for (const name of ['Book lesson', 'Book the next lesson', 'Edit', 'Cancel lesson'])
      await expect.poll(() => button(name).count()).toBe(0)
  })
})

it("a lesson's vehicle that the office has just added is shown on the phone, even offline", async () => {
  const day = await aDay(service())
  const page = await onPhone(service(), open, day)
  const car = page.locator('section').first().getByText('Golf')
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  const { body: golf } = await day.school.client.post('/vehicles', { name: 'Golf', kind: 'car' })
  await day.school.client.patch(`/appointments/${day.running.id}`, { vehicle_ids: [golf.id] })
  // The page reads its data again every half minute.
  await page.clock.fastForward(30_000)
  await car.waitFor()
  await expect.poll(() => keptIn(page)).toContain('vehicles')
  await goOffline(page)
  await page.reload()
  await car.waitFor()
})
