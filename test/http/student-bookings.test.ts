import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { minutesLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import type { StudentBrowser } from '../support/student-browser.ts'
import { BIRTH, useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)

const BOUNDS = {
  notice_hours: 24,
  horizon_days: 28,
  time_from: '07:00',
  time_to: '21:00',
  lessons_ahead: 3,
  lesson_type_ids: null,
  no_gaps: true,
}

const school = () => acting().office.school
const allow = (student_booking: object) => school().client.patch('/tenant', { student_booking })

beforeEach(async () => {
  expect((await allow({ mode: 'book', ...BOUNDS })).status).toBe(200)
})

type Choice = { readonly start_at: string; readonly instructor_id: string }

const choicesOn = ({ text }: Answer): readonly Choice[] =>
  [...text.matchAll(/name="start_at" value="(.{16}) ([^"]+)"/g)].map(
    ([, start_at = '', instructor_id = '']) => ({ start_at, instructor_id }),
  )

/** Opens the page of a student and passes the verification. */
async function booking(student: Row = acting().office.student): Promise<StudentBrowser> {
  const browser = await acting().opened(student)
  expect((await browser.pressBooking({ act: 'prove', ...BIRTH })).status).toBe(303)
  return browser
}

const practice = () => school().lessonTypes.PRACTICE ?? ''
const search = (browser: StudentBrowser, lesson_type_id = practice()) => browser.searchToBook(lesson_type_id)
const book = (browser: StudentBrowser, { start_at, instructor_id }: Choice, lesson_type_id = practice()) =>
  browser.pressBooking({ act: 'book', lesson_type_id, start_at: `${start_at} ${instructor_id}` })
const withOwn = (start_at: string): Choice => ({ start_at, instructor_id: acting().office.instructor.id })

async function booked(student = acting().office.student): Promise<readonly Row[]> {
  const { body } = await school().client.get(`/appointments?student_id=${student.id}`)
  return body.filter(({ id }: Row) => id !== acting().lesson.id)
}

/** Makes a student of class B with the date of birth of the verification. */
async function learner(fields: object = {}): Promise<Row> {
  const templates: readonly { id: string; code: string }[] = (
    await school().client.get('/license-class-templates')
  ).body
  const license_class_template_id = templates.find(({ code }) => code === 'B')?.id
  return school().student({ ...BIRTH, license_class_template_id, ...fields })
}

describe('what a school leaves to its students', () => {
  it('is nothing at first, and as older clients know it', async () => {
    const { client } = await aSchool(service())
    const settings = async (change: object) => {
      const { students_may_move, student_booking } = (await client.patch('/tenant', change)).body
      return [students_may_move, student_booking.mode]
    }
    expect((await client.get('/tenant')).body.student_booking).toEqual({ mode: 'off', ...BOUNDS })
    expect(await settings({ students_may_move: true })).toEqual([true, 'move'])
    expect(await settings({ student_booking: { mode: 'book', notice_hours: 12 } })).toEqual([true, 'book'])
    expect(await settings({ students_may_move: true })).toEqual([true, 'book'])
    expect(await settings({ students_may_move: false })).toEqual([false, 'off'])
    expect(await settings({ student_booking: { mode: 'move' } })).toEqual([true, 'move'])
    expect((await client.get('/tenant')).body.student_booking).toEqual({
      ...BOUNDS,
      mode: 'move',
      notice_hours: 12,
    })
  })

  it.each([
    [
      '/student_booking/horizon_days',
      'out_of_range',
      { student_booking: { notice_hours: 48, horizon_days: 2 } },
    ],
    [
      '/student_booking/time_to',
      'wrong_order',
      { student_booking: { time_from: '18:00', time_to: '18:00' } },
    ],
    ['/student_booking/notice_hours', 'out_of_range', { student_booking: { notice_hours: 337 } }],
    ['/student_booking/lessons_ahead', 'out_of_range', { student_booking: { lessons_ahead: 0 } }],
    [
      '/student_booking/lesson_type_ids/0',
      'not_allowed',
      { student_booking: { lesson_type_ids: [randomUUID()] } },
    ],
    ['/students_may_move', 'not_allowed', { students_may_move: false, student_booking: { mode: 'book' } }],
  ])('refuses bounds with a fault at %s', async (pointer, code, change) => {
    const { status, body } = await school().client.patch('/tenant', change)
    expect([status, body.errors]).toMatchObject([400, [{ pointer, code }]])
    expect((await school().client.get('/tenant')).body.student_booking).toEqual({ mode: 'book', ...BOUNDS })
  })

  it('does not name theory and exams as types to book', async () => {
    const { THEORY_BASIC: theory = '', PRACTICE: drive = '' } = school().lessonTypes
    const { status, body } = await allow({ lesson_type_ids: [drive, theory] })
    expect([status, body.errors]).toMatchObject([
      400,
      [{ pointer: '/student_booking/lesson_type_ids/1', code: 'not_allowed' }],
    ])
  })
})

describe('booking on the page of a student', () => {
  it.each(['off', 'move'])('is not offered, and returns 404, if the mode is %s', async (mode) => {
    const browser = await booking()
    expect((await browser.list()).text).toContain('/book?lang=de')
    await allow({ mode })
    expect((await browser.list()).text).not.toContain('/book')
    expect((await browser.lookAtBooking()).status).toBe(404)
    expect((await search(browser)).status).toBe(404)
    expect((await book(browser, withOwn('2030-05-09 10:00'))).status).toBe(404)
    expect(await booked()).toEqual([])
  })

  it('joins type and length in Arabic without a Latin comma', async () => {
    const { text } = await (await booking()).lookAtBooking('?lang=ar')
    expect(text).toContain('<br>90 دقيقة</span>')
    const [, main] = text.split(/<\/?main>/)
    expect(main).not.toContain(',')
  })

  it('offers free times of the own instructor, which the rules accept', async () => {
    const { instructor } = acting().office
    const other = await school().instructor({ license_classes: ['B'] })
    const student = await learner({ preferred_instructor_id: instructor.id })
    await school().client.patch(`/instructors/${instructor.id}`, { license_classes: ['B'] })
    const page = await search(await booking(student))
    const choices = choicesOn(page)
    expect(choices).toHaveLength(10)
    expect(new Set(choices.map(({ instructor_id }) => instructor_id))).toEqual(new Set([instructor.id]))
    expect(choices[0]?.start_at).toBe('2030-05-07 08:00')
    for (const { start_at } of choices) {
      const whole = { from: start_at, to: minutesLater(start_at, 90), student_id: student.id }
      const asked = { ...whole, instructor_id: instructor.id, lesson_type_id: practice() }
      expect((await school().client.get(`/slots?${new URLSearchParams(asked)}`)).body).toMatchObject([
        { start_at },
      ])
    }
    await school().client.patch(`/instructors/${instructor.id}`, { active: false })
    const others = choicesOn(await search(await booking(student)))
    expect(new Set(others.map(({ instructor_id }) => instructor_id))).toEqual(new Set([other.id]))
    await school().client.patch(`/instructors/${instructor.id}`, { active: true, license_classes: [] })
    await school().client.patch(`/instructors/${other.id}`, { active: false })
  })

  it('offers those who teach the class if there is no own instructor, and names them', async () => {
    const rider = await school().instructor({ first_name: 'Ralf', license_classes: ['A'] })
    const away = (start_date: string, end_date: string) => ({ vacations: [{ start_date, end_date }] })
    const teaching = { license_classes: ['B'] }
    const [early, late] = [
      await school().instructor({ first_name: 'Frida', ...teaching, ...away('2030-05-10', '2030-06-30') }),
      await school().instructor({ first_name: 'Sven', ...teaching, ...away('2030-05-01', '2030-05-09') }),
    ]
    const page = await search(await booking(await learner()))
    const ids = new Set(choicesOn(page).map(({ instructor_id }) => instructor_id))
    expect(ids).toEqual(new Set([early.id, late.id]))
    expect(page.text).toContain('</time><br>mit Frida')
    expect(page.text).toContain('</time><br>mit Sven')
    for (const { id } of [rider, early, late])
      await school().client.patch(`/instructors/${id}`, { active: false })
  })

  it('offers times of many days, however many instructors are free', async () => {
    const many = await Promise.all(
      Array.from({ length: 50 }, () => school().instructor({ license_classes: ['B'] })),
    )
    const choices = choicesOn(await search(await booking(await learner())))
    expect(choices).toHaveLength(10)
    expect(new Set(choices.map(({ start_at }) => start_at.slice(0, 10))).size).toBeGreaterThan(2)
    for (const { id } of many) await school().client.patch(`/instructors/${id}`, { active: false })
  })

  it('books at once, with the student as actor, and shows the lesson', async () => {
    const { instructor, student } = acting().office
    const browser = await booking()
    const [first] = choicesOn(await search(browser))
    if (!first) throw new Error('a time is free')
    const answer = await book(browser, withOwn(first.start_at))
    expect(answer.status).toBe(303)
    const [lesson, ...more] = await booked()
    expect(more).toEqual([])
    expect(lesson).toMatchObject({
      instructor_id: instructor.id,
      student_id: student.id,
      lesson_type_id: practice(),
      start_at: first.start_at,
      status: 'planned',
    })
    const page = await browser.lookAtBooking(answer.headers.get('location') ?? '')
    expect(page.text).toContain('Gebucht')
    expect(page.text).toContain('7. Mai 2030')
    const again = await book(browser, withOwn(first.start_at))
    expect([again.status, again.headers.get('location')]).toEqual([303, answer.headers.get('location')])
    const [change] = (await school().client.get(`/appointments/${lesson?.id}/history`)).body
    expect(change.actor).toMatchObject({ kind: 'student', id: student.id })
    await school().client.post(`/changes/sets/${change.set_id}/undo`)
    expect(await booked()).toEqual([])
    expect((await browser.lookAtBooking(answer.headers.get('location') ?? '')).text).not.toContain('Gebucht')
  })

  it('does not show the lesson of another student', async () => {
    const other = await school().student()
    const { id } = await acting().office.lessonAt('2030-05-14 10:00', { student_id: other.id })
    const page = await (await booking()).lookAtBooking(`?booked=${id}`)
    expect([page.status, page.text.includes('14. Mai')]).toEqual([200, false])
  })

  it('offers the open special drives, then practice, or what the school names', async () => {
    const student = await learner()
    const browser = await booking(student)
    const offered = async () =>
      [...(await browser.lookAtBooking()).text.matchAll(/name="lesson_type_id" value="([^"]+)"/g)].map(
        ([, id]) => Object.entries(school().lessonTypes).find(([, one]) => one === id)?.[0],
      )
    expect(await offered()).toEqual(['RURAL', 'MOTORWAY', 'NIGHT', 'PRACTICE'])
    const { RURAL = '', PRACTICE = '', BASIC_TRAINING: _ } = school().lessonTypes
    await allow({ lesson_type_ids: [PRACTICE, RURAL] })
    expect(await offered()).toEqual(['RURAL', 'PRACTICE'])
    expect((await search(browser, school().lessonTypes.MOTORWAY)).status).toBe(409)
    await allow({ lesson_type_ids: [RURAL] })
    expect(await offered()).toEqual(['RURAL'])
    await allow({ lesson_type_ids: [] })
    expect(await offered()).toEqual([])
    expect((await browser.lookAtBooking()).text).toContain('rufen Sie die Fahrschule an')
  })

  it.each([
    ['too soon', '2030-05-07 07:30'],
    ['too far ahead', '2030-06-03 07:00'],
    ['off the grid', '2030-05-07 10:10'],
    ['in the past', '2030-05-03 10:00'],
    ['at night', '2030-05-09 20:00'],
    ['taken', '2030-05-08 09:00'],
  ])('rejects a time that is %s with 409', async (_, start_at) => {
    const { status, text } = await book(await booking(), withOwn(start_at))
    expect([status, text.includes('role="alert"')]).toEqual([409, true])
    expect(await booked()).toEqual([])
  })

  it('rejects an instructor who is not offered with 409', async () => {
    const rider = await school().instructor({ license_classes: ['A'] })
    const student = await learner()
    const { status } = await book(await booking(student), {
      start_at: '2030-05-09 10:00',
      instructor_id: rider.id,
    })
    expect(status).toBe(409)
    expect(await booked(student)).toEqual([])
    await school().client.patch(`/instructors/${rider.id}`, { active: false })
  })

  it('returns 404 for a choice that no form can send', async () => {
    const browser = await booking()
    for (const start_at of [
      '',
      'soon',
      `2030-02-30 10:00 ${acting().office.instructor.id}`,
      '2030-05-09 10:00 x',
    ])
      expect((await browser.pressBooking({ act: 'book', lesson_type_id: practice(), start_at })).status).toBe(
        404,
      )
    expect((await search(browser, 'x')).status).toBe(404)
    for (const pages of ['1.5', '0', '10'])
      expect((await browser.searchToBook(practice(), pages)).status).toBe(404)
    const twice = `?lesson_type_id=${practice()}&lesson_type_id=${practice()}`
    expect((await browser.lookAtBooking(twice)).status).toBe(404)
    expect((await browser.pressBooking({ act: 'times', lesson_type_id: practice() })).status).toBe(404)
  })

  it('keeps the notice, the hours and the horizon of the school', async () => {
    await allow({ notice_hours: 72, horizon_days: 5, time_from: '10:00', time_to: '13:00' })
    const starts = choicesOn(await search(await booking())).map(({ start_at }) => start_at)
    expect(starts).toEqual(['2030-05-09 10:00', '2030-05-10 10:00'])
    const moved = await (await acting().verified()).submit(acting().lesson.id, 'times')
    expect([...moved.text.matchAll(/name="start_at" value="([^"]+)"/g)].map(([, start]) => start)).toEqual(
      starts,
    )
  })

  it('ends with the number of coming lessons that the school allows', async () => {
    await allow({ lessons_ahead: 2 })
    const browser = await booking()
    expect((await book(browser, withOwn('2030-05-09 10:00'))).status).toBe(303)
    const page = await browser.lookAtBooking()
    expect(page.text).toContain('Höchstzahl an kommenden Terminen (2)')
    expect((await search(browser)).status).toBe(409)
    expect((await book(browser, withOwn('2030-05-10 10:00'))).status).toBe(409)
    expect(await booked()).toHaveLength(1)
  })

  it('offers a time that leaves a useless gap only if the school does not mind', async () => {
    const other = await school().student()
    await acting().office.lessonAt('2030-05-09 10:30', { student_id: other.id, end_at: '2030-05-09 12:00' })
    const wasteful = withOwn('2030-05-09 08:30')
    expect((await book(await booking(), wasteful)).status).toBe(409)
    await allow({ no_gaps: false })
    expect((await book(await booking(), wasteful)).status).toBe(303)
  })

  it('requires the verification, and reveals no time without it', async () => {
    const other = (await booking()).forwardedTo(service())
    const shown = await search(other)
    expect([shown.status, shown.text.includes('2030-05-')]).toEqual([200, false])
    expect(shown.text).toContain('name="birth_date"')
    const refused = await book(other, withOwn('2030-05-09 10:00'))
    expect([refused.status, refused.text.includes('2030-05-09')]).toEqual([403, false])
    expect(await booked()).toEqual([])
  })
})
