import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const MONDAY = '2099-03-02'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const RURAL = 'Überlandfahrt (Sonderfahrt)'
const MOTORWAY = 'Autobahnfahrt (Sonderfahrt)'
const NIGHT = 'Nachtfahrt / Beleuchtungsfahrt (Sonderfahrt)'

let school: School
let page: Page
let instructor: string
let student: string

beforeEach(async () => {
  school = await aSchool(service())
  const templates = (await school.client.get('/license-class-templates')).body
  const { id } = templates.find(({ code }: { code: string }) => code === 'B')
  instructor = (await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })).id
  student = (await school.student({ license_class_template_id: id })).id
})

async function at(path: string, options: BrowserContextOptions = {}): Promise<void> {
  page = await open(path, options)
  await logInAt(page, school)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const dialog = () => page.getByRole('dialog').last()

function drive(code: string, start: string, end: string, fields: object = {}) {
  return school.lesson({
    instructor_id: instructor,
    student_id: student,
    lesson_type_id: school.lessonTypes[code],
    start_at: `${MONDAY} ${start}`,
    end_at: `${MONDAY} ${end}`,
    ...fields,
  })
}

describe('the card of a student', () => {
  const line = (type: string) => dialog().getByRole('listitem').filter({ hasText: type })

  it('shows done, planned and open units, and updates after a change by another client', {
    tags: 'promise',
  }, async () => {
    await drive('RURAL', '08:00', '08:45', { status: 'completed' })
    const planned = await drive('RURAL', '09:00', '10:30')
    await drive('PRACTICE', '11:00', '12:00')
    await at(`/students?student=${student}`)
    await line(RURAL).getByText('1 of 5 u').waitFor()
    await line(RURAL).getByText('2 planned · 2 open').waitFor()
    await line(RURAL).getByText('2 u in one lesson: still to do').waitFor()
    await dialog().getByText('0 u · 1.33 planned').waitFor()
    await school.client.patch(`/appointments/${planned.id}`, { status: 'completed' })
    await line(RURAL).getByText('3 of 5 u').waitFor()
    await line(RURAL).getByText('2 u in one lesson: done').waitFor()
  })

  it('shows in German that all requirements are met', async () => {
    const days = { RURAL: 225, MOTORWAY: 180, NIGHT: 135, THEORY_SPECIFIC: 180, THEORY_BASIC: 1080 }
    for (const [index, [code, minutes]] of Object.entries(days).entries()) {
      const start = Date.UTC(2099, 2, 2 + index)
      const at = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
      const times = { start_at: at(start), end_at: at(start + minutes * 60_000) }
      await drive(code, '00:00', '00:00', { ...times, status: 'completed' })
    }
    await at(`/students?student=${student}`, { locale: 'de-DE' })
    await dialog().getByText('Alle Pflichtstunden sind erledigt.').waitFor()
    await line(RURAL).getByText('5 von 5 E').waitFor()
    await line(RURAL).getByText('2 E am Stück: erledigt').waitFor()
  })

  it('counts a lesson as planned immediately after it is booked from the card', async () => {
    await at(`/students?student=${student}`)
    await line(RURAL).getByText('5 open').waitFor()
    await dialog().getByRole('button', { name: 'Book lesson' }).click()
    await dialog()
      .getByRole('button', { name: `5 units of ${RURAL}` })
      .click()
    await dialog().getByRole('combobox', { name: 'Instructor' }).click()
    await page.getByRole('option', { name: 'Jonas Brandt' }).click()
    await dialog().getByText('Possible', { exact: true }).waitFor()
    await dialog().getByRole('button', { name: 'Book', exact: true }).click()
    await line(RURAL).getByText('2 planned · 3 open').waitFor()
  })
})

describe('the list of students', () => {
  it.each([
    ['on a desktop', {}],
    ['on a phone', PHONE],
  ])('shows a bar of the required units and updates it after a booking, %s', async (_, options) => {
    await drive('RURAL', '08:00', '09:30', { status: 'completed' })
    await drive('MOTORWAY', '10:00', '10:45')
    await drive('THEORY_BASIC', '16:00', '19:00', { status: 'completed' })
    await school.student({ first_name: 'Emre', last_name: 'Kaya' })
    await at('/students', options)
    const bar = page.getByRole('img', { name: /units driven/ })
    await expect.poll(() => bar.count()).toBeLessThanOrEqual(1)
    const sum = page.getByRole('img', {
      name: '2 of 12 units driven, 1 planned · Theory: 4 of 28 units, 0 planned',
    })
    await sum.waitFor()
    const bars = await sum.locator('[data-bar]').all()
    const shares = await Promise.all(bars.map((one) => one.locator('> :first-child').getAttribute('style')))
    expect(shares.map((share) => Math.round(Number.parseFloat(share?.match(/[\d.]+/)?.[0] ?? '')))).toEqual([
      17, 14,
    ])
    await expect.poll(() => bar.count()).toBe(1)
    await drive('NIGHT', '11:00', '11:45')
    await page
      .getByRole('img', { name: '2 of 12 units driven, 2 planned · Theory: 4 of 28 units, 0 planned' })
      .waitFor()
  })
})

describe('the open requirements in the lesson form', () => {
  it('can be chosen by keyboard, which sets the lesson type and the duration', async () => {
    await drive('RURAL', '08:00', '11:45')
    await at(`/?date=${MONDAY}`)
    await page.locator('[data-lesson]').waitFor()
    await page.keyboard.press('n')
    await dialog().getByRole('combobox', { name: 'Student' }).fill('Lena')
    await page.getByRole('option', { name: 'Lena Vogt' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const needed = dialog().getByRole('group', { name: 'Still needed:' })
    await needed.getByRole('button', { name: `4 units of ${MOTORWAY}` }).waitFor()
    await needed.getByRole('button', { name: `3 units of ${NIGHT}` }).focus()
    await page.keyboard.press('Enter')
    await needed.getByRole('button', { name: NIGHT, pressed: true }).waitFor()
    await expect.poll(() => dialog().getByRole('combobox', { name: 'Type' }).inputValue()).toBe(NIGHT)
    await expect.poll(() => dialog().getByLabel('Duration').inputValue()).toBe('45 min')
    await expect.poll(() => needed.getByRole('button', { name: RURAL }).count()).toBe(0)
    await needed.getByRole('button', { name: '2 more' }).focus()
    await page.keyboard.press('Enter')
    await needed.getByRole('button', { name: '24 units of Theorieunterricht Grundstoff' }).waitFor()
  })

  it('are shown in German, in singular and plural, and as a block if only that is missing', async () => {
    for (const [start, end] of [
      ['08:00', '08:45'],
      ['09:00', '09:45'],
      ['10:00', '10:45'],
      ['11:00', '11:45'],
      ['12:00', '12:45'],
    ] as const)
      await drive('RURAL', start, end, { status: 'completed' })
    await drive('MOTORWAY', '13:00', '15:15')
    await at(`/students?student=${student}`, { locale: 'de-DE' })
    await dialog().getByRole('button', { name: 'Fahrstunde buchen' }).click()
    const needed = dialog().getByRole('group', { name: 'Noch nötig:' })
    await needed.getByRole('button', { name: `2 Einheiten ${RURAL} am Stück` }).waitFor()
    await needed.getByRole('button', { name: `1 Einheit ${MOTORWAY}`, exact: true }).waitFor()
  })

  it('are hidden for a student without requirements, and are not loaded when a lesson is edited', async () => {
    await school.student({ first_name: 'Emre', last_name: 'Kaya' })
    const { id } = await drive('RURAL', '08:00', '09:30')
    await at(`/?date=${MONDAY}&lesson=${id}`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await dialog().getByRole('button', { name: 'Edit' }).click()
    const student = dialog().getByRole('combobox', { name: 'Student' })
    await student.fill('Emre')
    await page.getByRole('option', { name: 'Emre Kaya' }).click()
    await dialog().getByText('Possible', { exact: true }).waitFor()
    expect(asked.filter((url) => url.includes('student_id='))).toEqual([])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Book lesson' }).click()
    await student.fill('Emre')
    await page.getByRole('option', { name: 'Emre Kaya' }).click()
    await student.fill('Lena')
    await page.getByRole('option', { name: 'Lena Vogt' }).click()
    await dialog().getByRole('group', { name: 'Still needed:' }).waitFor()
    await student.fill('Emre')
    await page.getByRole('option', { name: 'Emre Kaya' }).click()
    await dialog().getByRole('group', { name: 'Still needed:' }).waitFor({ state: 'detached' })
  })
})

describe('the impact of a change to an instructor', () => {
  const lessonAt = (when: RegExp) => dialog().getByRole('listitem').filter({ hasText: when })
  const affected = () => dialog().getByRole('listitem').filter({ hasText: 'Brandt' })

  it('lists every upcoming lesson that no longer fits, with actions to move, cancel, keep or open it', async () => {
    await drive('PRACTICE', '08:00', '09:30')
    const cancelled = await drive('PRACTICE', '08:00', '09:30', {
      start_at: '2030-06-03 08:00',
      end_at: '2030-06-03 09:30',
    })
    const moved = await drive('PRACTICE', '08:00', '09:30', {
      start_at: '2031-06-02 08:00',
      end_at: '2031-06-02 09:30',
    })
    await at(`/instructors?instructor=${instructor}`)
    await dialog().getByRole('switch', { name: 'Active: can be booked' }).click()
    await dialog().getByText('3 upcoming lessons would no longer fit').waitFor()
    await expect.poll(() => affected().count()).toBe(3)
    await lessonAt(/2 Mar/).getByRole('button', { name: /^Keep/ }).click()
    await dialog().getByText('1 will stay.').waitFor()
    const link = lessonAt(/2 Mar/).getByRole('link', { name: /^Open/ })
    await expect.poll(() => link.getAttribute('href')).toMatch(/^\/\?date=2099-03-02&lesson=/)
    await lessonAt(/3 Jun/)
      .getByRole('button', { name: /^Cancel lesson/ })
      .click()
    await dialog().getByText('2 upcoming lessons would no longer fit').waitFor()
    expect((await school.client.get(`/appointments/${cancelled.id}`)).body.status).toBe('cancelled')
    const other = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
    await lessonAt(/2 Jun/).getByRole('button', { name: /^Move/ }).click()
    const editing = page.getByRole('dialog', { name: 'Edit lesson' })
    await editing.getByRole('combobox', { name: 'Instructor' }).click()
    await page.getByRole('option', { name: 'Mira Seidel' }).click()
    await editing.getByRole('button', { name: 'Save' }).click()
    await editing.waitFor({ state: 'detached' })
    await dialog().getByText('1 upcoming lesson would no longer fit').waitFor()
    expect((await school.client.get(`/appointments/${moved.id}`)).body.instructor_id).toBe(other.id)
    // None of these steps has saved the instructor.
    expect((await school.client.get(`/instructors/${instructor}`)).body.active).toBe(true)
  })

  it('is not requested for a change that no rule depends on', async () => {
    await drive('PRACTICE', '08:00', '09:30')
    await at(`/instructors?instructor=${instructor}`)
    const asked: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/impact')) asked.push(request.url())
    })
    await dialog().getByLabel('Phone', { exact: true }).fill('112')
    await dialog().getByText('Your changes').waitFor()
    await dialog().getByRole('switch', { name: 'Active: can be booked' }).click()
    await dialog().getByText('1 upcoming lesson would no longer fit').waitFor()
    expect(asked).toHaveLength(1)
    await dialog().getByRole('switch', { name: 'Active: can be booked' }).click()
    await dialog().getByText('1 upcoming lesson would no longer fit').waitFor({ state: 'detached' })
  })
})
