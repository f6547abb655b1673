import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { aTrainer } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)

it('a failed exam is recorded on its card with the reason', { tags: 'promise' }, async () => {
  const school = await aSchool(service())
  const trainer = await aTrainer(school)
  const student_id = await trainer.learner()
  const id = await trainer.drive(student_id, 'PRACTICAL_EXAM', 60)
  const page = await open(`/?date=2026-01-01&lesson=${id}`, { as: school })
  const result = page.getByRole('dialog').getByRole('region', { name: 'Exam result' })
  await result.getByRole('button', { name: 'Failed' }).dblclick()
  await result.getByLabel('Reason for failing').fill('Right of way')
  await result.getByRole('button', { name: 'Save' }).click()
  await result.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  const stored = async () => (await school.client.get(`/appointments/${id}`)).body.exam_result
  await expect.poll(stored).toEqual({ passed: false, note: 'Right of way' })
  await page.goto(`${service().url}/students?student=${student_id}`)
  await page.getByText('next exam from 15 January 2026').waitFor()
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
  const page = await open('/students', { as: school })
  await page.getByText('Nora Neu').waitFor()
  await page.getByRole('button', { name: 'Only those ready' }).click()
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
