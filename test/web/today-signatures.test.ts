import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { goOffline, useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { digestFor } from '../support/signing.ts'
import { templateOf } from '../support/trainer.ts'
import { aDay, DATE, type Day, NOW, onPhone } from './instructors-day.ts'
import { keptIn, keptTextIn } from './kept.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
})

/** Draws a line with the finger. */
async function draw(): Promise<void> {
  const box = await page.getByLabel('Sign here').boundingBox()
  if (!box) throw new Error('no pad')
  await page.mouse.move(box.x + 30, box.y + 60)
  await page.mouse.down()
  for (const step of [1, 2, 3, 4]) await page.mouse.move(box.x + 30 + 40 * step, box.y + 60 + 20 * (step % 2))
  await page.mouse.up()
}

async function goOnline(): Promise<void> {
  await page.context().setOffline(false)
  await page.clock.fastForward(30_000)
}

describe('a signature', () => {
  beforeEach(async () => {
    page = await onPhone(service(), open, day)
  })

  const early = () => page.getByRole('listitem').filter({ hasText: 'Lena Vogt' })
  const tap = (name: string) => early().getByRole('button', { name, exact: true }).tap()
  const signatures = async (): Promise<Row[]> =>
    must(200, await day.school.client.get(`/appointments/${day.early.id}/signatures`))

  /** Draws a line with the finger and confirms. */
  async function drawAndConfirm(): Promise<void> {
    await draw()
    await page.getByRole('dialog').getByRole('button', { name: 'Done', exact: true }).tap()
  }

  it('a student signs on the instructor’s phone in two taps', async () => {
    await tap('Done')
    await tap('Sign')
    await page.getByRole('dialog').getByText('Lena Vogt').waitFor()
    await drawAndConfirm()
    await early().getByText('Signed by the student').waitFor()
    expect(await signatures()).toMatchObject([{ as: 'student', name: 'Lena Vogt', state: 'valid' }])
    const rows = await service()
      .db.selectFrom('signatures')
      .select('strokes')
      .where('tenant_id', '=', day.school.tenantId)
      .execute()
    expect(rows[0]?.strokes?.[0]?.length).toBeGreaterThan(3)
  })

  it('a signature without a connection is kept and sent with the text that was shown', async () => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await expect.poll(() => keptIn(page)).toEqual(expect.arrayContaining(['bootstrap', 'appointments']))
    await goOffline(page)
    await tap('Done')
    await tap('Sign')
    await drawAndConfirm()
    await early().getByText('Signed, will be sent').waitFor()
    const context = page.context()
    await page.close()
    page = await context.newPage()
    await page.clock.install({ time: NOW })
    await page.goto(`${service().url}/today`)
    await early().getByText('Signed, will be sent').waitFor()
    expect(await signatures()).toEqual([])
    await goOnline()
    await expect.poll(signatures).toMatchObject([{ name: 'Lena Vogt', state: 'valid' }])
    await early().getByText('Signed by the student').waitFor()
  })

  it('a signature of a lesson that the office has changed meanwhile is refused, and can be discarded', async () => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await expect.poll(() => keptIn(page)).toEqual(expect.arrayContaining(['bootstrap', 'appointments']))
    await tap('Done')
    await early().getByRole('button', { name: 'Sign', exact: true }).waitFor()
    await expect
      .poll(async () => (await day.school.client.get(`/appointments/${day.early.id}`)).body.status)
      .toBe('completed')
    await goOffline(page)
    await tap('Sign')
    await drawAndConfirm()
    await early().getByText('Signed, will be sent').waitFor()
    must(200, await day.school.client.patch(`/appointments/${day.early.id}`, { topic: 'Motorway' }))
    await goOnline()
    await page.getByText('This has changed since it was signed.').waitFor()
    await page.getByText('Signature: Lena Vogt').waitFor()
    await page.getByRole('button', { name: 'Discard', exact: true }).tap()
    await early().getByRole('button', { name: 'Sign', exact: true }).waitFor()
    expect(await signatures()).toEqual([])
  })
})

describe('everything due', () => {
  /** Two drives with Jonas and a class with somebody else, which Lena has not signed. */
  let due: readonly Row[]

  beforeEach(async () => {
    const { school, jonas, early } = day
    const lena = String(early.student_id)
    const ada = await school.instructor({ first_name: 'Ada', last_name: 'Kern' })
    const done = async (fields: object) => {
      const { id } = await school.lesson({ instructor_id: jonas.id, student_id: lena, ...fields })
      return must(200, await school.client.patch(`/appointments/${id}`, { status: 'completed' }))
    }
    due = [
      await done({ start_at: '2032-02-26 08:00', end_at: '2032-02-26 09:30' }),
      await done({ start_at: '2032-02-27 08:00', end_at: '2032-02-27 09:30' }),
      await done({
        instructor_id: ada.id,
        student_id: null,
        lesson_type_id: school.lessonTypes.THEORY_BASIC,
        topic: 'Thema 3',
        attendees: [{ student_id: lena, attended: true }],
        ...{ start_at: '2032-02-25 18:00', end_at: '2032-02-25 19:30' },
      }),
    ]
    page = await onPhone(service(), open, day)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await expect.poll(() => keptTextIn(page)).toContain(String(due[2]?.id))
  })

  const early = () => page.locator(`[data-lesson="${day.early.id}"]`)
  const tap = (name: string) => early().getByRole('button', { name, exact: true }).tap()
  const dialog = () => page.getByRole('dialog')
  const finish = () => dialog().getByRole('button', { name: 'Done', exact: true }).tap()
  const signaturesOf = async ({ id }: Row): Promise<Row[]> =>
    must(200, await day.school.client.get(`/appointments/${id}/signatures`))
  const all = () => [day.early, ...due]
  const counts = async () => (await Promise.all(all().map(signaturesOf))).map(({ length }) => length)

  it('a student signs the lesson and all that is due in one dialog with two taps', async () => {
    await tap('Done')
    await tap('Sign (4)')
    const box = dialog()
    await box.getByRole('heading', { name: 'Sign everything due' }).waitFor()
    const items = box.getByRole('checkbox')
    await expect.poll(() => items.count()).toBe(3)
    const texts = await box.getByRole('group').getByText(/Feb/).allInnerTexts()
    expect(texts.map((text) => text.split('\n'))).toEqual([
      [expect.stringContaining('27 Feb, 08:00–09:30'), expect.stringMatching(/^90 min.* · Jonas Brandt$/)],
      [expect.stringContaining('26 Feb, 08:00–09:30'), expect.stringMatching(/^90 min.* · Jonas Brandt$/)],
      [expect.stringContaining('25 Feb, 18:00–19:30'), expect.stringMatching(/Thema 3 · Ada Kern$/)],
    ])
    await draw()
    await finish()
    await early().getByText('Signed by the student').waitFor()
    await expect.poll(counts).toEqual([1, 1, 1, 1])
    for (const lesson of due)
      expect(await signaturesOf(lesson)).toMatchObject([{ as: 'student', name: 'Lena Vogt', state: 'valid' }])
    const drawn = await service()
      .db.selectFrom('signatures')
      .select('strokes')
      .where('tenant_id', '=', day.school.tenantId)
      .execute()
    expect(new Set(drawn.map(({ strokes }) => JSON.stringify(strokes))).size).toBe(1)
  })

  it('everything signed without a connection is kept and sent with the digests that were shown', async () => {
    await goOffline(page)
    await tap('Done')
    await tap('Sign (4)')
    await draw()
    await finish()
    await early().getByText('Signed, will be sent').waitFor()
    const context = page.context()
    await page.close()
    page = await context.newPage()
    await page.clock.install({ time: NOW })
    await page.goto(`${service().url}/today`)
    await page.getByText('1 entry will be sent').waitFor()
    expect(await counts()).toEqual([0, 0, 0, 0])
    await goOnline()
    await expect.poll(counts).toEqual([1, 1, 1, 1])
    const { id, student_id } = day.early
    for (const lesson of due)
      expect(await signaturesOf(lesson)).toMatchObject([
        { digest: await digestFor(lesson, student_id), state: 'valid' },
      ])
    const now = must(200, await day.school.client.get(`/appointments/${id}`))
    expect(await signaturesOf(now)).toMatchObject([{ digest: await digestFor(now), state: 'valid' }])
  })

  it('one that has changed meanwhile is refused by name, and the others are signed', async () => {
    await goOffline(page)
    await tap('Done')
    await tap('Sign (4)')
    await finish()
    must(200, await day.school.client.patch(`/appointments/${due[1]?.id}`, { topic: 'Motorway' }))
    await goOnline()
    const refused = page.getByRole('alert')
    await refused.getByText('This has changed since it was signed.').waitFor()
    await refused.getByText(/^Not saved: .*27 Feb, 08:00–09:30$/).waitFor()
    expect(await counts()).toEqual([1, 1, 0, 1])
    await refused.getByRole('button', { name: 'Discard', exact: true }).tap()
    await refused.waitFor({ state: 'detached' })
    await early().getByText('Signed by the student').waitFor()
    expect(await counts()).toEqual([1, 1, 0, 1])
  })

  it('a lesson whose outcome conflicts with the office keeps back only its own signature', async () => {
    await goOffline(page)
    await tap('Done')
    await tap('Sign (4)')
    await finish()
    const moved = { start_at: `${DATE} 08:15`, end_at: `${DATE} 09:45` }
    must(200, await day.school.client.patch(`/appointments/${day.early.id}`, moved))
    await goOnline()
    await page.getByRole('alert').getByText('Somebody else has changed it in the meantime.').waitFor()
    expect(await counts()).toEqual([0, 1, 1, 1])
  })

  it('the record of a training that has ended is signed with the lesson', async () => {
    const { client } = day.school
    const path = `/students/${day.early.student_id}`
    must(200, await client.patch(path, { license_class_template_id: await templateOf(day.school, 'B') }))
    const [{ id, begins_on }] = must(200, await client.get(`${path}/enrolments`))
    must(200, await client.patch(`/enrolments/${id}`, { practice_ended_on: begins_on }))
    await page.clock.fastForward(5 * 60_000)
    await expect.poll(() => keptTextIn(page)).toContain(`"enrolment_id":"${id}","license_class":"B"`)
    await goOffline(page)
    await tap('Done')
    // The lesson will change the record.
    await early().getByRole('button', { name: 'Sign (4)', exact: true }).waitFor()
    await goOnline()
    const read = page.waitForResponse(/signatures\/due/)
    await tap('Sign (5)')
    await read
    await dialog().getByRole('checkbox', { name: 'Training record, class B' }).waitFor()
    await finish()
    const signed = async () => must(200, await client.get(`/enrolments/${id}/signatures`))
    await expect.poll(signed).toMatchObject([{ as: 'student', name: 'Lena Vogt', state: 'valid' }])
    await expect.poll(counts).toEqual([1, 1, 1, 1])
  })

  it('what the student leaves out stays due', async () => {
    await tap('Done')
    await tap('Sign (4)')
    await dialog()
      .getByRole('checkbox', { name: /26 Feb/ })
      .uncheck()
    await finish()
    await expect.poll(counts).toEqual([1, 0, 1, 1])
  })

  it('lessons done without a connection are signed at once, each after its own outcome', async () => {
    const { school, jonas, early: first } = day
    const { id } = await school.lesson({
      instructor_id: jonas.id,
      student_id: first.student_id,
      start_at: `${DATE} 06:00`,
      end_at: `${DATE} 07:30`,
    })
    await page.clock.fastForward(30_000)
    const other = page.locator(`[data-lesson="${id}"]`)
    await other.waitFor()
    await goOffline(page)
    await tap('Done')
    await other.getByRole('button', { name: 'Done', exact: true }).tap()
    await tap('Sign (5)')
    await dialog()
      .getByRole('checkbox', { name: /06:00–07:30/ })
      .waitFor()
    await finish()
    await other.getByText('Signed, will be sent').waitFor()
    await goOnline()
    await expect.poll(counts).toEqual([1, 1, 1, 1])
    await expect.poll(() => signaturesOf({ id })).toMatchObject([{ state: 'valid' }])
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  it('a signature that an older build has kept is sent', async () => {
    await goOffline(page)
    await tap('Done')
    await tap('Sign (4)')
    for (const box of await dialog().getByRole('checkbox').all()) await box.uncheck()
    await finish()
    await early().getByText('Signed, will be sent').waitFor()
    await page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('fahrplan.day')
    opening.onsuccess = () => {
      const store = opening.result.transaction('kept', 'readwrite').objectStore('kept')
      const reading = store.get('outbox')
      reading.onsuccess = () => {
        const [{ signatures: [signature], ...entry }] = reading.result.entries
        store.put({ ...reading.result, entries: [{ ...entry, signature }] }, 'outbox').onsuccess = () => {
          opening.result.close()
          resolve()
        }
      }
    }
  })`)
    const context = page.context()
    await page.close()
    page = await context.newPage()
    await page.clock.install({ time: NOW })
    await page.goto(`${service().url}/today`)
    await early().getByText('Signed, will be sent').waitFor()
    await goOnline()
    await expect.poll(counts).toEqual([1, 0, 0, 0])
  })
})
