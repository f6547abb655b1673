import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Vehicle } from '../../src/contract/vehicle.ts'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2099-03-02'

let school: School

const aCar = async (name: string): Promise<Vehicle> =>
  (await school.client.post('/vehicles', { name, kind: 'car' })).body

describe('the vehicle view', () => {
  let golf: Vehicle
  let polo: Vehicle
  let lesson: Row

  beforeEach(async () => {
    school = await aSchool(service())
    golf = await aCar('Golf')
    polo = await aCar('Polo')
    const jonas = await school.instructor()
    lesson = await school.lesson({
      instructor_id: jonas.id,
      title: 'Testfahrt',
      vehicle_ids: [golf.id],
      start_at: `${DATE} 10:00`,
      end_at: `${DATE} 11:30`,
    })
  })

  const now = async () => (await school.client.get(`/appointments/${lesson.id}`)).body
  const block = (page: Page) => page.locator('[data-lesson]', { hasText: 'Testfahrt' })

  /** Drags the lesson into a column, `quarters` quarter hours further down. */
  async function dragTo(page: Page, name: string, quarters: number): Promise<void> {
    const from = await boxOf(block(page))
    const head = await boxOf(page.locator('.column-head', { hasText: name }))
    const start = { x: from.x + 40, y: from.y + 10 }
    const to = { x: head.x + head.width / 2, y: start.y + (quarters * from.height) / 6 }
    const { drop } = await dragWithMouse(page, start, to)
    await page.locator('[data-held]').waitFor()
    await expect
      .poll(() =>
        page
          .locator('.board-day')
          .last()
          .evaluate((day) => day.style.cssText),
      )
      .toContain('--drop-zones')
    await drop()
  }

  it('moves a lesson to another time and vehicle by dragging, and undoes it', async () => {
    const page = await open(`/?date=${DATE}&view=vehicles`, { as: school })
    await dragTo(page, 'Polo', 2)
    await page.getByText(/^Moved: Testfahrt.*10:30–12:00 · Polo/).waitFor()
    await expect.poll(now).toMatchObject({ vehicle_ids: [polo.id], start_at: `${DATE} 10:30` })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(now).toMatchObject({ vehicle_ids: [golf.id], start_at: `${DATE} 10:00` })
  })

  it('exchanges the vehicle in whose column a lesson is picked up', async () => {
    const audi = await aCar('Audi')
    await school.client.patch(`/appointments/${lesson.id}`, { vehicle_ids: [golf.id, polo.id] })
    const page = await open(`/?date=${DATE}&view=vehicles`, { as: school })
    await expect.poll(() => block(page).count()).toBe(2)
    const from = await boxOf(block(page).last())
    const head = await boxOf(page.locator('.column-head', { hasText: 'Audi' }))
    const start = { x: from.x + 40, y: from.y + 10 }
    const { drop } = await dragWithMouse(page, start, { x: head.x + head.width / 2, y: start.y })
    await drop()
    await expect.poll(now).toMatchObject({ vehicle_ids: [golf.id, audi.id] })
  })

  it('rejects a drop on a vehicle that is in use, with a message', async () => {
    const ute = await school.instructor({ first_name: 'Ute', last_name: 'Kern' })
    const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 12:00` }
    await school.lesson({ instructor_id: ute.id, title: 'Büro', vehicle_ids: [polo.id], ...times })
    const page = await open(`/?date=${DATE}&view=vehicles`, { as: school })
    await dragTo(page, 'Polo', 0)
    await page.getByText(/^Not moved: .*Polo/).waitFor()
    await expect.poll(now).toMatchObject({ vehicle_ids: [golf.id], start_at: `${DATE} 10:00` })
  })

  it('changes the car of a lesson by keyboard and keeps its trailer', async () => {
    const { body } = await school.client.post('/vehicles', { name: 'Hänger', kind: 'trailer' })
    await school.client.patch(`/appointments/${lesson.id}`, { vehicle_ids: [golf.id, body.id] })
    const page = await open(`/?date=${DATE}&view=vehicles`, { as: school })
    await block(page).first().focus()
    await page.keyboard.down('Alt')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.up('Alt')
    await expect
      .poll(now)
      .toMatchObject({ vehicle_ids: [polo.id, body.id], start_at: `${DATE} 10:15`, end_at: `${DATE} 11:45` })
  })

  it('goes on exchanging the trailer that the first key has exchanged', async () => {
    const trailer = async (name: string): Promise<Vehicle> =>
      (await school.client.post('/vehicles', { name, kind: 'trailer' })).body
    const [first, , third] = [
      await trailer('Trailer A'),
      await trailer('Trailer B'),
      await trailer('Trailer C'),
    ]
    await school.client.patch(`/appointments/${lesson.id}`, { vehicle_ids: [golf.id, first.id] })
    const page = await open(`/?date=${DATE}&view=vehicles`, { as: school })
    await block(page).last().focus()
    await page.keyboard.down('Alt')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.up('Alt')
    await expect.poll(now).toMatchObject({ vehicle_ids: [golf.id, third.id] })
  })
})
