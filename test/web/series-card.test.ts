import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'
import { faultsOf } from './axe.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const SECOND = '2032-03-08'

let school: School
let jonas: { id: string }
let lena: { id: string }
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', required_break_minutes: 0 })
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
})

const card = () => page.getByRole('dialog').last()
const told = (text: RegExp) => page.getByText(text).first().waitFor()

type Lesson = {
  readonly id: string
  readonly series_id: string
  readonly status: string
  readonly start_at: string
}

/** Returns the statuses of a series, by start. */
async function statuses(series_id: string | undefined): Promise<readonly string[]> {
  const { body } = await school.client.get(`/appointments?series_id=${series_id}`)
  return (body as Lesson[]).map(({ status }) => status)
}

/** Returns the starts of a series. */
async function starts(series_id: string | undefined): Promise<readonly string[]> {
  const { body } = await school.client.get(`/appointments?series_id=${series_id}`)
  return (body as Lesson[]).map(({ start_at }) => start_at)
}

/** Books Lena's lessons at eight on Mondays as a series. */
async function aSeries(count = 3): Promise<readonly Lesson[]> {
  const { body } = await school.client.post('/appointments/series', {
    appointment: {
      instructor_id: jonas.id,
      student_id: lena.id,
      lesson_type_id: school.lessonTypes.PRACTICE,
      start_at: `${DATE} 08:00`,
      end_at: `${DATE} 09:30`,
    },
    repeat: { every_weeks: 1, count },
  })
  return body.booked
}

describe('the card of a lesson in a series', () => {
  it('shows the position in the series, and cancels the lesson with the following ones', {}, async () => {
    const [, second] = await aSeries()
    page = await open(`/?date=${SECOND}&lesson=${second?.id}`, { as: school })
    await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
    await card().getByText('2 of 3').waitFor()
    await card().getByRole('button', { name: 'Cancel this and the following' }).click()
    await card()
      .getByText(/^2 planned lessons from 8 March(?: 2032)? on will be cancelled\.$/)
      .waitFor()
    await page.keyboard.press('Escape')
    await card().getByText('2 of 3').waitFor()
    await card().getByRole('button', { name: 'Cancel this and the following' }).press('Enter')
    await card().getByRole('button', { name: 'Cancel 2 lessons' }).press('Enter')
    await told(/^Cancelled: 2 lessons, Lena Vogt\.$/)
    await page.locator('.lesson-cancelled[data-lesson]').waitFor()
    await card().getByRole('button', { name: 'Cancel this and the following' }).waitFor({ state: 'detached' })
    await expect.poll(() => statuses(second?.series_id)).toEqual(['planned', 'cancelled', 'cancelled'])
  })

  it('undoes the cancellation of the lessons whose times are still free', async () => {
    const [, second] = await aSeries()
    page = await open(`/?date=${SECOND}&lesson=${second?.id}`, { as: school })
    await card().getByRole('button', { name: 'Cancel this and the following' }).click()
    await card().getByRole('button', { name: 'Cancel 2 lessons' }).click()
    await told(/^Cancelled: 2 lessons/)
    await school.lesson({ instructor_id: jonas.id, start_at: `${SECOND} 08:00`, end_at: `${SECOND} 10:00` })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(
      /^Partly undone: cancelled 2 lessons of Lena Vogt\. Lena Vogt, .* stays: Jonas .* already has an appointment 08:00–10:00\.$/,
    )
    await expect.poll(() => statuses(second?.series_id)).toEqual(['planned', 'cancelled', 'planned'])
  })

  it('changes the lesson with the following ones after a preview, and undoes it', async () => {
    const [, second] = await aSeries(4)
    const seriesId = second?.series_id
    const booked = await starts(seriesId)
    await school.lesson({
      instructor_id: jonas.id,
      start_at: '2032-03-16 10:30',
      end_at: '2032-03-16 12:00',
    })
    page = await open('/', { as: school, bypassCSP: true, reducedMotion: 'reduce' })
    await page.context().addInitScript(axe.source)
    await page.goto(`${service().url}/?date=${SECOND}&lesson=${second?.id}`)
    await card().getByRole('button', { name: 'Change this and the following…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change this and the following lessons' })
    await dialog.getByText('Choose what changes to see which dates are possible.').waitFor()
    await dialog.getByLabel('Weekday').click()
    await page.getByRole('option', { name: 'Tuesday' }).click()
    await dialog.getByLabel('Start').fill('10:00')
    await dialog.getByText('2 of 3 dates are possible').waitFor()
    const refused = dialog.getByRole('listitem').filter({ hasText: 'Stays as it is' })
    await refused.getByText(/already has an appointment 10:30–12:00/).waitFor()
    expect(await refused.innerText()).toMatch(/15 Mar.*08:00–09:30/)
    expect(await faultsOf(page)).toEqual([])
    expect(await starts(seriesId)).toEqual(booked)
    const apply = dialog.getByRole('button', { name: 'Change 2 lessons' })
    await dialog.getByRole('switch').click()
    expect(await apply.isDisabled()).toBe(true)
    await dialog.getByRole('switch').click()
    await apply.click()
    await told(/^Changed: 2 lessons, Lena Vogt\. 1 stays as it is\.$/)
    expect(await starts(seriesId)).toEqual([booked[0], '2032-03-09 10:00', booked[2], '2032-03-23 10:00'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(/^Undone: changed 2 lessons of Lena Vogt/)
    expect(await starts(seriesId)).toEqual(booked)
  })
})
