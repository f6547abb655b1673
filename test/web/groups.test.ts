import { expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)

it('the card of a class adds and removes students and records attendance', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const lena = await school.student()
  const theory = { instructor_id, lesson_type_id: school.lessonTypes.THEORY_BASIC, seats: 12 }
  const coming = { start_at: '2099-03-02 18:00', end_at: '2099-03-02 19:30' }
  const { id } = await school.lesson({ ...theory, ...coming })
  const had = { start_at: '2020-03-02 18:00', end_at: '2020-03-02 19:30' }
  const attendees = [{ student_id: lena.id }]
  const past = await school.lesson({ ...theory, attendees, ...had })
  const stored = async (one: string): Promise<Appointment['attendees']> =>
    (await school.client.get(`/appointments/${one}`)).body.attendees
  const page = await open('/?date=2099-03-02', { as: school })
  await page.locator(`[data-lesson="${id}"]`).click()
  const group = page.getByRole('region', { name: 'Attendees' })
  await group.getByText('0 of 12 seats taken').waitFor()
  await group.getByRole('combobox', { name: 'Attendees' }).fill('Lena')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
  await group.getByText('1 of 12 seats taken').waitFor()
  await expect.poll(() => stored(id)).toEqual([{ student_id: lena.id, attended: null, enrolment_id: null }])
  await page.locator(`[data-lesson="${id}"]`).getByText('1/12').waitFor()
  await group.getByRole('button', { name: 'Remove Lena Vogt' }).click()
  await expect.poll(() => stored(id)).toEqual([])
  const later = await open('/?date=2020-03-02', { as: school })
  await later.locator(`[data-lesson="${past.id}"]`).click()
  const attendance = later.getByRole('region', { name: 'Attendees' })
  await attendance.getByRole('button', { name: 'Lena Vogt', exact: true }).click()
  await expect
    .poll(() => stored(past.id))
    .toEqual([{ student_id: lena.id, attended: true, enrolment_id: null }])
  const [also, below] = [
    await boxOf(attendance.getByRole('combobox')),
    await boxOf(
      later
        .getByRole('button', { name: 'Reinstate' })
        .or(later.getByRole('button', { name: 'Cancel lesson' }))
        .first(),
    ),
  ]
  expect(below.y - also.y - also.height).toBeGreaterThanOrEqual(8)
})

it('a class is booked with attendees and topic, and the form names a student who is busy', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const { id: other } = await school.instructor({ first_name: 'Ute', last_name: 'Kern' })
  const lena = await school.student()
  const mia = await school.student({ first_name: 'Mia', last_name: 'Lang' })
  const driving = { start_at: '2099-03-02 07:30', end_at: '2099-03-02 08:15' }
  const drive = await school.lesson({ instructor_id: other, student_id: mia.id, ...driving })
  const page = await open('/?date=2099-03-02', { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).first().click()
  const form = page.getByRole('dialog')
  const pick = async (field: string, typed: string, name: RegExp) => {
    await form.getByRole('combobox', { name: field }).fill(typed)
    await page.getByRole('option', { name }).click()
  }
  await pick('Type', 'Grundstoff', /Grundstoff/)
  await pick('Instructor', 'Jonas', /Jonas/)
  await form.getByLabel('Topic').selectOption('Thema 3')
  await pick('Attendees', 'Lena', /Lena Vogt/)
  await pick('Attendees', 'Mia', /Mia Lang/)
  await form.getByText('Mia Lang already has a lesson 07:30–08:15 with Ute Kern.').waitFor()
  await school.client.delete(`/appointments/${drive.id}`)
  await form.getByRole('button', { name: 'Remove Mia Lang' }).click()
  await form.getByRole('button', { name: 'Book', exact: true }).click()
  const booked = async () => (await school.client.get(`/appointments?instructor_id=${instructor_id}`)).body
  await expect
    .poll(booked)
    .toMatchObject([
      { topic: 'Thema 3', student_id: null, attendees: [{ student_id: lena.id, attended: null }] },
    ])
})

it('twelve students who lack the topic are booked into a class with three clicks and a topic of the plan', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const license_class_template_id = await templateOf(school, 'B')
  const names = Array.from({ length: 12 }, (_, index) => `Nr ${String(index + 10)}`)
  for (const last_name of names) await school.student({ last_name, license_class_template_id })
  const had = await school.student({ last_name: 'Had', license_class_template_id })
  const without = await school.student({ last_name: 'Without' })
  const lesson_type_id = school.lessonTypes.THEORY_BASIC
  const past = { start_at: '2020-03-02 18:00', end_at: '2020-03-02 19:30', topic: 'Thema 3' }
  const attendees = [{ student_id: had.id, attended: true }]
  await school.lesson({ instructor_id, lesson_type_id, attendees, status: 'completed', ...past })
  const page = await open('/?date=2099-03-02', { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Student' }).waitFor()
  await form.getByRole('combobox', { name: 'Type' }).fill('Grundstoff')
  await page.getByRole('option', { name: /Grundstoff/ }).click()
  await form.getByRole('combobox', { name: 'Student' }).waitFor({ state: 'detached' })
  await form.getByText('13 students lack a topic of this theory').waitFor()
  await form.getByLabel('Topic').selectOption('Thema 3')
  await form.getByText('12 students lack Thema 3').waitFor()
  expect(await form.getByRole('checkbox', { name: /Had|Without/ }).count()).toBe(0)
  await form.getByRole('button', { name: 'Tick the next 12' }).click()
  await form.getByRole('checkbox', { name: 'Lena Nr 12' }).click()
  await form.getByRole('button', { name: 'Remove Lena Nr 12' }).waitFor({ state: 'detached' })
  await form.getByRole('combobox', { name: 'Instructor' }).fill('Jonas')
  await page.getByRole('option', { name: /Jonas/ }).click()
  await form.getByRole('button', { name: 'Book', exact: true }).click()
  const booked = async () =>
    (await school.client.get(`/appointments?instructor_id=${instructor_id}&from=2099-01-01`)).body
  await expect.poll(booked).toMatchObject([{ topic: 'Thema 3', student_id: null }])
  const [{ attendees: taken }] = await booked()
  expect(taken).toHaveLength(11)
  expect(taken).not.toContainEqual(expect.objectContaining({ student_id: without.id }))
})

it('the day sheet lists the students of a class by name and ticks those who attended', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const mia = await school.student({ first_name: 'Mia', last_name: 'Lang' })
  const lena = await school.student()
  await school.lesson({
    instructor_id,
    lesson_type_id: school.lessonTypes.THEORY_BASIC,
    topic: 'Thema 3',
    attendees: [{ student_id: mia.id, attended: true }, { student_id: lena.id }],
    start_at: '2032-03-01 18:00',
    end_at: '2032-03-01 19:30',
  })
  const page = await open(`/day-sheet?day=2032-03-01&instructor=${instructor_id}`, { as: school })
  const listed = page.getByRole('list', { name: 'Attendees' }).getByRole('listitem')
  await expect
    .poll(() => listed.allInnerTexts())
    .toEqual(['Lena Vogt', expect.stringMatching(/✓\s*Mia Lang/)])
  await page.getByText('Thema 3').waitFor()
})

it('a class can have fewer seats than its type, and repeating it keeps seats and students', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const lena = await school.student()
  const lesson = await school.lesson({
    instructor_id,
    lesson_type_id: school.lessonTypes.THEORY_BASIC,
    attendees: [{ student_id: lena.id }],
    topic: 'Thema 3',
    start_at: '2099-03-02 18:00',
    end_at: '2099-03-02 19:30',
  })
  const page = await open(`/?date=2099-03-02&lesson=${lesson.id}`, { as: school })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Seats').fill('21')
  await page.keyboard.press('Tab')
  await dialog.getByText('20 at most.').waitFor()
  await dialog.getByLabel('Seats').fill('8')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const stored = async (day: string) =>
    (await school.client.get(`/appointments?from=${day}&to=${day}`)).body as object[]
  await expect.poll(() => stored('2099-03-02')).toMatchObject([{ seats: 8, topic: 'Thema 3' }])
  await page.getByRole('button', { name: 'Same again next week' }).click()
  const again = { seats: 8, topic: 'Thema 3', attendees: [{ student_id: lena.id, attended: null }] }
  await expect.poll(() => stored('2099-03-09')).toMatchObject([again])
})
