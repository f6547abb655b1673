import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { checkEach, checkTable } from '../support/check-each.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const RURAL = 'Überlandfahrt (Sonderfahrt)'
const ON_MONDAYS = { availability_windows: [{ weekday: 1, start: '08:00', end: '16:00' }] }

let school: School
let page: Page
let dialog: Locator

beforeEach(async () => {
  school = await aSchool(service())
  const templates = (await school.client.get('/license-class-templates')).body
  const b = templates.find(({ code }: { code: string }) => code === 'B')
  await school.instructor({ first_name: 'Anna', last_name: 'Adler', license_classes: ['A'] })
  const ofB = { license_classes: ['B'], ...ON_MONDAYS }
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', color: '#123456', ...ofB })
  const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel', ...ofB })
  const ofLena = { license_class_template_id: b.id, preferred_instructor_id: mira.id }
  const lena = await school.student(ofLena)
  await school.student({ first_name: 'Emre', last_name: 'Kaya' })
  await school.lesson({ instructor_id: mira.id, start_at: `${DATE} 08:00`, end_at: `${DATE} 09:15` })
  // Lena has had a lesson, so her class decides what is offered next.
  const driven = { student_id: lena.id, start_at: '2032-02-02 08:00', end_at: '2032-02-02 09:30' }
  await school.lesson({ instructor_id: mira.id, ...driven })
  page = await open(`/?date=${DATE}`, { as: school })
  dialog = page.getByRole('dialog')
  await page.locator('[data-lesson]').waitFor()
})

const field = (name: string) => dialog.getByRole('combobox', { name })
const time = (name: string) => dialog.getByRole('textbox', { name, exact: true })
const holds = async (box: Locator, text: string) => expect.poll(() => box.inputValue()).toBe(text)

async function choose(name: string, text: string): Promise<void> {
  await field(name).click()
  await field(name).fill(text)
  await page.getByRole('option', { name: text }).click()
}

describe('choosing a student', () => {
  it('fills in the preferred instructor, the lesson type that is due, and the next free time', {
    tags: 'promise',
  }, async () => {
    await page.keyboard.press('n')
    await holds(time('Start'), '08:00')
    await choose('Student', 'Lena Vogt')
    await holds(field('Instructor'), 'Mira Seidel')
    await holds(field('Type'), RURAL)
    await holds(time('Start'), '09:15')
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await choose('Student', 'Emre Kaya')
    await holds(field('Instructor'), '')
    await holds(time('Start'), '08:00')
  })

  it('fills in the next free time in a week that the board has not shown', async () => {
    const { instructor_id } = (await school.client.get(`/appointments?from=${DATE}&to=${DATE}`)).body[0]
    await school.lesson({ instructor_id, start_at: '2032-03-15 08:00', end_at: '2032-03-15 09:00' })
    await page.keyboard.press('n')
    await choose('Student', 'Lena Vogt')
    await holds(time('Start'), '09:15')
    await time('Date').fill('15.3.2032')
    await holds(time('Start'), '09:00')
    await dialog.getByText('Possible', { exact: true }).waitFor()
  })

  it('books the proposed lesson with six keystrokes, however fast they follow', async () => {
    await page.keyboard.press('n')
    await field('Student').pressSequentially('len')
    await page.locator('[role=option][data-combobox-selected]', { hasText: 'Lena Vogt' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText(/^Booked: Lena Vogt, Mon,? 1 Mar(?: 2032)?, 09:15–10:45/).waitFor()
    const { body } = await school.client.get(`/appointments?from=${DATE}&to=${DATE}`)
    expect(body.at(-1)).toMatchObject({ lesson_type_id: school.lessonTypes.RURAL, title: RURAL })
  })

  it('lists suitable instructors and types first and states why an instructor is unsuitable', {}, async () => {
    await page.keyboard.press('n')
    await choose('Student', 'Lena Vogt')
    await holds(field('Instructor'), 'Mira Seidel')
    await field('Instructor').click()
    await page.getByRole('option', { name: 'Jonas Brandt' }).getByText('free').waitFor()
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Mira Seidel\s*free · preferred$/),
        expect.stringMatching(/^Jonas Brandt\s*free$/),
        expect.stringMatching(/^Anna Adler\s*does not teach B$/),
      ])
    await page.getByRole('option', { name: 'Anna Adler' }).click()
    const amber = dialog.getByRole('status').filter({ hasText: 'Anna Adler does not teach class B.' })
    await amber.waitFor()
    await expect.poll(() => amber.getAttribute('data-kind')).toBe('warn')
    await field('Type').click()
    const groups = page.getByRole('group').filter({ has: page.getByRole('option') })
    await expect.poll(() => groups.first().getByRole('option', { name: RURAL }).count()).toBe(1)
    await expect.poll(() => groups.last().getByRole('option', { name: 'Simulator' }).count()).toBe(1)
  })

  it('keeps the instructor whose column was clicked and offers the preferred one', async () => {
    const { x, width } = await boxOf(page.locator('.column-head', { hasText: 'Jonas' }))
    const { y } = await boxOf(page.locator('[data-lesson]'))
    await page.mouse.click(x + width / 2, y + 4)
    await holds(field('Instructor'), 'Jonas Brandt')
    await choose('Student', 'Lena Vogt')
    const preferred = dialog.getByRole('button', { name: 'Preferred: Mira Seidel' })
    await preferred.waitFor()
    await holds(field('Type'), RURAL)
    await holds(field('Instructor'), 'Jonas Brandt')
    await holds(time('Start'), '08:00')
    await preferred.click()
    await holds(field('Instructor'), 'Mira Seidel')
    await preferred.waitFor({ state: 'detached' })
  })
})

describe('the start field', () => {
  it('accepts 9, 930, 9.30 and 9:3 and adjusts the end', async () => {
    await page.keyboard.press('n')
    await checkTable(['9', '930', '9.30', '9:3'], async (typed) => {
      const [start, end] = typed === '9' ? ['09:00', '10:30'] : ['09:30', '11:00']
      await time('Start').click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(typed)
      await page.keyboard.press('Tab')
      await holds(time('Start'), start)
      await expect.poll(() => time('End').inputValue()).toBe(end)
    })
  })

  it('marks an invalid time and does not send it', async () => {
    await page.keyboard.press('n')
    await choose('Instructor', 'Jonas Brandt')
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await time('Start').click()
    await page.keyboard.type('25')
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter date and time.').waitFor()
    await expect.poll(() => time('Start').getAttribute('aria-invalid')).toBe('true')
    await time('Start').fill('10')
    await page.keyboard.press('Enter')
    await page.getByText(/^Booked: .*10:00–11:30/).waitFor()
  })
})

describe('leaving a form', () => {
  const question = () => page.getByRole('dialog', { name: 'Discard what you have filled in?' })
  const form = () => page.getByRole('dialog', { name: 'Book lesson' })

  const ways = {
    Escape: () => page.keyboard.press('Escape'),
    'the cross': () => form().getByRole('button', { name: 'Close' }).click(),
    'the back button': () => page.evaluate('history.back()'),
    'Escape beside it': async () => {
      await page.mouse.click(5, 400)
      await page.keyboard.press('Escape')
    },
  }

  it('asks before discarding entries, except on Cancel, and keeps them if dismissed', {}, async () => {
    await page.keyboard.press('n')
    await form().getByText('Not complete yet').waitFor()
    await page.keyboard.press('Escape')
    await form().waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-lesson]').waitFor({ state: 'detached' })
    await checkEach(Object.entries(ways), async (leave) => {
      await page.keyboard.press('n')
      await choose('Student', 'Emre Kaya')
      await leave()
      // A key pressed before the question has the focus would reach the form.
      await question().locator(':focus').waitFor()
      await page.keyboard.press('Escape')
      await question().waitFor({ state: 'detached' })
      await holds(field('Student'), 'Emre Kaya')
      await leave()
      await question().getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(page.url()).toContain('date=2032-03-02')
    })
    await page.keyboard.press('n')
    await choose('Student', 'Emre Kaya')
    await form().getByRole('button', { name: 'Cancel' }).click()
    await form().waitFor({ state: 'detached' })
    await expect.poll(() => question().count()).toBe(0)
  })

  it('closes an open list on the first Escape and asks on the second', async () => {
    await page.keyboard.press('n')
    await field('Student').fill('em')
    await page.getByRole('option', { name: 'Emre Kaya' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await expect.poll(() => question().count()).toBe(0)
    await page.keyboard.press('Escape')
    await question().waitFor()
  })

  it('also asks in the student form', async () => {
    await page.goto(`${service().url}/students`)
    await page.getByRole('button', { name: 'New student' }).click()
    await dialog.getByLabel('First name').fill('Ada')
    await page.keyboard.press('Escape')
    await question().getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => dialog.getByLabel('First name').inputValue()).toBe('Ada')
  })
})

describe('a double click', () => {
  const form = () => page.getByRole('dialog', { name: 'Book lesson' })

  it('on a button that closes the form does not click anything behind it', async () => {
    await page.keyboard.press('n')
    await form().getByRole('button', { name: 'Cancel' }).dblclick()
    await form().waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await form().getByRole('button', { name: 'Cancel' }).press('Enter')
    await form().waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('on a lesson opens its card, and on Delete acts like a single click', async () => {
    await page.keyboard.press('n')
    await form().waitFor()
    await page.keyboard.press('Escape')
    await form().waitFor({ state: 'detached' })
    await page.locator('[data-lesson]').dblclick()
    await dialog.locator('dl').waitFor()
    expect(page.url()).toContain('lesson=')
    await dialog.getByRole('button', { name: 'Delete' }).dblclick()
    await page.getByText(/^Deleted/).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})
