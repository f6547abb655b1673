import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { sign } from '../support/signing.ts'

const service = useService()
let school: School
let instructor: Row
let student: Row
let templates: Readonly<Record<string, string>>

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  student = await school.student()
  const all = must(200, await school.client.get('/license-class-templates')) as Row[]
  templates = Object.fromEntries(all.map(({ code, id }) => [code, id]))
})

const path = () => `/students/${student.id}`
const get = async (address: string) => must(200, await school.client.get(address)) as Row[]
const lessonOn = (day: string) =>
  school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: `${day} 08:00`,
    end_at: `${day} 09:30`,
  })
async function drivenOn(day: string): Promise<Row> {
  const { id } = await lessonOn(day)
  return must(200, await school.client.patch(`/appointments/${id}`, { status: 'completed' }))
}
const balance = () => [
  { lesson_type_id: school.lessonTypes.RURAL, units: 2, date: '2026-01-31', source: 'Elsewhere' },
]
const withBalance = async () => must(200, await school.client.put(`${path()}/opening-balance`, balance()))

/** Gives the student a class. Returns the set. */
async function choose(code: string): Promise<string> {
  const answer = await school.client.patch(path(), { license_class_template_id: templates[code] })
  must(200, answer)
  return String(answer.headers.get('x-request-id'))
}

async function begin(code: string): Promise<string> {
  const answer = await school.client.post(`${path()}/enrolments`, { template_id: templates[code] })
  must(201, answer)
  return String(answer.headers.get('x-request-id'))
}

/** Returns the student, the trainings, lessons and units as others see them. */
async function state() {
  const plain = (rows: readonly Row[]) => rows.map(({ version: _, updated_at: __, ...row }) => row)
  const { version: _, updated_at: __, ...row } = (await get(path())) as unknown as Row
  return {
    row,
    enrolments: plain(await get(`${path()}/enrolments`)),
    lessons: plain(await get(`/appointments?student_id=${student.id}`)),
    balance: await get(`${path()}/opening-balance`),
  }
}

async function undo(set: string): Promise<Row> {
  const answer = must(200, await school.client.post(`/changes/sets/${set}/undo`)) as Row
  expect(await findingsInSchool(service().db, school.tenantId)).toEqual([])
  return answer
}

const codesOf = ({ refused }: Row) => new Set((refused as Row[]).map(({ code }) => code))

describe('the undo of a class', () => {
  it.each([
    ['chosen', choose],
    ['begun', begin],
  ])('that was %s takes back the lessons and units it had received, and can be redone', async (_, give) => {
    await drivenOn('2026-05-04')
    await lessonOn('2099-05-04')
    await withBalance()
    const before = await state()
    const set = await give('B')
    const after = await state()
    const undone = await undo(set)
    expect(undone.refused).toEqual([])
    expect(await state()).toEqual(before)
    expect((await undo(String(undone.set_id))).refused).toEqual([])
    expect(await state()).toEqual(after)
  })

  it.each([
    [
      'a paper was added',
      (id: string) => school.client.put(`/enrolments/${id}/ticks/contract`, { date: '2026-05-04' }),
    ],
    ['a note was written', (id: string) => school.client.patch(`/enrolments/${id}`, { note: 'hello' })],
    ['units were entered', () => school.client.put(`${path()}/opening-balance`, balance())],
  ])('keeps the training, the class and the lessons after %s', async (_, write) => {
    await choose('B')
    await drivenOn('2026-05-04')
    await lessonOn('2099-05-04')
    const set = await choose('A')
    const [current] = (await get(`${path()}/enrolments`)).filter(({ is_current }) => is_current)
    must(200, await write(String(current?.id)))
    const before = await state()
    const answer = await undo(set)
    expect([answer.undone, codesOf(answer).size]).toEqual([[], 1])
    expect(await state()).toEqual(before)
  })

  it('keeps a training after one of its lessons was signed', async () => {
    const drive = await drivenOn('2026-05-04')
    const set = await choose('B')
    const [stored] = await get(`/appointments?student_id=${student.id}`)
    must(201, await sign(school, { ...drive, ...stored }))
    const before = await state()
    const answer = await undo(set)
    expect([answer.undone, codesOf(answer)]).toEqual([[], new Set(['in_use'])])
    expect(await state()).toEqual(before)
  })

  it('keeps a training in which a lesson was given later', async () => {
    const set = await choose('B')
    await drivenOn('2026-05-04')
    const before = await state()
    const answer = await undo(set)
    expect([answer.undone, codesOf(answer)]).toEqual([[], new Set(['in_use'])])
    expect(await state()).toEqual(before)
  })
})
