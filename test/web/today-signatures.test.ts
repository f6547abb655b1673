import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { goOffline, useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { aDay, type Day, NOW, onPhone } from './instructors-day.ts'
import { keptIn } from './kept.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
  page = await onPhone(service(), open, day)
})

const early = () => page.getByRole('listitem').filter({ hasText: 'Lena Vogt' })
const tap = (name: string) => early().getByRole('button', { name, exact: true }).tap()
const signatures = async (): Promise<Row[]> =>
  must(200, await day.school.client.get(`/appointments/${day.early.id}/signatures`))

/** Draws a line with the finger and confirms. */
async function drawAndConfirm(): Promise<void> {
  const pad = page.getByLabel('Sign here')
  const box = await pad.boundingBox()
  if (!box) throw new Error('no pad')
  await page.mouse.move(box.x + 30, box.y + 60)
  await page.mouse.down()
  for (const step of [1, 2, 3, 4]) await page.mouse.move(box.x + 30 + 40 * step, box.y + 60 + 20 * (step % 2))
  await page.mouse.up()
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
  await context.setOffline(false)
  await page.clock.fastForward(30_000)
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
  await page.context().setOffline(false)
  await page.clock.fastForward(30_000)
  await page.getByText('This has changed since it was signed.').waitFor()
  await page.getByText('Signature: Lena Vogt').waitFor()
  await page.getByRole('button', { name: 'Discard', exact: true }).tap()
  await early().getByRole('button', { name: 'Sign', exact: true }).waitFor()
  expect(await signatures()).toEqual([])
})
