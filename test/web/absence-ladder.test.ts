import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { dayOf, daysLater, weekdayOf } from '../../src/domain/local-time.ts'
import { localToday } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { faultsOf } from './axe.ts'

const service = useService()
const open = useBrowser(service)
/** Days after tomorrow can still be moved. */
const day = daysLater(localToday(new Date(), 'Europe/Berlin'), 3)

let school: School
let ill: Row
let other: Row
let page: Page

const at = (hour: number) => ({
  start_at: `${day} ${String(hour).padStart(2, '0')}:00`,
  end_at: `${day} ${String(hour + 1).padStart(2, '0')}:00`,
})
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const stored = async ({ id }: Row) => (await school.client.get(`/appointments/${id}`)).body

async function book(instructor: Row, hour: number, student: object): Promise<Row> {
  const { id } = await school.student({ last_name: 'Kurz', phone: null, ...student })
  const wish = {
    weekdays: [weekdayOf(dayOf(day))],
    time_from: at(hour).start_at.slice(11),
    time_to: at(hour).end_at.slice(11),
    minutes: 60,
  }
  if (instructor === ill) await school.client.post(`/students/${id}/wishes`, wish)
  return school.lesson({ instructor_id: instructor.id, student_id: id, ...at(hour) })
}

beforeEach(async () => {
  school = await aSchool(service())
  ill = await school.instructor({ first_name: 'Karl', last_name: 'Krüger' })
  other = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
})

describe('the fewest calls of an absence', () => {
  it('fills in a step with one click, keeps its calls, and is taken back by one undo', async () => {
    const ada = await book(ill, 9, { first_name: 'Ada' })
    const ben = await book(ill, 14, { first_name: 'Ben' })
    const mia = await book(other, 9, { first_name: 'Mia', phone: '+49 30 5550199' })
    page = await open(`/absence?instructor=${ill.id}&day=${day}`, { as: school })
    await button('Without calls: 1 of 2').waitFor()
    await button('1 call: 2 of 2').click()
    await page.getByText('All decided').waitFor()
    const others = page.locator(`[data-decided-row="${mia.id}"]`)
    await others.getByText(/^now .*, 08:00–09:00/).waitFor()
    expect(await others.getByRole('link').getAttribute('href')).toBe('tel:+49305550199')
    await others.getByRole('checkbox').check()
    await page.reload()
    await page.getByText('1 of 3 called').waitFor()
    expect(await button('1 call: 2 of 2').getAttribute('aria-pressed')).toBe('true')

    await button('Without calls: 1 of 2').click()
    await others.waitFor({ state: 'detached' })
    await button('1 call: 2 of 2').click()
    await others.waitFor()
    await button('Record absence').click()
    await page.getByText('Recorded: 2 taken over, 1 moved.').waitFor()
    expect([await stored(ada), await stored(ben), await stored(mia)]).toMatchObject([
      { instructor_id: other.id, ...at(9) },
      { instructor_id: other.id, ...at(14) },
      { instructor_id: other.id, ...at(8) },
    ])
    await page.getByText('1 of 3 called').waitFor()
    await button('Undo absence').click()
    await page.getByText('2 still undecided').waitFor()
    expect([await stored(ada), await stored(mia)]).toMatchObject([
      { instructor_id: ill.id, ...at(9) },
      { instructor_id: other.id, ...at(9) },
    ])
  })

  it('names the lesson of another that has changed meanwhile, and stores nothing', async () => {
    const ada = await book(ill, 9, { first_name: 'Ada' })
    const mia = await book(other, 9, { first_name: 'Mia' })
    page = await open(`/absence?instructor=${ill.id}&day=${day}`, { as: school })
    await button('1 call: 1 of 1').click()
    await page.locator(`[data-decided-row="${mia.id}"]`).waitFor()
    let hasChanged = false
    await page.route(`**/instructors/${ill.id}/absences`, async (route) => {
      if (!hasChanged) await school.client.patch(`/appointments/${mia.id}`, { notes: 'brings glasses' })
      hasChanged = true
      await route.continue()
    })
    await button('Record absence').click()
    await page.getByText(/^Mia Kurz, .*: the lesson has changed meanwhile/).waitFor()
    expect(await stored(ada)).toMatchObject({ instructor_id: ill.id })
    // The steps are found again for the lesson as it is now.
    await expect
      .poll(async () => {
        await button('1 call: 1 of 1').click()
        const answered = page.waitForResponse((response) => response.url().endsWith('/absences'))
        await button('Record absence').click()
        return (await answered).status()
      })
      .toBe(200)
    await page.getByText('Recorded: 1 taken over, 1 moved.').waitFor()
    expect(await stored(ada)).toMatchObject({ instructor_id: other.id })
  })

  it('has no axe violations, with a step taken', async () => {
    await book(ill, 9, { first_name: 'Ada' })
    const mia = await book(other, 9, { first_name: 'Mia', phone: '+49 30 5550199' })
    page = await open('/', { as: school, bypassCSP: true, reducedMotion: 'reduce' })
    await page.context().addInitScript(axe.source)
    await page.goto(`${service().url}/absence?instructor=${ill.id}&day=${day}`)
    await button('1 call: 1 of 1').click()
    await page.locator(`[data-decided-row="${mia.id}"]`).waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  it('is not offered where no call saves a lesson', async () => {
    await book(ill, 9, { first_name: 'Ada' })
    page = await open(`/absence?instructor=${ill.id}&day=${day}`, { as: school })
    const answered = page.waitForResponse(
      (response) =>
        response.url().endsWith('/absence-plan') && !!response.request().postData()?.includes('may_move'),
    )
    await answered
    await page.getByText('1 still undecided').waitFor()
    expect(await button(/call/).count()).toBe(0)
  })
})
