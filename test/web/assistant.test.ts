import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { proposalLink } from '../../src/assistant/proposals.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, PASSWORD, type Row, type School } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useService()
const open = useBrowser(service)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DESKTOP = { viewport: { width: 1440, height: 900 } }

let school: School
let instructor: Row
let student: Row
let lesson: Row

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor({ first_name: 'Ida', last_name: 'Kern' })
  student = await school.student({ first_name: 'Zoë', last_name: 'Sommer' })
  const taught = { instructor_id: instructor.id, student_id: student.id }
  lesson = await school.lesson({ ...taught, start_at: '2041-05-06 08:00', end_at: '2041-05-06 09:30' })
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const pathOf = (link: string) => link.slice(service().url.length)
const lessons = async (): Promise<Row[]> =>
  must(200, await school.client.get('/appointments?from=2041-05-01&to=2041-05-31'))

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
] as const)('on %s', (_, size) => {
  it('a token is made after a proof, shown once, works, and ends', async () => {
    const page = await open('/account', { as: school, ...size })
    await sql`update token_families set proved_at = null, proved_by = null where user_id = ${school.user.id}`.execute(
      service().db,
    )
    await button(page, 'Create a token').click()
    await dialog(page).getByLabel('Name').fill('Assistant')
    await button(page, 'Create').click()
    await dialog(page).last().locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const token = await page.getByRole('textbox', { name: 'Token' }).inputValue()
    const program = new Client(service(), bearer(token))
    must(200, await program.get('/auth/me'))
    expect((await program.post('/students', { first_name: 'A', last_name: 'B' })).status).toBe(403)
    await button(page, 'I have copied it').click()
    await page.getByText('only look things up').first().waitFor()
    expect(await page.content()).not.toContain(token)
    await button(page, 'End Assistant').click()
    await page.getByText('Token ended.').waitFor()
    expect((await program.get('/auth/me')).status).toBe(401)
  })

  it('a proposed lesson opens the form filled in, and is booked only by its button', {
    tags: 'promise',
  }, async () => {
    const book = {
      student_id: student.id,
      instructor_id: instructor.id,
      lesson_type_id: school.lessonTypes.PRACTICE ?? '',
      start_at: '2041-05-07 10:00',
      end_at: '2041-05-07 11:30',
    }
    const page = await open(pathOf(proposalLink(service().url, { book })), { as: school, ...size })
    await dialog(page).getByText('An assistant proposes this.').waitFor()
    expect(await lessons()).toHaveLength(1)
    await page.waitForURL((url) => !url.searchParams.has('proposal'))
    await button(page, 'Book').click()
    await dialog(page).waitFor({ state: 'detached' })
    expect((await lessons()).map(({ start_at, student_id }) => [start_at, student_id])).toContainEqual([
      '2041-05-07 10:00',
      student.id,
    ])
  })

  it('a proposed time opens the lesson with it, and leaves it where it is until it is saved', async () => {
    const move = {
      appointment_id: lesson.id,
      instructor_id: instructor.id,
      start_at: '2041-05-14 10:00',
      end_at: '2041-05-14 11:30',
    }
    const page = await open(pathOf(proposalLink(service().url, { move })), { as: school, ...size })
    await dialog(page).getByText('An assistant proposes this.').waitFor()
    expect((await lessons()).map(({ start_at }) => start_at)).toEqual(['2041-05-06 08:00'])
    await button(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    expect((await lessons()).map(({ start_at }) => start_at)).toEqual(['2041-05-14 10:00'])
  })

  it('a proposed cancellation opens the lesson, and a broken link changes nothing', async () => {
    const cancel = { appointment_id: lesson.id, start_at: '2041-05-06 08:00' }
    const page = await open(pathOf(proposalLink(service().url, { cancel })), { as: school, ...size })
    await page
      .getByRole('button', { name: /^Cancel/ })
      .first()
      .waitFor()
    for (const proposal of [
      'kind=move&appointment_id=1',
      'kind=delete',
      '%',
      `kind=move&appointment_id=${student.id}`,
    ]) {
      await page.goto(`${service().url}/?${new URLSearchParams({ date: '2041-05-06', proposal })}`)
      await page.waitForURL((url) => !url.searchParams.has('proposal'))
    }
    expect(await lessons()).toMatchObject([{ start_at: '2041-05-06 08:00', status: 'planned' }])
  })
})
