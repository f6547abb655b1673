import { afterAll, beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aDrive } from '../support/signing.ts'
import { StudentBrowser } from '../support/student-browser.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const BIRTH = '2008-04-12'
let school: School
let student: Row
let lesson: Row
let browser: StudentBrowser

beforeEach(async () => {
  service().setClock(new Date('2026-05-05T10:00:00Z'))
  school = await aSchool(service())
  const license_class_template_id = await templateOf(school, 'B')
  const name = { first_name: 'Lena', last_name: 'Vogt' }
  student = await school.student({ ...name, birth_date: BIRTH, license_class_template_id })
  lesson = await aDrive(school, { instructor_id: (await school.instructor()).id, student_id: student.id })
  await allow({ sign: true })
  browser = await StudentBrowser.open(service(), school, student)
})
afterAll(() => service().setClock(undefined))

const allow = async (student_actions: object) =>
  must(200, await school.client.patch('/tenant', { student_actions }))
const prove = async () =>
  expect(
    (
      await browser.pressSignatures([
        ['act', 'prove'],
        ['birth_date', BIRTH],
      ])
    ).status,
  ).toBe(303)
const itemsIn = ({ text }: Answer): readonly (readonly [string, string])[] =>
  [...text.matchAll(/name="item" value="([^"]+)"/g)].map(([, value = '']) => ['item', value] as const)
const signed = async (path: string): Promise<Row[]> =>
  must(200, await school.client.get(`${path}/signatures`))

async function sign(page: Answer, name = 'Lena Vogt'): Promise<Answer> {
  return browser.pressSignatures([['act', 'sign'], ['name', name], ...itemsIn(page)])
}

it('a student signs lessons and the record at once, with the typed name', async () => {
  const second = await aDrive(
    school,
    { instructor_id: String(lesson.instructor_id), student_id: student.id },
    { start_at: '2026-05-03 08:00', end_at: '2026-05-03 09:30' },
  )
  const [{ id: enrolment }] = must(200, await school.client.get(`/students/${student.id}/enrolments`))
  const ended = { begins_on: '2026-05-01', practice_ended_on: '2026-05-04' }
  must(200, await school.client.patch(`/enrolments/${enrolment}`, ended))
  expect((await browser.list()).text).toContain('/signatures?lang=de')
  await prove()
  const page = await browser.lookAtSignatures()
  expect(page.text).toContain('Ausbildungsnachweis, Klasse B')
  expect(page.text).toContain('value="Lena Vogt"')
  expect(itemsIn(page)).toHaveLength(3)
  expect((await sign(page)).status).toBe(303)
  for (const path of [`/appointments/${lesson.id}`, `/appointments/${second.id}`, `/enrolments/${enrolment}`])
    expect(await signed(path)).toMatchObject([
      { as: 'student', name: 'Lena Vogt', by: { kind: 'student', id: student.id }, state: 'valid' },
    ])
  const after = await browser.lookAtSignatures()
  expect(itemsIn(after)).toEqual([])
  expect(after.text).toContain('Im Moment gibt es nichts zu unterschreiben.')
})

it('a lesson that has changed since the page was shown is not signed, and is shown anew', async () => {
  await prove()
  const page = await browser.lookAtSignatures()
  must(200, await school.client.patch(`/appointments/${lesson.id}`, { end_at: '2026-05-04 09:15' }))
  const refused = await sign(page)
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Inzwischen hat sich etwas geändert.')
  expect(await signed(`/appointments/${lesson.id}`)).toEqual([])
  expect((await sign(refused)).status).toBe(303)
  expect(await signed(`/appointments/${lesson.id}`)).toMatchObject([{ state: 'valid' }])
})

it('nobody signs without a verification, where the school allows none, or another student’s lesson', async () => {
  const unproved = await browser.lookAtSignatures()
  expect(itemsIn(unproved)).toEqual([])
  expect((await sign(unproved)).status).toBe(403)
  await prove()
  const page = await browser.lookAtSignatures()
  const other = await aDrive(
    school,
    { instructor_id: String(lesson.instructor_id), student_id: (await school.student()).id },
    { start_at: '2026-05-03 08:00', end_at: '2026-05-03 09:30' },
  )
  const digest = itemsIn(page)[0]?.[1].split(' ')[1]
  await browser.pressSignatures([
    ['act', 'sign'],
    ['name', 'Lena'],
    ['item', `${other.id} ${digest}`],
  ])
  expect(await signed(`/appointments/${other.id}`)).toEqual([])
  expect((await sign(page, ' ')).status).toBe(400)
  for (const closed of [{ sign: false }, { sign: true, proof: 'none' }]) {
    await allow(closed)
    expect((await browser.lookAtSignatures()).status).toBe(404)
    expect((await sign(page)).status).toBe(404)
    expect((await browser.list()).text).not.toContain('/signatures')
  }
  expect(await signed(`/appointments/${lesson.id}`)).toEqual([])
})
