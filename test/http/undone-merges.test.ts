import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aDrive, sign } from '../support/signing.ts'

const service = useService()
let school: School
let instructor: Row
let templates: Readonly<Record<string, string>>
let self: Row
let other: Row

const at = (day: string, from = '08:00', to = '09:30') => ({
  start_at: `${day} ${from}`,
  end_at: `${day} ${to}`,
})

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  const all = must(200, await school.client.get('/license-class-templates')) as Row[]
  templates = Object.fromEntries(all.map(({ code, id }) => [code, id]))
  self = await school.student()
  other = await school.student()
})

async function get(path: string): Promise<Row[]> {
  return must(200, await school.client.get(path)) as Row[]
}

async function merge(body: object = {}): Promise<void> {
  must(200, await school.client.post(`/students/${self.id}/merge`, { other_id: other.id, ...body }))
}

/** Undoes the student's last set, a merge or its undo. */
async function turnLast(): Promise<Row> {
  const [last] = await get(`/students/${self.id}/history`)
  return must(200, await school.client.post(`/changes/sets/${last?.set_id}/undo`)) as Row
}

async function turned(): Promise<void> {
  expect((await turnLast()).refused).toEqual([])
  expect(await findingsInSchool(service().db, school.tenantId)).toEqual([])
}

async function refusedWith(code: string): Promise<void> {
  const { undone, refused } = await turnLast()
  expect([undone, new Set((refused as Row[]).map((one: Row) => one.code))]).toEqual([[], new Set([code])])
  expect(await findingsInSchool(service().db, school.tenantId)).toEqual([])
}

const lesson = (student: Row, times: object, fields: object = {}) =>
  school.lesson({ instructor_id: instructor.id, student_id: student.id, ...times, ...fields })
const group = (students: readonly Row[], times: object) =>
  school.client.post('/appointments', {
    ...times,
    instructor_id: instructor.id,
    lesson_type_id: school.lessonTypes.THEORY_BASIC,
    attendees: students.map((one) => ({ student_id: one.id })),
  })
const enrol = (student: Row, code: string, fields: object = {}) =>
  school.client.post(`/students/${student.id}/enrolments`, { template_id: templates[code], ...fields })
const withClass = async (student: Row, code: string) =>
  must(
    200,
    await school.client.patch(`/students/${student.id}`, { license_class_template_id: templates[code] }),
  )
const balance = () => [
  { lesson_type_id: school.lessonTypes.RURAL, units: 3, date: '2026-01-31', source: 'Elsewhere' },
]
const unitsOf = async (student: Row) =>
  (await get(`/students/${student.id}/opening-balance`)).map(({ units }) => units)

describe('the redo of a merge', () => {
  it.each([
    ['group', (student: Row, times: object) => group([student], times)],
    ['lesson', (student: Row, times: object) => lesson(student, times)],
  ])('is refused if a later lesson of the student overlaps a %s of the double', async (_, book) => {
    await book(other, at('2099-03-03'))
    await merge()
    await turned()
    const colleague = await school.instructor()
    await lesson(self, at('2099-03-03', '09:00', '10:00'), { instructor_id: colleague.id })
    await refusedWith('student_busy')
  })

  it('is refused if the double has signed in the meantime', async () => {
    const drive = await aDrive(school, { instructor_id: instructor.id, student_id: other.id })
    await merge()
    await turned()
    const [stored] = await get(`/appointments?student_id=${other.id}`)
    must(201, await sign(school, { ...drive, ...stored }))
    await refusedWith('student_signed')
  })

  it('is refused if the student has begun a training of the same class', async () => {
    await withClass(self, 'B')
    await withClass(other, 'A')
    await merge()
    await turned()
    must(201, await enrol(self, 'A', { is_current: false }))
    await refusedWith('changed_since')
  })
})

describe('the undo of a merge', () => {
  it('is refused if a moved lesson has been signed', async () => {
    const drive = await aDrive(school, { instructor_id: instructor.id, student_id: other.id })
    await merge()
    const [stored] = await get(`/appointments?student_id=${self.id}`)
    must(201, await sign(school, { ...drive, ...stored }))
    await refusedWith('student_signed')
  })

  it('gives back the class that was taken from the double', async () => {
    await withClass(self, 'B')
    await withClass(other, 'A')
    await merge({ take: { license_class_template_id: 'other' } })
    for (const round of [1, 2]) {
      await turned()
      const classes = await Promise.all(
        [self, other].map(async ({ id }) => (await school.client.get(`/students/${id}`)).body),
      )
      const [own, theirs] = classes.map((one) => one.license_class_template_id)
      expect([round, own, theirs]).toEqual([round, templates.B, templates.A])
      await turned()
    }
  })

  it('restores units that waited for a training of the double', async () => {
    must(200, await school.client.put(`/students/${other.id}/opening-balance`, balance()))
    await merge()
    expect(await unitsOf(self)).toEqual([3])
    await turned()
    expect([await unitsOf(self), await unitsOf(other)]).toEqual([[], [3]])
    await turned()
    expect(await unitsOf(self)).toEqual([3])
  })

  it('restores units that went to the training of the student', async () => {
    await withClass(self, 'B')
    must(200, await school.client.put(`/students/${other.id}/opening-balance`, balance()))
    await merge()
    await turned()
    expect([await unitsOf(self), await unitsOf(other)]).toEqual([[], [3]])
  })

  it('ends a hold that only the double had', async () => {
    must(200, await school.client.put(`/students/${other.id}/hold`, { reason: 'Fee', until: '2090-06-30' }))
    await merge()
    await turned()
    const holds = await Promise.all([self, other].map(({ id }) => school.client.get(`/students/${id}/hold`)))
    expect(holds.map(({ status }) => status)).toEqual([404, 200])
  })

  it('restores both seats in a cancelled group, and its redo leaves one', async () => {
    const { id } = must(201, await group([self, other], at('2099-03-03')))
    must(200, await school.client.post(`/appointments/${id}/cancel`, { by: 'school' }))
    await merge()
    const seated = async () =>
      must(200, await school.client.get(`/appointments/${id}`)).attendees.map((one: Row) => one.student_id)
    await turnLast()
    expect(await seated()).toEqual([self.id, other.id])
    await turnLast()
    expect(await seated()).toEqual([self.id])
  })
})
