import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LessonType } from '../../src/contract/lesson-type.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2099-03-02'
const PRACTICE = 'Übungsfahrt (Grundausbildung)'
const RURAL = 'Überlandfahrt (Sonderfahrt)'
const MOTORWAY = 'Autobahnfahrt (Sonderfahrt)'

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor()
})

async function at(path: string): Promise<void> {
  page = await open(path, { as: school })
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const listed = async (): Promise<LessonType[]> => (await school.client.get('/lesson-types')).body
const stored = async (code: string) => (await listed()).find((one) => one.code === code)
const field = (name: string, of: string) => page.getByLabel(`${name}: ${of}`, { exact: true })
const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')

describe('lesson types in the settings', () => {
  it('can be renamed in place and given another duration and colour', async () => {
    await at('/settings?chapter=lessons')
    await field(PRACTICE, 'Name').fill('Grundfahrt')
    await page.keyboard.press('Enter')
    await field('Grundfahrt', 'Duration').fill('80')
    await field('Grundfahrt', 'Colour').fill('#112233')
    await page.keyboard.press('Tab')
    await expect
      .poll(() => stored('PRACTICE'))
      .toMatchObject({
        name: 'Grundfahrt',
        default_minutes: 80,
        color: '#112233',
      })
  })

  it('can be given another number of seats, which must be at least 1', async () => {
    await at('/settings?chapter=lessons')
    const seats = field('Theorieunterricht Grundstoff', 'Seats')
    await expect.poll(() => seats.inputValue()).toBe('20 seats')
    await seats.fill('0')
    await page.keyboard.press('Tab')
    await page.getByText('1 at least.').waitFor()
    await seats.fill('12')
    await page.keyboard.press('Enter')
    await expect.poll(() => stored('THEORY_BASIC')).toMatchObject({ seats: 12, default_minutes: 90 })
    await expect.poll(() => field(PRACTICE, 'Seats').inputValue()).toBe('1 seat')
  })

  it('can be reordered by keyboard, and the button keeps the focus', async () => {
    await at('/settings?chapter=lessons')
    await page.getByRole('button', { name: `${MOTORWAY}: move up` }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText(`${MOTORWAY}: place 2 of 25`).waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText(`${MOTORWAY}: place 1 of 25`).waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await expect.poll(() => focused()).toBe(`${MOTORWAY}: move up`)
    expect((await listed()).slice(0, 3).map(({ code }) => code)).toEqual(['MOTORWAY', 'PRACTICE', 'RURAL'])
    await page.getByRole('button', { name: `${MOTORWAY}: move down` }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText(`${MOTORWAY}: place 2 of 25`).waitFor({ state: 'attached' })
    await expect.poll(() => focused()).toBe(`${MOTORWAY}: move down`)
  })

  it('are shown by a new name on earlier lessons', async () => {
    const { id: instructor_id } = await school.instructor()
    const { id: student_id } = await school.student()
    const type = school.lessonTypes.RURAL
    const times = { start_at: `${DATE} 08:00`, end_at: `${DATE} 09:30` }
    const lesson = await school.lesson({ instructor_id, student_id, lesson_type_id: type, ...times })
    must(200, await school.client.patch(`/tenant/lesson-types/${type}`, { name: 'Land' }))
    await at(`/?date=${DATE}&lesson=${lesson.id}`)
    await page.getByRole('dialog').getByText('Land', { exact: true }).waitFor()
    expect(await page.getByText(RURAL).count()).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: /^More/ }).click()
    const title = page.getByRole('textbox', { name: 'Title' })
    await expect.poll(() => title.getAttribute('placeholder')).toBe('Land')
    expect(await title.inputValue()).toBe('')
    await at(`/students?student=${student_id}`)
    await page.getByText('Land ·').waitFor()
    expect(await page.getByText(RURAL).count()).toBe(0)
  })

  it('that are not offered are missing from the booking form but kept on existing lessons', async () => {
    const { id: instructor_id } = await school.instructor()
    const times = { start_at: `${DATE} 08:00`, end_at: `${DATE} 09:30` }
    const lesson = await school.lesson({ instructor_id, lesson_type_id: school.lessonTypes.RURAL, ...times })
    await at('/settings?chapter=lessons')
    await page.getByRole('switch', { name: `${RURAL}: Offered` }).press('Space')
    await expect.poll(async () => (await stored('RURAL'))?.hidden).toBe(true)
    await at(`/?date=${DATE}`)
    await page.keyboard.press('n')
    await page.getByRole('combobox', { name: 'Type', exact: true }).click()
    await page.getByRole('option', { name: MOTORWAY }).waitFor()
    await expect.poll(() => page.getByRole('option', { name: RURAL }).count()).toBe(0)
    await at(`/?date=${DATE}&lesson=${lesson.id}`)
    await page.getByRole('dialog').getByText(RURAL).first().waitFor()
  })

  it('are not saved without a name or after a concurrent change', async () => {
    await at('/settings?chapter=lessons')
    await field(PRACTICE, 'Name').fill(' ')
    await page.keyboard.press('Tab')
    await page.getByText('must not be empty.').waitFor()
    await expect.poll(() => stored('PRACTICE')).toMatchObject({ name: PRACTICE, version: 1 })
    await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
    must(200, await school.client.patch(`/tenant/lesson-types/${school.lessonTypes.RURAL}`, { name: 'Land' }))
    await field(RURAL, 'Name').fill('Überland')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Somebody else has changed').waitFor()
    await expect.poll(() => stored('RURAL')).toMatchObject({ name: 'Land', version: 2 })
  })

  it('appear by name in the change log', async () => {
    must(200, await school.client.patch(`/tenant/lesson-types/${school.lessonTypes.RURAL}`, { hidden: true }))
    await at('/changes?kind=lesson_type')
    await page.getByText('Lesson type changed').waitFor()
    await page.getByText(RURAL).waitFor()
    await page.getByText('Not offered').waitFor()
  })
})
