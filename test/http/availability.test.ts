import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
/** Monday, 08:00 in Berlin. */
const NOW = new Date('2026-05-04T06:00:00Z')
const WEEK = '2026-05-11'
let school: School
let student: Row

beforeEach(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
  student = await school.student({ license_class_template_id: await templateOf(school, 'B') })
})

const path = (week = WEEK, { id }: { id?: string } = student) => `/students/${id}/availability/${week}`
const put = (body: object, week?: string): Promise<Answer> => school.client.put(path(week), body)
const read = (week?: string): Promise<Answer> => school.client.get(path(week))
const window = (date: string, time_from = '08:00', time_to = '12:00', minutes = 90) => {
  return { date, time_from, time_to, minutes }
}
const faults = async (body: object, week?: string) =>
  must(400, await put(body, week)).errors.map(({ pointer, code }: Row) => `${pointer} ${code}`)

describe('the week of a student', () => {
  it('is stored in order, replaced, read, and taken back', async () => {
    expect((await read()).body.code).toBe('not_found')
    const windows = [window('2026-05-13'), window('2026-05-12', '18:00', '24:00'), window('2026-05-12')]
    const made = must(200, await put({ lessons: 2, windows }))
    const inOrder = [windows[2], windows[1], windows[0]]
    expect(made).toMatchObject({ week_start: WEEK, lessons: 2, windows: inOrder })
    expect(made.fits.map(({ date, time_from }: Row) => `${date} ${time_from}`)).toEqual([
      '2026-05-12 08:00',
      '2026-05-12 18:00',
      '2026-05-13 08:00',
    ])
    expect(must(200, await read())).toEqual(made)
    expect(must(200, await put({ lessons: 0, windows: [] }))).toMatchObject({
      lessons: 0,
      windows: [],
      fits: [],
    })
    expect((await read('2026-05-18')).status).toBe(404)
    must(204, await school.client.delete(path()))
    for (const again of [read(), school.client.delete(path())]) expect((await again).status).toBe(404)
    must(200, await put({ lessons: 1, windows: null }))
  })

  it('begins on a Monday, and every fault of an answer is named', async () => {
    for (const week of ['2026-05-12', '2026-05-17', '2026-02-30', 'week', '11.05.2026'])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { lessons: 1, windows: null } : undefined
        const { errors } = must(400, await school.client.send(method, path(week), body))
        expect([week, errors]).toMatchObject([week, [{ pointer: 'week_start', code: 'not_a_monday' }]])
      }
    expect(await faults({})).toEqual(['/lessons required', '/windows required'])
    expect(await faults({ lessons: 8, windows: 'all' })).toEqual([
      '/lessons out_of_range',
      '/windows wrong_type',
    ])
    expect(await faults({ lessons: 1, windows: [] })).toEqual(['/windows required'])
    expect(
      await faults({
        lessons: 1,
        windows: [
          window('2026-05-10'),
          window('2026-05-18'),
          window('2026-05-11', '12:00', '12:00'),
          window('2026-05-17', '23:00', '24:00', 61),
        ],
      }),
    ).toEqual([
      '/windows/0/date out_of_range',
      '/windows/1/date out_of_range',
      '/windows/2/time_to wrong_order',
      '/windows/3/minutes too_long',
    ])
    const most = Array.from({ length: 28 }, () => window('2026-05-11'))
    must(200, await put({ lessons: 7, windows: most }))
    expect(await faults({ lessons: 7, windows: [...most, window('2026-05-11')] })).toEqual([
      '/windows too_many',
    ])
  })

  it('tells which times are possible, by the rules and the clock', async () => {
    const { id: instructor_id } = await school.instructor({
      license_classes: ['B'],
      availability_windows: [1, 2].map((weekday) => ({ weekday, start: '08:00', end: '10:00' })),
    })
    await school.lesson({ instructor_id, start_at: '2026-05-11 08:15', end_at: '2026-05-11 09:00' })
    const windows = [
      window('2026-05-11', '07:00', '10:00', 45),
      window('2026-05-11', '07:00', '10:00', 90),
      window('2026-05-12', '08:05', '09:44'),
      window('2026-05-12', '08:15', '09:45'),
      window('2026-05-13'),
    ]
    const possible = async (week?: string) =>
      must(200, await read(week)).fits.map(({ possible }: Row) => possible)
    must(200, await put({ lessons: 1, windows }))
    expect(await possible()).toEqual([true, false, false, true, false])
    const today = [window('2026-05-04', '07:00', '09:00', 45), window('2026-05-04', '09:00', '10:00', 45)]
    must(200, await put({ lessons: 1, windows: today }, '2026-05-04'))
    expect(await possible('2026-05-04')).toEqual([true, true])
    service().setClock(new Date('2026-05-04T07:20:00Z'))
    expect(await possible('2026-05-04')).toEqual([false, false])
    must(200, await put({ lessons: 1, windows: [window('2026-04-28')] }, '2026-04-27'))
    expect(await possible('2026-04-27')).toEqual([false])
  })

  it('without times of its own has those of the wishes, each with its instructor and type', async () => {
    const hours = (weekday: number) => {
      return { license_classes: ['B'], availability_windows: [{ weekday, start: '08:00', end: '12:00' }] }
    }
    const { id: monday } = await school.instructor(hours(1))
    await school.instructor(hours(2))
    const wishes = `/students/${student.id}/wishes`
    const wish = { minutes: 90, time_from: '08:00', weekdays: [1, 2], instructor_id: monday }
    must(201, await school.client.post(wishes, wish))
    const bounds = { from: '2026-05-12', until: '2026-05-12' }
    must(201, await school.client.post(wishes, { minutes: 45, ...bounds }))
    must(201, await school.client.post(wishes, { minutes: 45, until: '2026-05-10' }))
    must(201, await school.client.post(wishes, { minutes: 45, from: '2026-05-18' }))
    expect(must(200, await put({ lessons: 2, windows: null }))).toEqual({
      ...{ week_start: WEEK, lessons: 2, windows: null },
      fits: [
        { date: '2026-05-11', time_from: '08:00', possible: true },
        { date: '2026-05-12', time_from: '00:00', possible: true },
        { date: '2026-05-12', time_from: '08:00', possible: false },
      ],
    })
  })

  it('is the office’s: instructors get 403, other schools and deleted students 404', async () => {
    const { id: instructor_id } = await school.instructor()
    const { tenantId } = school
    const user = await aUser(service(), tenantId, { role: 'instructor', instructor_id })
    const { client } = await enter(service(), { tenantId, user })
    const theirs = await aSchool(service())
    must(200, await put({ lessons: 1, windows: null }))
    const each = async (by: School['client']) =>
      Promise.all([by.get(path()), by.put(path(), { lessons: 1, windows: null }), by.delete(path())]).then(
        (all) => all.map(({ status }) => status),
      )
    expect(await each(client)).toEqual([403, 403, 403])
    expect(await each(theirs.client)).toEqual([404, 404, 404])
    must(204, await school.client.delete(`/students/${student.id}`))
    expect(await each(school.client)).toEqual([404, 404, 404])
  })

  it('is in the log and the data of the person, and an undo takes it back', async () => {
    const undo = async (answer: Answer): Promise<Row> =>
      must(200, await school.client.post(`/changes/sets/${answer.headers.get('x-request-id')}/undo`))
    const windows = [window('2026-05-12')]
    const first = await put({ lessons: 1, windows })
    const second = await put({ lessons: 2, windows })
    await put({ lessons: 2, windows })
    const changes: Row[] = must(200, await school.client.get('/changes?resource=availability'))
    expect(changes.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['changed', { lessons: 1, version: 1 }, { lessons: 2, version: 2 }],
      ['created', null, { student_id: student.id, week_start: WEEK, lessons: 1, windows, version: 1 }],
    ])
    expect((await undo(second)).refused).toEqual([])
    expect(must(200, await read())).toMatchObject({ lessons: 1, windows })
    const removed = await school.client.delete(path())
    await undo(removed)
    expect(must(200, await read())).toMatchObject({ lessons: 1, windows })
    const again = await school.client.delete(path())
    must(200, await put({ lessons: 3, windows: null }))
    expect((await undo(again)).refused).toMatchObject([{ code: 'stale' }])
    expect((await undo(first)).refused).toHaveLength(1)
    const { sections } = must(200, await school.client.get(`/students/${student.id}/data`))
    expect(sections.find(({ name }: Row) => name === 'availability').rows).toMatchObject([
      { week_start: WEEK, lessons: 1, windows },
      { week_start: WEEK, lessons: 3, windows: null },
    ])
    const { text } = await school.client.get(`/students/${student.id}/data.html`)
    expect(text).toContain('08:00')
  })
})
