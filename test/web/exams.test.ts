import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { aTrainer } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)

it('a failed exam is recorded on its card with the reason, and is done', async () => {
  const school = await aSchool(service())
  const trainer = await aTrainer(school)
  const student_id = await trainer.learner()
  const id = await trainer.drive(student_id, 'PRACTICAL_EXAM', 60, 'planned')
  const page = await open(`/?date=2026-01-01&lesson=${id}`, { as: school })
  const result = page.getByRole('dialog').getByRole('region', { name: 'Test result' })
  await result.getByRole('button', { name: 'Failed' }).dblclick()
  await result.getByLabel('Reason for failing').fill('Right of way')
  await result.getByRole('button', { name: 'Save' }).click()
  await result.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  const stored = async () => (await school.client.get(`/appointments/${id}`)).body
  const failed = { passed: false, note: 'Right of way' }
  await expect.poll(stored).toMatchObject({ exam_result: failed, status: 'completed' })
  await page.getByRole('button', { name: 'done', pressed: true }).waitFor()
  await result.getByRole('button', { name: 'Failed' }).click()
  await page.getByRole('button', { name: 'done', pressed: false }).waitFor()
  expect(await stored()).toMatchObject({ exam_result: null, status: 'planned' })
  await page.keyboard.press('Control+z')
  await expect.poll(stored).toMatchObject({ exam_result: failed, status: 'completed' })
  await page.goto(`${service().url}/students?student=${student_id}`)
  await page.getByText('next test from 15 January 2026').waitFor()
})

it('students who are ready for the exam are listed with the next free time, which can be booked', async () => {
  const school = await aSchool(service())
  const trainer = await aTrainer(school)
  const ready = await trainer.learner({ first_name: 'Rita', last_name: 'Reif' })
  await trainer.learner({ first_name: 'Nora', last_name: 'Neu' })
  const { requirements } = (await school.client.get(`/students/${ready}/progress`)).body
  const entries = requirements.map(({ lesson_type_id, required_units: units }: Row) => ({
    lesson_type_id,
    units,
    date: '2026-01-02',
    source: 'Elsewhere',
  }))
  await school.client.put(`/students/${ready}/opening-balance`, entries)
  const test = await trainer.drive(ready, 'THEORY_EXAM', 60)
  await school.client.patch(`/appointments/${test}`, { exam_result: { passed: true } })
  await school.client.patch(`/instructors/${trainer.instructor}`, { license_classes: ['B'] })
  const page = await open('/numbers', { as: school })
  const list = page.getByRole('region', { name: 'Ready for the practical test' })
  await list.getByRole('button', { name: 'Rita Reif: Book test' }).click()
  const form = page.getByRole('dialog')
  await expect.poll(() => form.getByLabel('Type').first().inputValue()).toBe('Praktische Prüfung')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.goto(`${service().url}/students`)
  await page.getByText('Nora Neu').waitFor()
  await page.getByRole('button', { name: 'Ready for the test' }).click()
  await page.getByText('Nora Neu').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Next slot: .* Jonas Brandt/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).click()
  const { PRACTICAL_EXAM } = school.lessonTypes
  const booked = async () => {
    const { body } = await school.client.get(`/appointments?student_id=${ready}`)
    return body.filter(({ lesson_type_id }: Row) => lesson_type_id === PRACTICAL_EXAM)
  }
  await expect.poll(booked).toMatchObject([{ instructor_id: trainer.instructor, status: 'planned' }])
  await page.getByRole('button', { name: /^Rita Reif/ }).click()
  await page.getByRole('dialog').getByText('Theory test passed').waitFor()
})

it('the form and the board warn of papers that an exam lacks on its day', async () => {
  const school = await aSchool(service())
  const trainer = await aTrainer(school)
  await school.client.patch(`/instructors/${trainer.instructor}`, { license_classes: ['B'] })
  await school.instructor({ first_name: 'Mira', last_name: 'Seidel', license_classes: ['B'] })
  const student_id = await trainer.learner()
  const [{ id: enrolment }] = (await school.client.get(`/students/${student_id}/enrolments`)).body
  await school.client.put(`/enrolments/${enrolment}/ticks/approval`, { date: '2026-01-02' })
  const { id } = await school.lesson({
    ...{ instructor_id: trainer.instructor, student_id, lesson_type_id: school.lessonTypes.PRACTICAL_EXAM },
    ...{ start_at: '2032-03-01 10:00', end_at: '2032-03-01 10:45' },
  })
  const page = await open('/?date=2032-03-01', { as: school })
  const missing = 'Missing or expired for this test: first aid course, theory test.'
  const expired = /^The approval for the test is only valid until .*2 January 2027/
  await page.locator(`[data-lesson="${id}"]`).focus()
  await page.keyboard.down('Alt')
  await page.keyboard.press('ArrowRight')
  await page.locator('[data-held]').getByText(missing).waitFor()
  await page.locator('[data-held]').getByText(expired).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.up('Alt')
  await page.goto(`${service().url}/?date=2032-03-01&lesson=${id}`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('textbox', { name: 'Start', exact: true }).fill('12:00')
  const amber = dialog.getByRole('status').filter({ hasText: missing })
  await amber.getByText(expired).waitFor()
})
