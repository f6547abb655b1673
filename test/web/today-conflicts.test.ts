import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import { useService } from '../support/app.ts'
import { goOffline, handleFirst, useBrowser } from '../support/browser.ts'
import type { Row } from '../support/factory.ts'
import { aDay, DATE, type Day, onPhone } from './instructors-day.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
})

const conflict = () => page.getByRole('alert')

async function goOnline(): Promise<void> {
  await page.context().setOffline(false)
  await page.clock.fastForward(30_000)
}

describe('the lesson of a student', () => {
  beforeEach(async () => {
    page = await onPhone(service(), open, day)
  })

  const large = () => page.locator('section').first()
  const press = (name: string) => large().getByRole('button', { name, exact: true }).click()
  const stored = async ({ id }: Row) => (await day.school.client.get(`/appointments/${id}`)).body
  const waiting = () => page.getByText(/^1 entry will be sent/)

  describe('an outcome entered while offline', () => {
    it.each([
      [
        'moved to another time',
        { start_at: `${DATE} 14:00`, end_at: `${DATE} 15:30` },
        'Start: Mon 1 Mar, 14:00',
      ],
      ['given to another student', {}, 'Student: Ida Neu'],
    ])('is not recorded for a lesson that has been %s', async (_, move, shown) => {
      const ida = await day.school.student({ first_name: 'Ida', last_name: 'Neu' })
      const change = 'start_at' in move ? move : { student_id: ida.id }
      await goOffline(page)
      await press('No-show')
      await waiting().waitFor()
      await day.school.client.patch(`/appointments/${day.running.id}`, change)
      await goOnline()
      await conflict().getByText('Somebody else has changed it in the meantime.').waitFor()
      await conflict().getByText(shown).waitFor()
      expect(await stored(day.running)).toMatchObject({ ...change, status: 'planned', version: 2 })
      await conflict().getByRole('button', { name: 'Keep the current version' }).tap()
      await conflict().waitFor({ state: 'detached' })
    })
  })

  describe('notes entered while offline', () => {
    it('are stored with a lesson that the office has moved', async () => {
      await goOffline(page)
      await page.getByLabel('Notes').fill('Glasses')
      await press('Save')
      await waiting().waitFor()
      const start_at = `${DATE} 14:00`
      await day.school.client.patch(`/appointments/${day.running.id}`, { start_at, end_at: `${DATE} 15:30` })
      await goOnline()
      await expect.poll(() => stored(day.running)).toMatchObject({ start_at, notes: 'Glasses' })
    })
  })

  describe('an entry whose response was lost', () => {
    it.each([
      [['Done', 'As planned 10:00–11:30'], ['Undo “done”'], 'planned'],
      [['Lesson begins'], ['Done', 'As planned 10:00–11:30'], 'completed'],
    ])('as %s can be followed by %s without a conflict', async (first, second, status) => {
      await handleFirst(page, '**/api/v1/appointments/*', async (route) => {
        expect([route.request().method(), (await route.fetch()).status()]).toEqual(['PATCH', 200])
        await route.abort()
      })
      for (const name of first) await press(name)
      await waiting().waitFor()
      for (const name of second) await press(name)
      await page.clock.fastForward(5_000)
      await expect.poll(() => stored(day.running)).toMatchObject({ status, version: 3 })
      await waiting().waitFor({ state: 'detached' })
      expect(await conflict().count()).toBe(0)
    })

    it('in part is sent again without a conflict', async () => {
      await handleFirst(page, '**/api/v1/appointments/*', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).slice(0, 20) })
      })
      await press('Done')
      await press('As planned 10:00–11:30')
      await waiting().waitFor()
      await page.clock.fastForward(5_000)
      await page.getByText('1 entry has been sent.').waitFor()
      expect(await stored(day.running)).toMatchObject({ status: 'completed', version: 2 })
      expect(await conflict().count()).toBe(0)
    })
  })
})

describe('a class', () => {
  let mia: Row
  let ole: Row
  let ida: Row
  let path: string

  beforeEach(async () => {
    const { school } = day
    mia = await school.student({ first_name: 'Mia', last_name: 'Lang' })
    ole = await school.student({ first_name: 'Ole', last_name: 'Kurz' })
    ida = await school.student({ first_name: 'Ida', last_name: 'Neu' })
    const { id } = await school.lesson({
      instructor_id: day.jonas.id,
      lesson_type_id: school.lessonTypes.THEORY_BASIC,
      attendees: [{ student_id: mia.id }, { student_id: ole.id }],
      topic: 'Thema 3',
      start_at: `${DATE} 06:00`,
      end_at: `${DATE} 07:30`,
    })
    path = `/appointments/${id}`
    page = await onPhone(service(), open, day, { viewport: { width: 375, height: 700 } })
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Theorieunterricht' })
      .getByRole('button')
      .first()
      .click()
    await page.getByText(/Thema 3/).waitFor()
  })

  const attendance = () => page.getByRole('region', { name: 'Attendance' })

  async function stored(): Promise<Readonly<Record<string, boolean | null>>> {
    const { attendees }: Appointment = (await day.school.client.get(path)).body
    return Object.fromEntries(attendees.map(({ student_id, attended }) => [student_id, attended]))
  }

  /** Marks a student as present while the phone is offline. */
  async function tickOffline(name: string): Promise<void> {
    await goOffline(page)
    await attendance().getByRole('button', { name }).click()
    await page.getByText('1 entry will be sent').waitFor()
  }

  describe('the attendance of a class', () => {
    it('is recorded on the phone, also while offline', async () => {
      await attendance().getByText('0 of 2 present').waitFor()
      await attendance().getByRole('button', { name: 'All present' }).click()
      await expect.poll(stored).toEqual({ [mia.id]: true, [ole.id]: true })
      await goOffline(page)
      await attendance().getByRole('button', { name: 'Ole Kurz' }).dblclick({ delay: 60 })
      await attendance().getByText('1 of 2 present').waitFor()
      await page.getByText('1 entry will be sent').waitFor()
      await page.context().setOffline(false)
      await expect.poll(stored).toEqual({ [mia.id]: true, [ole.id]: false })
      const box = await attendance().getByRole('button', { name: 'Mia Lang' }).boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
    })

    it('is recorded without removing a student whom the office has added meanwhile', async () => {
      await tickOffline('Mia Lang')
      await day.school.client.post(`${path}/attendees/${ida.id}`)
      await goOnline()
      await expect.poll(stored).toEqual({ [mia.id]: true, [ole.id]: null, [ida.id]: null })
      await attendance().getByText('1 of 3 present').waitFor()
      expect(await conflict().count()).toBe(0)
    })

    it('is recorded without adding a student whom the office has removed meanwhile', async () => {
      await tickOffline('Mia Lang')
      await day.school.client.delete(`${path}/attendees/${ole.id}`)
      await goOnline()
      await expect.poll(stored).toEqual({ [mia.id]: true })
      await attendance().getByText('1 of 1 present').waitFor()
      expect(await conflict().count()).toBe(0)
    })

    it('that conflicts with the office can be kept, with the students of the current version', async () => {
      await tickOffline('Mia Lang')
      await day.school.client.post(`${path}/attendees/${ida.id}`)
      await day.school.client.patch(`${path}/attendees/${mia.id}`, { attended: false })
      await goOnline()
      await conflict().getByText('Somebody else has changed it in the meantime.').waitFor()
      await conflict().getByRole('button', { name: 'Save my changes' }).click()
      await conflict().waitFor({ state: 'detached' })
      await expect.poll(stored).toEqual({ [mia.id]: true, [ole.id]: null, [ida.id]: null })
    })

    it('includes two students marked in quick succession', async () => {
      await attendance().getByRole('button', { name: 'Ole Kurz' }).waitFor()
      await attendance()
        .getByRole('listitem')
        .getByRole('button')
        .evaluateAll((buttons: { readonly click: () => void }[]) => {
          for (const button of buttons) button.click()
        })
      await expect.poll(stored).toEqual({ [mia.id]: true, [ole.id]: true })
    })
  })

  it('students of a class sign one after another, then the instructor, also while offline', async () => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await goOffline(page)
    await attendance().getByRole('button', { name: 'All present' }).click()
    const large = page.locator('section').filter({ has: attendance() })
    await large.getByRole('button', { name: 'Done', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const confirm = () => dialog.getByRole('button', { name: 'Done', exact: true }).click()
    await large.getByRole('button', { name: 'Sign (2 open)' }).click()
    await dialog.getByRole('combobox', { name: 'Student who signs' }).selectOption('Ole Kurz')
    await confirm()
    await dialog.getByLabel('Name', { exact: true }).and(page.locator('[value="Mia Lang"]')).waitFor()
    await confirm()
    await large.getByText('Signed, will be sent').waitFor()
    await large.getByRole('button', { name: 'Sign as instructor' }).click()
    await dialog.getByText('Mia Lang, Ole Kurz').waitFor()
    await confirm()
    await expect.poll(() => large.getByText('Signed, will be sent').count()).toBe(2)
    const signatures = async () => (await day.school.client.get(`${path}/signatures`)).body
    expect(await signatures()).toEqual([])
    await goOnline()
    await large.getByText('Signed by all students').waitFor()
    await large.getByText('Signed by you').waitFor()
    const signed = (as: string, name: string, student: Row) => ({
      as,
      name,
      student_id: student.id,
      state: 'valid',
    })
    expect(await signatures()).toMatchObject([
      signed('student', 'Ole Kurz', ole),
      signed('student', 'Mia Lang', mia),
      signed('instructor', 'Jonas Brandt', mia),
      signed('instructor', 'Jonas Brandt', ole),
    ])
  })
})
