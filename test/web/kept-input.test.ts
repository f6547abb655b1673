import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aTrainer } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)
const MONDAY = '2032-03-01'
const TUESDAY = '2032-03-02'
const PRACTICE = 'Übungsfahrt (Grundausbildung)'
const RURAL = 'Überlandfahrt (Sonderfahrt)'
const THEORY = 'Theorieunterricht Grundstoff'

let school: School
let jonas: Row
let page: Page
let dialog: Locator

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
})

const field = (name: string) => dialog.getByRole('combobox', { name, exact: true })
const text = (name: string) => dialog.getByRole('textbox', { name, exact: true })
const holds = (box: Locator, value: string) => expect.poll(() => box.inputValue()).toBe(value)

async function choose(name: string, value: string): Promise<void> {
  await field(name).click()
  await field(name).fill(value)
  await page.getByRole('option', { name: value }).first().click()
  await holds(field(name), value)
}

async function atBoard(path = `/?date=${MONDAY}`): Promise<void> {
  page = await open(path, { as: school })
  dialog = page.getByRole('dialog')
  await page.locator('.column-head').first().waitFor()
}

const lessons = async () => (await school.client.get(`/appointments?instructor_id=${jonas.id}`)).body

describe('the type of a lesson in the form', () => {
  it('keeps a drawn length, offers its usual one, and returns to the length of the form', async () => {
    await atBoard()
    const head = await boxOf(page.locator('.column-head').first())
    const at = (y: number) => ({ x: head.x + head.width / 2, y: head.y + head.height + y })
    const { drop } = await dragWithMouse(page, at(200), at(300))
    await drop()
    const drawn = await text('Duration').inputValue()
    expect(drawn).not.toMatch(/^(|90 min)$/)
    await choose('Type', RURAL)
    await holds(text('Duration'), drawn)
    await choose('Type', PRACTICE)
    await holds(text('Duration'), drawn)
    await choose('Type', RURAL)
    await dialog.getByRole('button', { name: 'Usually 90 min' }).click()
    await holds(text('Duration'), '90 min')
  })

  it('keeps the attendees, seats and topic of a class while another one is shown', async () => {
    const lena = await school.student()
    await atBoard()
    await page.keyboard.press('n')
    await choose('Type', THEORY)
    await choose('Instructor', 'Jonas Brandt')
    await dialog.getByLabel('Topic').selectOption('Thema 3')
    await text('Seats').fill('12')
    await dialog.getByRole('combobox', { name: /^Attendees/ }).fill('Lena')
    await page.getByRole('option', { name: 'Lena Vogt' }).click()
    await choose('Type', PRACTICE)
    await dialog.getByLabel('Topic').waitFor({ state: 'detached' })
    await choose('Type', THEORY)
    await dialog.getByRole('button', { name: 'Remove Lena Vogt' }).waitFor()
    await holds(dialog.getByLabel('Topic'), 'Thema 3')
    await holds(text('Seats'), '12')
    await choose('Type', PRACTICE)
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    // A drive has none of them.
    await expect.poll(lessons).toMatchObject([{ attendees: [], seats: null, topic: null }])
    expect(lena.id).toBeTruthy()
  })

  it('returns to the stored length of a lesson that is edited', async () => {
    const lesson = await school.lesson({
      instructor_id: jonas.id,
      start_at: `${MONDAY} 10:00`,
      end_at: `${MONDAY} 11:00`,
    })
    await atBoard(`/?date=${MONDAY}&lesson=${lesson.id}`)
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await choose('Type', RURAL)
    await holds(text('Duration'), '60 min')
  })
})

it('a repetition that is switched off and on again keeps its numbers', async () => {
  await atBoard()
  await page.keyboard.press('n')
  const repeat = dialog.getByRole('switch', { name: 'Repeat weekly' })
  await repeat.press(' ')
  await text('Number of lessons').fill('7')
  await repeat.press(' ')
  await text('Number of lessons').waitFor({ state: 'detached' })
  await repeat.press(' ')
  await holds(text('Number of lessons'), '7')
})

it('another date keeps the start if the day is full, and the form says so', async () => {
  const windows = [
    { weekday: 1, start: '10:00', end: '16:00' },
    { weekday: 2, start: '10:00', end: '16:00' },
  ]
  must(200, await school.client.patch(`/instructors/${jonas.id}`, { availability_windows: windows }))
  await school.lesson({
    instructor_id: jonas.id,
    start_at: `${TUESDAY} 10:00`,
    end_at: `${TUESDAY} 15:30`,
  })
  await atBoard()
  await page.keyboard.press('n')
  await choose('Instructor', 'Jonas Brandt')
  await holds(text('Start'), '10:00')
  await text('Date').fill('2.3.2032')
  await dialog
    .getByText('Jonas Brandt has no 90 min free on Tue, 2 Mar 2032. The start stays as it is.')
    .waitFor()
  await holds(text('Start'), '10:00')
  await text('Duration').fill('30')
  await dialog.getByText(/has no 30 min free/).waitFor({ state: 'detached' })
})

it('an end that is typed before the start decides the length', async () => {
  await atBoard()
  await page.keyboard.press('n')
  await text('Start').fill('25:99')
  await text('End').fill('11:15')
  await text('End').press('Tab')
  await holds(text('End'), '11:15')
  await text('Start').fill('10:30')
  await text('Start').press('Tab')
  await holds(text('Duration'), '45 min')
  await holds(text('End'), '11:15')
})

describe('the reason for a failed exam', () => {
  it('has the focus after one click, and is saved when the card is closed', async () => {
    const trainer = await aTrainer(school)
    const id = await trainer.drive(await trainer.learner(), 'PRACTICAL_EXAM', 60)
    await atBoard(`/?date=2026-01-01&lesson=${id}`)
    const result = dialog.getByRole('region', { name: 'Test result' })
    await result.getByRole('button', { name: 'Failed' }).click()
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('INPUT')
    await page.keyboard.type('Right of way')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const stored = async () => (await school.client.get(`/appointments/${id}`)).body.exam_result
    await expect.poll(stored).toEqual({ passed: false, note: 'Right of way' })
  })
})

it('a row of the settings that is being saved asks before it is left', async () => {
  must(201, await school.client.post('/vehicles', { name: 'Golf', kind: 'car' }))
  page = await open('/settings?chapter=vehicles', { as: school })
  const plate = page.getByLabel('Golf: Licence plate', { exact: true })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/v1/vehicles/*', async (route) => {
    await held
    await route.continue()
  })
  await plate.fill('B AB 1')
  await plate.press('Tab')
  await page.getByRole('link', { name: 'Board' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  release()
  await expect
    .poll(async () => (await school.client.get('/vehicles')).body)
    .toMatchObject([{ plate: 'B AB 1' }])
  await page.getByRole('link', { name: 'Board' }).click()
  await page.locator('.column-head').first().waitFor()
})

it('the notice of a cancellation step is kept for each unit', async () => {
  page = await open('/settings?chapter=cancellations', { as: school })
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const step = page.getByRole('listitem', { name: 'Rule 1' })
  const notice = step.getByLabel('Free until')
  await notice.fill('30')
  await step.getByLabel('Unit of the notice').selectOption({ index: 1 })
  await holds(notice, '2')
  await step.getByLabel('Unit of the notice').selectOption({ index: 0 })
  await holds(notice, '30')
})

describe('the days of an absence', () => {
  const first = () => page.getByLabel('From time', { exact: true })
  const who = (name: string) => page.getByLabel('Who or what is away?').selectOption({ label: name })

  beforeEach(async () => {
    await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
    page = await open(`/absence?instructor=${jonas.id}&day=${MONDAY}`, { as: school })
    await first().waitFor()
  })

  it('move along to another instructor as long as nothing is decided', async () => {
    await first().fill('14:30')
    await page.getByLabel('Reason', { exact: true }).fill('Dentist')
    await who('Mira Seidel')
    await page.getByRole('heading', { name: /Mira Seidel/ }).waitFor()
    await holds(first(), '14:30')
    await holds(page.getByLabel('Reason', { exact: true }), 'Dentist')
  })

  it('keep a text that is no time, which stays refused', async () => {
    await first().fill('14:75')
    await first().press('Tab')
    await page.getByText('There is no such time.').waitFor()
    await who('Mira Seidel')
    await page.getByRole('heading', { name: /Mira Seidel/ }).waitFor()
    await holds(first(), '14:75')
    await page.getByText('There is no such time.').waitFor()
  })
})
