import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { TestService } from '../support/app.ts'
import type { useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, type Row, type School, type User } from '../support/factory.ts'

export const DATE = '2032-03-01'
/** A quarter past ten in the morning, in the school's time zone. */
export const NOW = `${DATE}T09:15:00Z`
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** An instructor's day with a past lesson, a running one and one without a student, and the phone that shows it. */
export type Day = {
  readonly school: School
  readonly jonas: Row
  /** The instructor's login. */
  readonly user: User
  readonly early: Row
  readonly running: Row
  readonly page: Page
}

export async function aDay(service: TestService): Promise<Omit<Day, 'page'>> {
  const school = await aSchool(service)
  const jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const user = await aUser(service, school.tenantId, { role: 'instructor', instructor_id: jonas.id })
  const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const tom = await school.student({ first_name: 'Tom', last_name: 'Berg', phone: '+49 170 1234567' })
  const drive = (start: string, end: string, student_id: string | null) =>
    school.lesson({
      instructor_id: jonas.id,
      student_id,
      start_at: `${DATE} ${start}`,
      end_at: `${DATE} ${end}`,
    })
  const early = await drive('08:00', '09:30', lena.id)
  const running = await drive('10:00', '11:30', tom.id)
  await drive('12:00', '13:00', null)
  return { school, jonas, user, early, running }
}

/** Opens the day on the instructor's phone at a quarter past ten. */
export async function onPhone(
  service: TestService,
  open: ReturnType<typeof useBrowser>,
  day: Omit<Day, 'page'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const as = await enter(service, { tenantId: day.school.tenantId, user: day.user })
  const page = await open('/icon.svg', { ...PHONE, ...options, as })
  await page.clock.install({ time: NOW })
  await page.goto(`${service.url}/today`)
  await page.getByRole('heading', { name: 'Tom Berg' }).waitFor()
  return page
}

/**
 * Stops the installed clock of a page at a time, double-clicks a visible element, and starts the clock again. A running clock
 * would add the page's work after the first click to the time between the clicks.
 */
export async function doubleClickAt(time: string, target: Locator): Promise<void> {
  const { clock } = target.page()
  await clock.setFixedTime(time)
  await clock.pauseAt(time)
  await target.dblclick()
  await clock.resume()
}
