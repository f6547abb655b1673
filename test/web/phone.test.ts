import type { CDPSession, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService({ cookieDomain: undefined })
const open = useBrowser(service)
const DATE = '2027-03-01'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const instructor = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  await school.lesson({
    instructor_id: instructor.id,
    student_id: (await school.student()).id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
  page = await open(`/?date=${DATE}`, { ...PHONE, as: school })
  await lesson().waitFor()
})

/** The calendar has noticed that the finger stays. */
const taken = () => page.locator('.ec-preview').waitFor()
const lesson = () => page.locator('[data-lesson]', { hasText: 'Lena Vogt' })

describe('a phone', () => {
  it('opens a lesson by a tap, and closes it by its back button', async () => {
    await lesson().tap()
    await page
      .getByRole('dialog')
      .getByText(/^Mon,? 1 Mar(?: 2027)?, 10:00–11:30/)
      .waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('books by a tap on empty time', async () => {
    const { x, y, height } = await boxOf(lesson())
    await page.touchscreen.tap(x + 30, y + height + 20)
    await page.getByRole('dialog').getByText('Possible', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Book', exact: true }).tap()
    await page.getByText(/^Booked: .*11:/).waitFor()
  })

  it('moves a lesson that is held, and shows where to', async () => {
    const finger = await fingerOn(page)
    const { x, y } = await boxOf(lesson())
    await finger.press(x + 30, y + 20)
    await taken()
    await finger.move(x + 30, y + 52)
    await page.locator('[data-held]').waitFor()
    await finger.lift()
    await page.getByText(/^Moved: Lena Vogt.*10:30–12:00/).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('makes a lesson longer by its lower edge', async () => {
    const finger = await fingerOn(page)
    const { x, y, height } = await boxOf(lesson())
    await finger.press(x + 30, y + height - 4)
    await taken()
    await finger.move(x + 30, y + height + 26)
    await page.locator('[data-held]').waitFor()
    await finger.lift()
    await page.getByText(/^Duration changed: Lena Vogt.*10:00–12:00/).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

/** A finger, which Playwright itself can only tap with. */
async function fingerOn(board: Page) {
  const devtools: CDPSession = await board.context().newCDPSession(board)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  let at = { x: 0, y: 0 }
  return {
    press: async (x: number, y: number) => {
      at = { x, y }
      await touch('touchStart', [at])
    },
    move: async (x: number, y: number) => {
      for (const part of [0.25, 0.5, 0.75, 1]) {
        await touch('touchMove', [{ x: at.x + (x - at.x) * part, y: at.y + (y - at.y) * part }])
      }
    },
    lift: async () => {
      await touch('touchEnd', [])
    },
  }
}
