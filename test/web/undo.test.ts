import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { handleFirst, useBrowser } from '../support/browser.ts'
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
  await school.student({ first_name: 'Emre', last_name: 'Kaya' })
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
const field = (label: string) => page.getByRole('dialog').last().getByLabel(label)
const stored = async () => (await school.client.get(`/appointments/${lesson.id}`)).body

async function onBoard(): Promise<void> {
  await at(`/?date=${DATE}`)
  await block().waitFor()
}

async function move(key: string, time: RegExp): Promise<void> {
  await block().focus()
  await page.keyboard.press(key)
  await told(time)
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

describe('a change on the board', () => {
  beforeEach(onBoard)

  it('is undone and redone step by step, and the buttons name the next step', {
    tags: 'promise',
  }, async () => {
    await expect.poll(() => button('Undo').isDisabled()).toBe(true)
    await move('Alt+ArrowDown', /^Moved: Lena Vogt.*10:15–11:45/)
    await move('Alt+ArrowRight', /^Moved: Lena Vogt.*10:15–11:45/)
    await button('Undo: moved Lena Vogt to Mira Seidel, 10:15').waitFor()
    await move('Alt+Shift+ArrowDown', /^Duration changed: .*10:15–12:00/)
    await button(
      /^Undo: changed the duration of Lena Vogt, Mon,? 1 Mar(?: 2032)?, 10:15 to 105 min$/,
    ).waitFor()
    await press('Control+z', /^Undone: .*10:15–11:45/)
    await press('Control+z', /^Undone: .*10:15–11:45/)
    await button('Undo: moved Lena Vogt to 10:15').click()
    await told(/^Undone: .*10:00–11:30/)
    await expect.poll(() => button('Undo').isDisabled()).toBe(true)
    await expect.poll(() => stored()).toMatchObject({ instructor_id: jonas.id, start_at: `${DATE} 10:00` })

    await button('Redo: moved Lena Vogt to 10:15').click()
    await told(/^Redone: .*10:15–11:45/)
    await button('Redo: moved Lena Vogt to Mira Seidel, 10:15').waitFor()
    await page.keyboard.press('Control+Shift+Z')
    await button(
      /^Redo: changed the duration of Lena Vogt, Mon,? 1 Mar(?: 2032)?, 10:15 to 105 min$/,
    ).waitFor()
    await press('Control+y', /^Redone: .*10:15–12:00/)
    await expect.poll(() => button('Redo').isDisabled()).toBe(true)
    await expect.poll(() => stored()).toMatchObject({ instructor_id: mira.id, end_at: `${DATE} 12:00` })
  })

  it('can no longer be redone after another change', async () => {
    await move('Alt+ArrowDown', /^Moved/)
    await press('Control+z', /^Undone/)
    await move('Alt+ArrowUp', /^Moved: .*09:45/)
    await expect.poll(() => button('Redo').isDisabled()).toBe(true)
  })

  it("is undone without reverting another user's change to the lesson", async () => {
    await move('Alt+ArrowDown', /^Moved/)
    await school.client.patch(`/appointments/${lesson.id}`, { notes: 'brings her glasses' })
    await press('Control+z', /^Undone: .*10:00–11:30/)
    await expect
      .poll(() => stored())
      .toMatchObject({ start_at: `${DATE} 10:00`, notes: 'brings her glasses' })
  })

  it('is not undone if another user has changed the lesson since, and does not block earlier steps', {}, async () => {
    await page.keyboard.press('n')
    await field('Student').first().fill('kaya')
    await page.keyboard.press('Enter')
    await choose('Mira Seidel')
    await button('Book').click()
    await told(/^Booked: Emre Kaya/)
    await move('Alt+ArrowDown', /^Moved/)
    const theirs = { start_at: `${DATE} 15:00`, end_at: `${DATE} 16:30` }
    await school.client.patch(`/appointments/${lesson.id}`, theirs)
    await press(
      'Control+z',
      /^Not undone: moved Lena Vogt to 10:15\. Lena Vogt, .*15:00–16:30 has changed since \(Start, End\) and stays\.$/,
    )
    await expect.poll(() => stored()).toMatchObject(theirs)
    await button(/^Undo: booked Emre Kaya, Mon,? 1 Mar(?: 2032)?, 08:00$/).waitFor()
    await press('Control+z', /^Undone: Emre Kaya/)
  })

  it('is not undone if that would break a rule, and the message names the rule', async () => {
    await move('Alt+ArrowRight', /^Moved/)
    await school.book({
      instructor_id: jonas.id,
      start_at: `${DATE} 10:00`,
      end_at: `${DATE} 11:00`,
      title: 'Car wash',
    })
    const why = 'Jonas Brandt already has an appointment 10:00–11:00'
    await press('Control+z', `Not undone: moved Lena Vogt to Mira Seidel, 10:00. ${why}.`)
    expect((await stored()).instructor_id).toBe(mira.id)
    await expect.poll(() => button('Undo').isDisabled()).toBe(true)
  })

  it('is undone only after its response has arrived', async () => {
    await move('Alt+ArrowDown', /^Moved: .*10:15/)
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    await handleFirst(page, `**/appointments/${lesson.id}`, async (route) => {
      asked.resolve()
      await answer.promise
      await route.continue()
    })
    await block().focus()
    await page.keyboard.press('Alt+ArrowDown')
    await asked.promise
    await page.keyboard.press('Control+z')
    answer.resolve()
    await told(/^Undone: .*10:15–11:45/)
    expect((await stored()).start_at).toBe(`${DATE} 10:15`)
  })

  it('offers a link to the lesson if its undo fails on another page', async () => {
    await move('Alt+ArrowDown', /^Moved/)
    const times = { start_at: `${DATE} 09:00`, end_at: `${DATE} 10:15` }
    await school.lesson({ instructor_id: jonas.id, student_id: null, title: 'Meeting', ...times })
    await page.getByRole('link', { name: 'Students', exact: true }).click()
    await page.getByRole('heading', { name: 'Students' }).waitFor()
    await press('Control+z', /^Not undone: moved Lena Vogt to 10:15/)
    await expect
      .poll(() => page.getByRole('alert').getByRole('button', { name: 'Find a time' }).count())
      .toBe(0)
    await page.getByRole('alert').getByRole('link', { name: 'Show' }).click()
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
  })

  it('can be undone by a retry after the service could not be reached', async () => {
    await move('Alt+ArrowDown', /^Moved/)
    let isReachable = false
    await page.route('**/api/**', (route) => (isReachable ? route.continue() : route.abort()))
    await press('Control+z', /^Not undone: moved Lena Vogt to 10:15\. The service cannot be reached/)
    isReachable = true
    await page.getByRole('alert').getByText('Undo', { exact: true }).click()
    await told(/^Undone: .*10:00–11:30/)
  })

  it('is shown as undone before the service has responded, and keeps a note that a colleague adds', async () => {
    await move('Alt+ArrowDown', /^Moved: .*10:15/)
    const answer = Promise.withResolvers<void>()
    await handleFirst(page, '**/undo', async (route) => {
      await school.client.patch(`/appointments/${lesson.id}`, { notes: 'brings her glasses' })
      await answer.promise
      await route.continue()
    })
    await page.keyboard.press('Control+z')
    await block().getByText('10:00–11:30').waitFor()
    expect((await stored()).start_at).toBe(`${DATE} 10:15`)
    answer.resolve()
    await told(/^Undone: .*10:00–11:30/)
    expect(await stored()).toMatchObject({ start_at: `${DATE} 10:00`, notes: 'brings her glasses' })
  })

  it('is undone once by a retry after the response of the undo was lost', async () => {
    await move('Alt+ArrowDown', /^Moved: .*10:15/)
    await handleFirst(page, '**/undo', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await press('Control+z', /^Not undone: .* The service cannot be reached/)
    await page.getByRole('alert').getByText('Undo', { exact: true }).click()
    await told(/^Undone: .*10:00–11:30/)
    await press('Control+y', /^Redone: .*10:15–11:45/)
    expect((await stored()).start_at).toBe(`${DATE} 10:15`)
  })

  it('can be undone if its response was lost and it was sent again', async () => {
    await handleFirst(page, `**/appointments/${lesson.id}`, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await block().click()
    await button('Edit').click()
    await field('Notes').fill('brings her glasses')
    await button('Save').click()
    await page.getByText('The service cannot be reached').waitFor()
    await button('Save').click()
    await told(/^Saved: Lena Vogt/)
    await page.keyboard.press('Escape')
    await press('Control+z', /^Undone: Lena Vogt/)
    expect((await stored()).notes).toBe(null)
  })

  it('is redone after the booking before it, which was undone too', async () => {
    await block().click()
    await button('Same again next week').click()
    await told(/^Booked: Lena Vogt, Mon,? 8 Mar/)
    await page.getByRole('link', { name: 'Show' }).click()
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    await page.keyboard.press('Escape')
    await move('Alt+ArrowDown', /^Moved: .*10:15/)
    await press('Control+z', /^Undone: .*10:00–11:30/)
    await page.keyboard.press('Control+z')
    await block().waitFor({ state: 'detached' })
    await page.keyboard.press('Control+y')
    await block().waitFor()
    await press('Control+y', /^Redone: .*10:15–11:45/)
  })

  it('offers a link to a lesson that was booked for the next week', async () => {
    await block().click()
    await button('Same again next week').click()
    await told(/^Booked: Lena Vogt, Mon,? 8 Mar/)
    await page.getByRole('link', { name: 'Show' }).click()
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    expect(page.url()).toContain('date=2032-03-08')
  })
})
