import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** Sunset in Berlin: 17:46. */
const DATE = '2032-03-01'

let school: School

beforeEach(async () => {
  school = await aSchool(service(), { locale: 'en' })
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  await school.student({ first_name: 'Lena', last_name: 'Vogt' })
})

const board = (): Promise<Page> => open(`/?date=${DATE}`, { as: school })

describe('the board', () => {
  it('marks dusk with its time', async () => {
    const page = await board()
    await page.locator('.board-background.dark-time .dusk', { hasText: '17:46' }).waitFor()
  })
})

describe('the day sheet', () => {
  it('marks a night drive in daylight, as the board does', async () => {
    const [instructor] = (await school.client.get('/instructors')).body
    const [student] = (await school.client.get('/students')).body
    const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 10:45` }
    const lesson_type_id = school.lessonTypes.NIGHT
    await school.lesson({ instructor_id: instructor.id, student_id: student.id, lesson_type_id, ...times })
    const page = await board()
    await page.locator('.lesson-mark', { hasText: 'in daylight' }).waitFor()
    await page.goto(`${service().url}/day-sheet?day=${DATE}`)
    await page.getByRole('rowheader', { name: '10:00–10:45' }).getByText('in daylight').waitFor()
  })
})

describe('the lesson form', () => {
  it('warns about a night drive in daylight, but books it', async () => {
    const page = await board()
    await page.getByRole('button', { name: 'Book lesson' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Student', { exact: true }).fill('Lena')
    await page.getByRole('option', { name: 'Lena Vogt' }).click()
    await dialog.getByLabel('Type', { exact: true }).fill('Night')
    await page.getByRole('option', { name: /Night/ }).first().click()
    await expect.poll(() => dialog.getByLabel('Start').first().inputValue()).toMatch(/^(1[789]|2\d|0[0-5])/)
    await dialog.getByLabel('Start').first().fill('10')
    await page.keyboard.press('Tab')
    await dialog.getByText(/in daylight: it is dark from 17:46 to 06:\d\d/).waitFor()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText(/^Booked: Lena Vogt/).waitFor()
  })

  it('warns about a drive without a student', async () => {
    const page = await board()
    await page.getByRole('button', { name: 'Book lesson' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/“Practice drive \(basic training\)” without a student/).waitFor()
  })
})
