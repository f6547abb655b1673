import { beforeEach, describe, expect, it } from 'vitest'
import { minutesLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { NOW, START } from '../support/cancellation-office.ts'
import type { Answer } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { formOf, StudentBrowser } from '../support/student-browser.ts'
import { useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)

beforeEach(async () => {
  await acting().allowMoves(true)
})

const lesson = () => acting().lesson.id
const search = (browser: StudentBrowser) => browser.submit(lesson(), 'times')
const timesOn = ({ text }: Answer) =>
  [...text.matchAll(/name="start_at" value="([^"]+)"/g)].map(([, start = '']) => start)

/** Returns the forms of the search and of a move. */
const formsTo = (start_at: string): readonly Readonly<Record<string, string>>[] => [
  { act: 'times' },
  { act: 'move', version: '1', start_at },
]

async function move(browser: StudentBrowser, start_at: string): Promise<Answer> {
  return browser.press(lesson(), { ...formOf(await search(browser), 'move'), start_at })
}

describe('moving a lesson on the page of a student', () => {
  it('is neither offered nor accepted in a new school, even if its students may cancel lessons', async () => {
    const school = await aSchool(service())
    expect((await school.client.get('/tenant')).body.students_may_move).toBe(false)
    await school.client.patch('/tenant', { student_actions: { cancel: true, proof: 'none' } })
    const [{ id: instructor_id }, student] = [await school.instructor(), await school.student()]
    const times = { start_at: START, end_at: minutesLater(START, 90) }
    const { id } = await school.lesson({ instructor_id, student_id: student.id, ...times })
    const browser = await StudentBrowser.open(service(), school, student)
    const list = (await browser.list()).text
    expect([list.includes('#cancel'), list.includes('#move')]).toEqual([true, false])
    const page = (await browser.look(id)).text
    expect([page.includes('value="cancel"'), page.includes('value="times"')]).toEqual([true, false])
    for (const form of formsTo('2030-05-13 10:00')) expect((await browser.press(id, form)).status).toBe(404)
    const { body } = await school.client.get(`/appointments/${id}`)
    expect(body).toMatchObject({ ...times, version: 1 })
  })

  it('is not offered, and returns 404, if the school does not allow it', async () => {
    await acting().allowMoves(false)
    const { client } = acting().office.school
    expect((await client.get('/tenant')).body.students_may_move).toBe(false)
    const browser = await acting().verified()
    expect((await browser.list()).text).not.toContain('#move')
    expect((await browser.look(lesson())).text).not.toContain('value="times"')
    for (const form of formsTo('2030-05-13 10:00'))
      expect((await browser.press(lesson(), form)).status).toBe(404)
    expect(await acting().stored()).toMatchObject({ start_at: START, version: 1 })
  })

  it('offers ten free times of the instructor, spread over the day, from the next day on', async () => {
    const browser = await acting().verified()
    expect((await browser.list()).text).toContain('#move')
    const times = timesOn(await search(browser))
    expect(times).toHaveLength(10)
    expect(times[0]).toBe('2030-05-07 08:00')
    expect(times.slice(0, 3).map((time) => time.slice(11))).toEqual(['08:00', '12:00', '16:00'])
    const days = Map.groupBy(times, (time) => time.slice(0, 10))
    expect([...days.values()].every((starts) => starts.length <= 3)).toBe(true)
    expect(times).not.toContain(START)
    expect(times.every((time) => time.slice(11) >= '07:00' && time.slice(11) <= '19:30')).toBe(true)
    const { instructor, school } = acting().office
    for (const start_at of times) {
      const whole = { from: start_at, to: minutesLater(start_at, 90), minutes: '90' }
      const asked = { ...whole, instructor_id: instructor.id, appointment_id: lesson() }
      expect((await school.client.get(`/slots?${new URLSearchParams(asked)}`)).body).toMatchObject([
        { start_at },
      ])
    }
  })

  it('offers a later time of the morning if the first leaves a useless gap beside another lesson', async () => {
    const { office } = acting()
    const other = await office.school.student()
    const times = { start_at: '2030-05-09 08:45', end_at: '2030-05-09 10:15' }
    await office.school.lesson({ instructor_id: office.instructor.id, student_id: other.id, ...times })
    const found = timesOn(await search(await acting().verified()))
    expect(found).toHaveLength(10)
    expect(found.filter((time) => time.startsWith('2030-05-09'))).toEqual([
      '2030-05-09 11:00',
      '2030-05-09 12:30',
      '2030-05-09 16:00',
    ])
  })

  it('offers the wished times first, then others, and more of both at a press', async () => {
    const { school, student } = acting().office
    const wishes = `/students/${student.id}/wishes`
    const wished = { weekdays: [4], time_from: '17:00', time_to: '19:00', minutes: 45 }
    const { id } = (await school.client.post(wishes, wished)).body
    const browser = await acting().verified()
    const first = await search(browser)
    const times = timesOn(first)
    expect(times.slice(0, 3)).toEqual(['2030-05-09 17:00', '2030-05-16 17:00', '2030-05-23 17:00'])
    expect(times[4]).toBe('2030-05-07 08:00')
    expect(first.text.indexOf('Passend zu Ihren Wünschen')).toBeLessThan(first.text.indexOf('Weitere freie'))
    const more = timesOn(await browser.press(lesson(), { act: 'times', ...formOf(first, 'times') }))
    expect(more).toHaveLength(20)
    expect(more).toEqual(expect.arrayContaining([...times]))
    for (const pages of ['x', '1.5'])
      expect((await browser.press(lesson(), { act: 'times', pages })).status).toBe(404)
    expect((await move(browser, '2030-05-16 17:00')).status).toBe(303)
    await school.client.delete(`${wishes}/${id}`)
  })

  it('offers the times of an answered week first, in place of the wishes', async () => {
    const { school, student } = acting().office
    const wishes = `/students/${student.id}/wishes`
    const wished = { weekdays: [4], time_from: '17:00', time_to: '19:00', minutes: 45 }
    const { id } = (await school.client.post(wishes, wished)).body
    const week = `/students/${student.id}/availability/2030-05-13`
    const times = { date: '2030-05-18', time_from: '09:00', time_to: '11:00', minutes: 90 }
    const answer = (body: object) => school.client.put(week, body)
    expect((await answer({ lessons: 1, windows: [times] })).status).toBe(200)
    const found = timesOn(await search(await acting().verified()))
    expect(found.slice(0, 3)).toEqual(['2030-05-09 17:00', '2030-05-18 09:00', '2030-05-23 17:00'])
    service().setClock(NOW)
    expect((await answer({ lessons: 0, windows: null })).status).toBe(200)
    const later = timesOn(await search(await acting().verified()))
    expect(later.slice(0, 2)).toEqual(['2030-05-09 17:00', '2030-05-23 17:00'])
    service().setClock(NOW)
    await school.client.delete(week)
    await school.client.delete(`${wishes}/${id}`)
  })

  it('is stored with the student as actor, and can be undone by the office', async () => {
    const browser = await acting().verified()
    await browser.submit(lesson(), 'confirm')
    expect((await move(browser, '2030-05-07 08:00')).status).toBe(303)
    const moved = { start_at: '2030-05-07 08:00', end_at: '2030-05-07 09:30', confirmed_at: null }
    expect(await acting().stored()).toMatchObject(moved)
    expect((await browser.look(lesson())).text).toContain('7. Mai 2030')
    const { client } = acting().office.school
    const [change] = (await client.get(`/appointments/${lesson()}/history`)).body
    expect(change.actor).toMatchObject({ kind: 'student', id: acting().office.student.id })
    await client.post(`/changes/sets/${change.set_id}/undo`)
    expect(await acting().stored()).toMatchObject({ start_at: START, confirmed_at: NOW.toISOString() })
  })

  it('keeps the student off the list of those who could come at the time that became free', async () => {
    const { school, instructor, student } = acting().office
    const wishes = `/students/${student.id}/wishes`
    const { id } = (await school.client.post(wishes, { minutes: 90 })).body
    const listed = async (start_at: string) => {
      const gap = { instructor_id: instructor.id, start_at, end_at: minutesLater(start_at, 90) }
      const { body } = await school.client.get(`/gaps?${new URLSearchParams(gap)}`)
      return body.map(({ student_id }: { student_id: string }) => student_id)
    }
    expect((await move(await acting().verified(), '2030-05-09 08:00')).status).toBe(303)
    expect(await listed(START)).toEqual([])
    expect(await listed('2030-05-10 08:00')).toEqual([student.id])
    await school.client.delete(`${wishes}/${id}`)
  })

  it('is stored once for two concurrent submissions', async () => {
    const browser = await acting().verified()
    const form = { ...formOf(await search(browser), 'move'), start_at: '2030-05-07 08:00' }
    const twice = await Promise.all([browser.press(lesson(), form), browser.press(lesson(), form)])
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    expect(await acting().stored()).toMatchObject({ start_at: '2030-05-07 08:00', version: 2 })
  })

  it('returns 409 and leaves the lesson unchanged if the time has been taken', async () => {
    const browser = await acting().verified()
    const form = { ...formOf(await search(browser), 'move'), start_at: '2030-05-07 08:00' }
    const other = await acting().office.school.student()
    await acting().office.lessonAt('2030-05-07 08:00', { student_id: other.id })
    const { status, text } = await browser.press(lesson(), form)
    expect([status, text.includes('role="alert"')]).toEqual([409, true])
    expect(await acting().stored()).toMatchObject({ start_at: START, version: 1 })
  })

  it.each([
    ['too soon', '2030-05-07 07:30'],
    ['too far ahead', '2030-06-04 10:00'],
    ['off the grid', '2030-05-07 10:10'],
    ['in the past', '2030-05-03 10:00'],
    ['at night', '2030-05-09 03:00'],
  ])('rejects a time that is %s with 409', async (_, start_at) => {
    const browser = await acting().verified()
    expect((await move(browser, start_at)).status).toBe(409)
    expect(await acting().stored()).toMatchObject({ start_at: START, version: 1 })
  })

  it('returns 404 for an invalid time', async () => {
    const browser = await acting().verified()
    for (const start_at of ['', 'soon', '2030-02-30 10:00'])
      expect((await move(browser, start_at)).status).toBe(404)
  })

  it('is possible only from and to times at which a cancellation is free of charge', async () => {
    await acting().office.policy({ categories: null, notice: { hours: 48 }, fee_percent: 50 })
    const browser = await acting().verified()
    expect(timesOn(await search(browser))[0]).toBe('2030-05-08 08:30')
    service().setClock(new Date('2030-05-06T06:00:01.000Z'))
    const page = await browser.look(lesson())
    expect([page.text.includes('value="times"'), page.text.includes('zu spät')]).toEqual([false, true])
    expect(timesOn(await browser.press(lesson(), { act: 'times' }))).toEqual([])
    const form = { act: 'move', version: '1', start_at: '2030-05-09 10:00' }
    expect((await browser.press(lesson(), form)).status).toBe(409)
    service().setClock(NOW)
    expect(await acting().stored()).toMatchObject({ start_at: START, version: 1 })
  })

  it('offers times of the fourth week if only they are free of charge', async () => {
    const { school, instructor, student } = acting().office
    await acting().office.policy({ categories: null, notice: { hours: 21 * 24 }, fee_percent: 50 })
    const times = { start_at: '2030-06-10 08:00', end_at: '2030-06-10 09:30' }
    const later = await school.lesson({ instructor_id: instructor.id, student_id: student.id, ...times })
    const found = timesOn(await (await acting().verified()).submit(later.id, 'times'))
    expect(found).toHaveLength(10)
    expect(found[0]).toBe('2030-05-27 08:00')
  })

  it('requires the verification, and returns 429 after too many submissions of the link (S110)', async () => {
    const browser = await acting().verified()
    const other = browser.forwardedTo(service())
    for (const form of formsTo('2030-05-07 08:00')) {
      const { status, text } = await other.press(lesson(), form)
      expect([status, text.includes('2030-05-07')]).toEqual([403, false])
    }
    const pressed: number[] = []
    for (let count = 0; count < 30; count += 1)
      pressed.push((await other.press(lesson(), { act: 'times' })).status)
    expect(pressed.at(-1)).toBe(429)
    expect(await acting().stored()).toMatchObject({ start_at: START, version: 1 })
  })
})
