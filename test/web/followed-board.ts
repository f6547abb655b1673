import type { Locator, Page } from 'playwright-core'
import type { TestService } from '../support/app.ts'
import type { Row, School } from '../support/factory.ts'

export const DATE = '2032-03-01'

/** A function that opens an address in a browser. */
type Open = (address: string, options: { readonly as: School }) => Promise<Page>

/** Books the lesson to follow: Lena Vogt's with Jonas Brandt, from 10:00 to 11:30. */
export async function aFollowedLesson(
  school: School,
): Promise<Record<'instructor' | 'student' | 'lesson', Row>> {
  const instructor = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const student = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
  const lesson = await school.lesson({ instructor_id: instructor.id, student_id: student.id, ...times })
  return { instructor, student, lesson }
}

/** Opens the board of a user who follows changes, with a clock that `nextPoll` can move. Everything it shows has been read. */
export async function followedBoard({ url }: TestService, school: School, open: Open): Promise<Page> {
  const page = await open('/healthz', { as: school })
  await page.clock.install()
  // The toolbar counts the past lessons after the board is shown.
  const counted = page.waitForResponse((answer) => answer.url().includes('/appointments?status=planned'))
  await page.goto(`${url}/?date=${DATE}`)
  await blockOf(page).waitFor()
  await counted
  await nextPoll(page)
  return page
}

/** Moves the page's clock forward by five seconds and waits for the response to its poll for changes. */
export async function nextPoll(page: Page): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.url().includes('/changes/since?cursor='))
  await page.clock.fastForward(5_000)
  await answered
}

/** Returns the block of a lesson with this text. */
export function blockOf(page: Page, text: string | RegExp = 'Lena Vogt'): Locator {
  return page.locator('[data-lesson]', { hasText: text })
}
