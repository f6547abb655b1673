import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School

beforeEach(async () => {
  school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const { id: student_id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  await school.student({ first_name: 'Emre', last_name: 'Kaya' })
  await school.lesson({
    instructor_id,
    student_id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})

describe("the browser's buttons", () => {
  it('return from a search for students to the day on the board, and forward to the same search', async () => {
    const page = await open(`/?date=${DATE}`, { as: school })
    const lesson = page.locator('[data-lesson]', { hasText: 'Lena Vogt' })
    const found = page.getByRole('main').getByRole('listitem').getByText('Lena Vogt')
    await lesson.waitFor()
    const board = page.url()
    await page.getByRole('link', { name: 'Students', exact: true }).click()
    await page.getByRole('searchbox').fill('vogt')
    await page.getByText('1 student', { exact: true }).waitFor()
    await page.waitForURL(/q=vogt/)
    const students = page.url()
    await page.goBack()
    await lesson.waitFor()
    expect(page.url()).toBe(board)
    await page.goForward()
    await found.waitFor()
    await page.getByText('1 student', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('vogt')
    expect(page.url()).toBe(students)
  })
})
