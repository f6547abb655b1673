import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: { id: string }
let mira: { id: string }
let lena: { id: string }
let lesson: { id: string }
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  lesson = await school.lesson({
    instructor_id: jonas.id,
    student_id: lena.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})

async function at(address: string): Promise<void> {
  page = await open(address, { as: school })
  await page.getByRole('button', { name: 'Undo' }).waitFor()
}

const block = () => page.locator('[data-lesson]', { hasText: 'Lena Vogt' })
const told = (text: string | RegExp) => page.getByText(text).first().waitFor()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const offered = (name: string) => page.getByRole('status').getByText(name, { exact: true })
const field = (label: string) => page.getByRole('dialog').last().getByLabel(label)
const stored = async () => (await school.client.get(`/appointments/${lesson.id}`)).body

async function onBoard(): Promise<void> {
  await at(`/?date=${DATE}`)
  await block().waitFor()
}

async function choose(instructor: string): Promise<void> {
  await field('Instructor').first().click()
  await page.getByRole('option', { name: instructor }).click()
}

/** Presses the keys and waits for the message about the change. */
async function press(keys: string, text: string | RegExp): Promise<void> {
  await page.keyboard.press(keys)
  await told(text)
}

describe('a change made in a form', () => {
  it('can be undone and redone for a lesson and for a series', async () => {
    await onBoard()
    await block().click()
    await button('Edit').click()
    await field('Notes').fill('brings her glasses')
    await button('Save').click()
    await told(/^Saved: Lena Vogt/)
    const card = page.getByRole('dialog', { name: 'Lena Vogt' })
    await card.waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await field('Student').first().fill('vogt')
    await page.keyboard.press('Enter')
    await choose('Mira Seidel')
    await field('Repeat weekly').click()
    await field('Number of lessons').fill('3')
    await button('Book 3 lessons').click()
    await told('Booked: 3 lessons, Lena Vogt.')
    await press('Control+z', 'Undone: booked 3 lessons for Lena Vogt')
    const statuses = async () =>
      (await school.client.get(`/appointments?instructor_id=${mira.id}`)).body.map(
        ({ status }: { status: string }) => status,
      )
    await expect.poll(statuses).toEqual([])
    await press('Control+y', 'Redone: booked 3 lessons for Lena Vogt')
    await expect.poll(statuses).toEqual(['planned', 'planned', 'planned'])
    await press('Control+z', 'Undone: booked 3 lessons for Lena Vogt')
    await button(/^Undo: changed Lena Vogt, Mon,? 1 Mar(?: 2032)?, 10:00$/).click()
    await told(/^Undone: Lena Vogt.*10:00/)
    expect((await stored()).notes).toBe(null)
    await press('Control+y', /^Redone: Lena Vogt.*10:00/)
    expect((await stored()).notes).toBe('brings her glasses')
  })

  it('can be undone and redone for a student who was added, changed and deleted', async () => {
    await at('/students')
    await button('New student').click()
    await field('First name').fill('Emre')
    await field('Last name').fill('Kaya')
    await button('Save').click()
    await told('Saved: Emre Kaya')
    await button('Edit').click()
    await field('Last name').fill('Aydin')
    // Typed text has its own undo.
    await page.keyboard.press('Control+z')
    await field('Last name').fill('Demir')
    await button('Save').click()
    await told('Saved: Emre Demir')
    await button('Delete').click()
    await page
      .getByRole('dialog', { name: 'Delete Emre Demir?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await told('Deleted: Emre Demir')
    await press('Control+z', 'Undone: deleted Emre Demir')
    await press('Control+z', 'Undone: changed Emre Demir')
    await press('Control+z', 'Undone: added Emre Kaya')
    await expect.poll(() => button('Undo').isDisabled()).toBe(true)
    const names = async () =>
      (await school.client.get('/students')).body.map(({ last_name }: { last_name: string }) => last_name)
    expect(await names()).toEqual(['Vogt'])
    await press('Control+y', 'Redone: added Emre Kaya')
    await expect.poll(names).toEqual(['Kaya', 'Vogt'])
    await press('Control+y', 'Redone: changed Emre Demir')
    await expect.poll(names).toEqual(['Demir', 'Vogt'])
    await press('Control+y', 'Redone: deleted Emre Demir')
    await expect.poll(names).toEqual(['Vogt'])
    await expect.poll(() => button('Redo').isDisabled()).toBe(true)
  })

  it('cannot be undone for a new student for whom a lesson has been booked', async () => {
    await at('/students')
    await button('New student').click()
    await field('First name').fill('Emre')
    await field('Last name').fill('Kaya')
    await button('Save').click()
    await told('Saved: Emre Kaya')
    const { body } = await school.client.get('/students')
    const { id } = body.find(({ first_name }: { first_name: string }) => first_name === 'Emre')
    await school.lesson({
      instructor_id: mira.id,
      student_id: id,
      start_at: `${DATE} 10:00`,
      end_at: `${DATE} 11:30`,
    })
    await press('Control+z', 'Not undone: added Emre Kaya. Emre Kaya now has lessons and stays.')
    expect((await school.client.get(`/students/${id}`)).status).toBe(200)
  })

  it('can be undone and redone for an instructor who was added and one who was changed', async () => {
    await at(`/instructors?instructor=${mira.id}`)
    await field('Units a day').fill('6')
    await button('Save').click()
    await told('Saved: Mira Seidel')
    await button('New instructor').click()
    await field('First name').fill('Peter')
    await field('Last name').fill('Lang')
    await button('Save').click()
    await told('Saved: Peter Lang')
    await offered('Undo').click()
    await told('Undone: added Peter Lang')
    const hired = async () => (await school.client.get('/instructors')).body
    await expect
      .poll(() => hired())
      .toContainEqual(expect.objectContaining({ last_name: 'Lang', active: false }))
    await press('Control+z', 'Undone: changed Mira Seidel')
    expect((await school.client.get(`/instructors/${mira.id}`)).body.max_daily_units).toBe(null)
    await press('Control+y', 'Redone: changed Mira Seidel')
    expect((await school.client.get(`/instructors/${mira.id}`)).body.max_daily_units).toBe(6)
    await offered('Undo').waitFor()
    await press('Control+y', 'Redone: added Peter Lang')
    await expect
      .poll(() => hired())
      .toContainEqual(expect.objectContaining({ last_name: 'Lang', active: true }))
  })
})
