import { beforeEach, describe, expect, it } from 'vitest'
import { openOwnDatabase, startService, useService } from '../support/app.ts'
import { type Client, must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { Recorder } from '../support/plans.ts'
import { aCachedLogin } from '../support/session.ts'
import { aDrive, digestFor, sign } from '../support/signing.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
let school: School
let instructor_id: string
let lena: Row
let drive: Row

beforeEach(async () => {
  service().setClock(new Date('2026-05-04T10:00:00Z'))
  school = await aSchool(service())
  instructor_id = (await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })).id
  lena = await school.student({ license_class_template_id: await templateOf(school, 'B') })
  drive = await aDrive(school, { instructor_id, student_id: lena.id })
})

async function instructing(own: string): Promise<Client> {
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: own })
  return (await enter(service(), { tenantId: school.tenantId, user })).client
}

async function dueOf(students: readonly Row[], client = school.client): Promise<Row[]> {
  const query = students.map(({ id }) => `student_id=${id}`).join('&')
  return must(200, await client.get(`/signatures/due?${query}`))
}

/** Holds a class at which a student was present. */
async function aClass(teacher: string, student: Row): Promise<Row> {
  const times = { start_at: '2026-05-02 18:00', end_at: '2026-05-02 19:30' }
  const type = { lesson_type_id: school.lessonTypes.THEORY_BASIC, seats: 5 }
  const attendees = [{ student_id: student.id, attended: true }]
  const booked = await school.lesson({
    instructor_id: teacher,
    student_id: null,
    attendees,
    ...times,
    ...type,
  })
  return must(200, await school.client.patch(`/appointments/${booked.id}`, { status: 'completed' }))
}

describe('GET /signatures/due', () => {
  it('has the text and the digest of each lesson and class that a student has not signed, the newest first', async () => {
    const group = await aClass(instructor_id, lena)
    const [due, ...others] = await dueOf([lena, await school.student()])
    expect(others).toEqual([])
    expect(due).toEqual({
      student_id: lena.id,
      lessons: [
        {
          ...{ appointment_id: drive.id, student_id: lena.id, enrolment_id: drive.enrolment_id },
          ...{ date: '2026-05-04', start_time: '08:00', minutes: 90, topic: null },
          ...{ lesson_type_id: drive.lesson_type_id, instructor_id, instructor: 'Jonas Brandt' },
          digest: await digestFor(drive),
        },
        expect.objectContaining({ appointment_id: group.id, digest: await digestFor(group, lena.id) }),
      ],
      records: [],
    })
  })

  it('has a lesson until it is signed, and again after a change', async () => {
    must(201, await sign(school, drive))
    expect(await dueOf([lena])).toEqual([])
    const changed = must(
      200,
      await school.client.patch(`/appointments/${drive.id}`, { end_at: '2026-05-04 09:15' }),
    )
    expect(await dueOf([lena])).toMatchObject([{ lessons: [{ digest: await digestFor(changed) }] }])
  })

  it('has the record of a training that has ended, if the school demands the signature', async () => {
    must(201, await sign(school, drive))
    const [{ id }] = must(200, await school.client.get(`/students/${lena.id}/enrolments`))
    const ended = { begins_on: '2026-05-01', practice_ended_on: '2026-05-04' }
    must(200, await school.client.patch(`/enrolments/${id}`, ended))
    const { digest } = must(200, await school.client.get(`/enrolments/${id}/record`))
    const record = { enrolment_id: id, license_class: 'B', lesson_count: 1, digest }
    expect(await dueOf([lena])).toEqual([{ student_id: lena.id, lessons: [], records: [record] }])
    const demanding = async (signatures: readonly string[]) =>
      must(200, await school.client.patch('/tenant', { record: { signatures, content: 'note' } }))
    await demanding(['school'])
    expect(await dueOf([lena])).toEqual([])
    await demanding(['student'])
    const given = { as: 'student', digest, name: 'Lena Vogt', strokes: null }
    must(201, await school.client.post(`/enrolments/${id}/signatures`, given))
    expect(await dueOf([lena])).toEqual([])
  })

  it('has at most twenty lessons of the last ninety days', async () => {
    for (const day of Array.from({ length: 21 }, (_, at) => String(at + 1).padStart(2, '0')))
      await aDrive(
        school,
        { instructor_id, student_id: lena.id },
        { start_at: `2026-04-${day} 12:00`, end_at: `2026-04-${day} 12:45` },
      )
    const first = { start_at: '2026-02-03 08:00', end_at: '2026-02-03 08:45' }
    const early = { start_at: '2026-02-02 08:00', end_at: '2026-02-02 08:45' }
    const tom = await school.student()
    for (const times of [first, early]) await aDrive(school, { instructor_id, student_id: tom.id }, times)
    const [ofLena, ofTom] = await dueOf([lena, tom])
    const days = (due: Row | undefined) => ((due?.lessons ?? []) as Row[]).map(({ date }) => date)
    expect(days(ofLena)).toHaveLength(20)
    expect([days(ofLena)[0], days(ofLena)[19]]).toEqual(['2026-05-04', '2026-04-03'])
    expect(days(ofTom)).toEqual(['2026-02-03'])
  })

  it('rejects no students and more than a hundred', async () => {
    const asked = async (query: string) => {
      const { status, body } = await school.client.get(`/signatures/due${query}`)
      return [status, (body.errors as Row[]).map(({ pointer, code }) => `${pointer} ${code}`)]
    }
    expect(await asked('')).toEqual([400, ['?student_id required']])
    expect(await asked('?student_id=1')).toMatchObject([400, [expect.stringContaining('?student_id')]])
    const many = `?${Array.from({ length: 101 }, () => `student_id=${lena.id}`).join('&')}`
    expect(await asked(many)).toEqual([400, expect.arrayContaining(['?student_id too_many'])])
  })

  it('leaves out the students of another school (S53)', async () => {
    const other = await aSchool(service())
    expect(await dueOf([lena], other.client)).toEqual([])
    expect(await dueOf([lena])).toHaveLength(1)
  })
})

describe('an instructor', () => {
  it('reads and takes signatures of own students, also for the classes of others', async () => {
    const other = (await school.instructor()).id
    const group = await aClass(other, lena)
    const client = await instructing(instructor_id)
    expect(await dueOf([lena], client)).toMatchObject([
      { lessons: [{ appointment_id: drive.id }, { appointment_id: group.id }] },
    ])
    const digest = await digestFor(group, lena.id)
    must(201, await sign({ client }, group, { digest, student_id: lena.id }))
    const asInstructor = await sign({ client }, group, { digest, student_id: lena.id, as: 'instructor' })
    expect(asInstructor).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await dueOf([lena], client)).toMatchObject([{ lessons: [{ appointment_id: drive.id }] }])
  })

  it('reads and takes no signatures of students whom they do not see', async () => {
    const client = await instructing((await school.instructor()).id)
    expect(await dueOf([lena], client)).toEqual([])
    expect(await sign({ client }, drive)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const group = await aClass(instructor_id, lena)
    const digest = await digestFor(group, lena.id)
    expect(await sign({ client }, group, { digest, student_id: lena.id })).toMatchObject({ status: 404 })
    expect(await sign({ client }, group, { digest })).toMatchObject({ status: 404 })
  })
})

it('everything due of thirty students takes four statements', async () => {
  const db = await openOwnDatabase()
  const recorder = new Recorder(db.pool)
  const recorded = await startService(db)
  try {
    recorded.setClock(new Date('2026-05-04T10:00:00Z'))
    const many = await aSchool(recorded)
    const { id } = await many.instructor({ max_daily_units: 96, max_weekly_units: 672 })
    const students = await Promise.all(Array.from({ length: 30 }, () => many.student()))
    for (const [at, { id: student_id }] of students.entries()) {
      const day = `2026-04-${String(at + 1).padStart(2, '0')}`
      const times = { start_at: `${day} 08:00`, end_at: `${day} 08:45` }
      await aDrive(many, { instructor_id: id, student_id }, times)
    }
    const client = await aCachedLogin(recorded, many)
    recorder.takeAll()
    expect(await dueOf(students, client)).toHaveLength(30)
    expect(recorder.takeAll().map(({ text }) => /from (\w+|"\w+")/.exec(text)?.[1])).toEqual([
      'students',
      '"signatures"',
      '"instructors"',
      '"enrolments"',
    ])
  } finally {
    await recorded.close()
    await db.destroy()
  }
})
