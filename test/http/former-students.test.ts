import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, enter, type Row, type School } from '../support/factory.ts'
import { StudentBrowser } from '../support/student-browser.ts'

const service = useService()
let school: School
let instructor: Row
let student: Row

const DAY = '2031-03-03'
/** Noon on the school's clock, which is one hour ahead of UTC. */
const NOW = new Date('2031-03-03T11:00:00Z')
const at = (from: string, to: string, day = DAY) => ({ start_at: `${day} ${from}`, end_at: `${day} ${to}` })

beforeEach(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
  instructor = await school.instructor()
  student = await school.student()
})

const patch = (body: object, { id }: Row = student) => school.client.patch(`/students/${id}`, body)
const putAway = async (one: Row = student) => must(200, await patch({ archived: true }, one))
const lesson = (fields: object) => ({ instructor_id: instructor.id, student_id: student.id, ...fields })
const ids = async (query: string) =>
  (must(200, await school.client.get(`/students${query}`)) as Row[]).map(({ id }) => id)

describe('putting a student away', () => {
  it('sets archived_at, again keeps it, and taking back clears it', async () => {
    expect(student.archived_at).toBeNull()
    expect(await putAway()).toMatchObject({ archived_at: '2031-03-03T11:00:00.000Z', version: 2 })
    service().setClock(new Date('2031-03-03T11:05:00Z'))
    expect(await putAway()).toMatchObject({ archived_at: '2031-03-03T11:00:00.000Z', version: 2 })
    expect(must(200, await patch({ archived: false }))).toMatchObject({ archived_at: null, version: 3 })
    expect(must(200, await patch({ archived: false }))).toMatchObject({ archived_at: null, version: 3 })
    const [back, away] = must(200, await school.client.get(`/students/${student.id}/history`)) as Row[]
    expect(back).toMatchObject({ before: { archived_at: NOW.toISOString() }, after: { archived_at: null } })
    expect(away).toMatchObject({ before: { archived_at: null }, after: { archived_at: NOW.toISOString() } })
  })

  it.each([
    [{ archived_at: '2031-03-03T11:00:00Z' }, '/archived_at', 'unknown_field'],
    [{ archived_at: null }, '/archived_at', 'unknown_field'],
    [{ archived: null }, '/archived', 'wrong_type'],
    [{ archived: 'yes' }, '/archived', 'wrong_type'],
    [{ archived: 1 }, '/archived', 'wrong_type'],
  ])('refuses %j', async (body, pointer, code) => {
    const answer = await patch(body)
    expect([answer.status, answer.body.errors[0]]).toMatchObject([400, { pointer, code }])
  })

  it('is no field of a new student', async () => {
    const answer = await school.client.post('/students', { first_name: 'A', last_name: 'B', archived: true })
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/archived'])
  })

  it('is 409 in_use with coming lessons and seats, with their number and the first', async () => {
    await school.lesson(lesson(at('12:30', '13:15')))
    const course = { seats: 2, student_id: null, attendees: [{ student_id: student.id }] }
    const theory = {
      ...lesson(at('14:00', '15:30')),
      ...course,
      lesson_type_id: school.lessonTypes.THEORY_BASIC,
    }
    must(201, await school.client.post('/appointments', theory))
    const { status, body } = await patch({ archived: true })
    expect([status, body.code, body.params]).toEqual([
      409,
      'in_use',
      { appointments: 2, start_at: '2031-03-03 12:30' },
    ])
    expect(body.detail).toContain('2')
  })

  it('is allowed with past, begun and cancelled lessons', async () => {
    await school.lesson(lesson(at('08:00', '08:45')))
    await school.lesson(lesson(at('12:00', '12:45')))
    const { id } = await school.lesson(lesson(at('16:00', '16:45')))
    must(200, await school.client.post(`/appointments/${id}/cancel`, { by: 'student' }))
    await putAway()
  })

  it('answers 412 to another version', async () => {
    const answer = await school.client.patch(
      `/students/${student.id}`,
      { archived: true },
      { 'if-match': '"7"' },
    )
    expect(answer.status).toBe(412)
  })

  it('of another school is 404', async () => {
    const other = await aSchool(service())
    expect((await other.client.patch(`/students/${student.id}`, { archived: true })).status).toBe(404)
  })
})

describe('a former student', () => {
  it('is listed by state', async () => {
    const other = await school.student({ first_name: 'Ben', last_name: 'Adler' })
    await putAway()
    expect(await ids('')).toEqual([other.id, student.id])
    expect(await ids('?state=all')).toEqual([other.id, student.id])
    expect(await ids('?state=current')).toEqual([other.id])
    expect(await ids('?state=former')).toEqual([student.id])
    for (const more of ['progress', 'readiness', 'enrolments', 'ticks', 'topics', 'progress,enrolments'])
      expect(await ids(`?state=current&with=${more}`), more).toEqual([other.id])
    const { status, body } = await school.client.get('/students?state=old')
    expect([status, body.errors[0].pointer]).toEqual([400, '?state'])
  })

  it('gets no lesson that begins later: 409 student_archived, in a group too', async () => {
    await putAway()
    const params = { student_id: student.id, archived_at: '2031-03-03 12:00' }
    const booked = await school.book(lesson(at('12:01', '12:46')))
    expect([booked.status, booked.body.code, booked.body.params]).toEqual([409, 'student_archived', params])
    expect((await school.book(lesson(at('12:00', '12:45')))).status).toBe(201)
    const other = await school.student()
    const attendees = [{ student_id: other.id }, { student_id: student.id }]
    const theory = { ...at('18:00', '19:30'), attendees, lesson_type_id: school.lessonTypes.THEORY_BASIC }
    const group = await school.client.post('/appointments', { ...theory, instructor_id: instructor.id })
    expect([group.body.code, group.body.params]).toEqual(['student_archived', params])
    const check = { ...lesson(at('14:00', '14:45')), lesson_type_id: school.lessonTypes.PRACTICE }
    const checked = must(200, await school.client.post('/appointments/check', check))
    expect(checked).toMatchObject({ allowed: false, refusals: [{ code: 'student_archived', params }] })
    expect(checked.alternatives).toEqual([])
    const free = must(200, await school.client.get(`/slots?minutes=45&student_id=${student.id}`))
    expect(free).toEqual([])
    await must(200, await patch({ archived: false }))
    expect((await school.book(lesson(at('13:00', '13:45')))).status).toBe(201)
  })

  it('keeps past lessons, which can be corrected but not moved to come', async () => {
    const { id } = await school.lesson(lesson(at('08:00', '08:45')))
    await putAway()
    must(200, await school.client.patch(`/appointments/${id}`, { status: 'completed', notes: 'Good.' }))
    must(200, await school.client.patch(`/appointments/${id}`, at('08:15', '09:00')))
    const moved = await school.client.patch(`/appointments/${id}`, at('15:00', '15:45'))
    expect([moved.status, moved.body.code]).toEqual([409, 'student_archived'])
  })

  it('keeps a cancelled lesson cancelled', async () => {
    const { id } = await school.lesson(lesson(at('16:00', '16:45')))
    must(200, await school.client.post(`/appointments/${id}/cancel`, { by: 'student' }))
    await putAway()
    const planned = await school.client.patch(`/appointments/${id}`, { status: 'planned' })
    expect([planned.status, planned.body.code]).toEqual([409, 'student_archived'])
  })

  it('is in no gap, offer or plan', async () => {
    const templates = must(200, await school.client.get('/license-class-templates')) as Row[]
    const license_class_template_id = templates.find(({ code }) => code === 'B')?.id
    must(200, await school.client.patch(`/instructors/${instructor.id}`, { license_classes: ['B'] }))
    must(200, await patch({ license_class_template_id }))
    must(201, await school.client.post(`/students/${student.id}/wishes`, { minutes: 90 }))
    const time = at('08:00', '09:30', '2031-03-10')
    const query = new URLSearchParams({ instructor_id: instructor.id, ...time })
    const candidates = async () => must(200, await school.client.get(`/gaps?${query}`))
    const plan = async () =>
      must(201, await school.client.post('/plans', { from: '2031-03-10', to: '2031-03-14' }))
    expect(await candidates()).toHaveLength(1)
    const drafted = await plan()
    expect(drafted.proposed).toHaveLength(1)
    await putAway()
    expect(await candidates()).toEqual([])
    expect(await plan()).toMatchObject({ proposed: [], left_out: [] })
    expect(must(200, await school.client.get(`/plans/${drafted.id}`)).proposed).toEqual([])
    const offer = {
      instructor_id: instructor.id,
      ...time,
      lesson_type_id: school.lessonTypes.PRACTICE,
      student_ids: [student.id],
      expires_at: '2031-03-09T12:00:00Z',
    }
    const { status, body } = await school.client.post('/offers', offer)
    expect([status, body.code]).toEqual([409, 'student_archived'])
  })

  it('keeps the page of past lessons, without links to book and wish', async () => {
    const allowed = { student_actions: { wish: true, proof: 'none' }, student_booking: { mode: 'book' } }
    must(200, await school.client.patch('/tenant', allowed))
    const browser = await StudentBrowser.open(service(), school, student)
    const acts = /\/(book|weeks|wishes)\?/g
    expect((await browser.list()).text.match(acts)).toHaveLength(3)
    await putAway()
    const page = await browser.list()
    expect([page.status, page.text.match(acts)]).toEqual([200, null])
    const answers = [
      await browser.lookAtBooking(),
      await browser.lookAtWeeks(),
      await browser.lookAtWishes(),
      await browser.searchToBook(school.lessonTypes.PRACTICE ?? ''),
      await browser.pressWish({ act: 'add' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  })

  it('is put away and taken back by undo, unless lessons came between', async () => {
    const setOf = async () =>
      (must(200, await school.client.get(`/students/${student.id}/history`)) as Row[])[0]?.set_id
    const undo = async (set: unknown) => must(200, await school.client.post(`/changes/sets/${set}/undo`))
    await putAway()
    await undo(await setOf())
    expect(must(200, await school.client.get(`/students/${student.id}`)).archived_at).toBeNull()
    await undo(await setOf())
    expect(must(200, await school.client.get(`/students/${student.id}`)).archived_at).toBe(NOW.toISOString())
    must(200, await patch({ archived: false }))
    const back = await setOf()
    await school.lesson(lesson(at('17:00', '17:45')))
    expect(await undo(back)).toMatchObject({
      undone: [],
      refused: [{ resource: 'student', resource_id: student.id, code: 'in_use' }],
    })
  })

  it('is not among the students who need a lesson', async () => {
    const templates = must(200, await school.client.get('/license-class-templates')) as Row[]
    const license_class_template_id = templates.find(({ code }) => code === 'B')?.id
    must(200, await patch({ license_class_template_id }))
    service().setClock(new Date('2031-06-03T11:00:00Z'))
    school = await enter(service(), school)
    const idle = async () => must(200, await school.client.get('/numbers/no_lesson?weeks=4'))
    expect(JSON.stringify(await idle())).toContain(student.id)
    await putAway()
    expect(JSON.stringify(await idle())).not.toContain(student.id)
  })
})
