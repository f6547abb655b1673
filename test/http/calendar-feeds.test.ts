import ical, { type VEvent } from 'node-ical'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { feedOf } from '../support/links.ts'
import { addLessons, beginReading } from '../support/long-list.ts'

const service = useService()
/** Read once: midnight may pass during a test. */
const TODAY = Date.now()
let school: School
let instructor: Row
let student: Row

beforeAll(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  student = await school.student({ phone: '+49 30 5550142', phone_2: '0171 5550143' })
})

const anonymous = () => new Client(service())

async function eventsAt(path: string): Promise<readonly VEvent[]> {
  const { status, text } = await anonymous().get(path)
  expect(status).toBe(200)
  return Object.values(ical.sync.parseICS(text)).filter((one): one is VEvent => one?.type === 'VEVENT')
}

/** Returns the UTC date `days` days from now. */
function dayIn(days: number): string {
  return new Date(TODAY + days * 86_400_000).toISOString().slice(0, 10)
}

function lessonOn(date: string, more: object = {}): Promise<Row> {
  const times = { start_at: `${date} 08:00`, end_at: `${date} 09:30` }
  return school.lesson({ instructor_id: instructor.id, student_id: student.id, ...times, ...more })
}

const wordsOf = (events: readonly VEvent[]) =>
  events.map(({ summary, description }) => [summary, description].join(' | ')).join('\n')

describe('a calendar feed', () => {
  it('shows only the chosen level of detail', async () => {
    const notes = 'Pick up at the station'
    const lesson = await lessonOn(dayIn(3), { notes })
    const [full] = await eventsAt(await feedOf(school, instructor, 'full'))
    expect(full?.summary).toBe('Übungsfahrt (Grundausbildung): Lena Vogt')
    expect(full?.description).toBe(`+49 30 5550142\n\n0171 5550143\n\n${notes}`)
    expect(full?.uid).toBe(`${lesson.id}@fahrplan`)
    await school.client.patch(`/appointments/${lesson.id}`, { title: 'Prüfungsvorbereitung am Hafen' })
    const [titled] = await eventsAt(await feedOf(school, instructor, 'full'))
    expect([titled?.summary, titled?.description]).toEqual([
      'Prüfungsvorbereitung am Hafen: Lena Vogt',
      `Übungsfahrt (Grundausbildung)\n\n+49 30 5550142\n\n0171 5550143\n\n${notes}`,
    ])
    must(
      200,
      await school.client.patch(`/appointments/${lesson.id}`, { title: 'Übungsfahrt (Grundausbildung)' }),
    )
    const type = `/tenant/lesson-types/${lesson.lesson_type_id}`
    must(200, await school.client.patch(type, { name: 'Grundfahrt' }))
    const [renamed] = await eventsAt(await feedOf(school, instructor, 'full'))
    expect([renamed?.summary, renamed?.description]).toEqual(['Grundfahrt: Lena Vogt', full?.description])
    must(200, await school.client.patch(type, { name: 'Übungsfahrt (Grundausbildung)' }))
    const some = await eventsAt(await feedOf(school, instructor, 'lesson'))
    expect(wordsOf(some)).toBe('Übungsfahrt (Grundausbildung): Lena V. | ')
    const path = await feedOf(school, instructor, 'busy')
    expect(wordsOf(await eventsAt(path))).toBe('Belegt | ')
    expect((await anonymous().get(path)).text).not.toMatch(/Lena|Vogt|Übungsfahrt|station|5550142/)
    expect((await anonymous().get(`${path}?nocache=1`)).status).toBe(200)
    await school.client.delete(`/appointments/${lesson.id}`)
  })

  it('keeps the UID of a lesson, increments SEQUENCE, and reflects cancellation and deletion', async () => {
    const lesson = await lessonOn(dayIn(4))
    const path = await feedOf(school, instructor, 'lesson')
    const states: unknown[] = []
    const look = async () => {
      const [event] = await eventsAt(path)
      states.push(event && [event.uid === `${lesson.id}@fahrplan`, event.sequence, event.status])
    }
    await look()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${dayIn(4)} 09:00` })
    await look()
    await school.client.patch(`/appointments/${lesson.id}`, { status: 'cancelled' })
    await look()
    await school.client.delete(`/appointments/${lesson.id}`)
    await look()
    expect(states).toEqual([
      [true, 1, 'CONFIRMED'],
      [true, 2, 'CONFIRMED'],
      [true, 3, 'CANCELLED'],
      undefined,
    ])
  })

  it('covers 30 days back and 12 months ahead', async () => {
    const inside = [dayIn(-29), dayIn(1), dayIn(365)]
    const lessons = [...inside, dayIn(-32), dayIn(368)].map((date) => lessonOn(date))
    const rows = await Promise.all(lessons)
    const events = await eventsAt(await feedOf(school, instructor, 'busy'))
    expect(events.map(({ uid }) => uid).sort()).toEqual(
      rows
        .slice(0, inside.length)
        .map(({ id }) => `${id}@fahrplan`)
        .sort(),
    )
    for (const { id } of rows) await school.client.delete(`/appointments/${id}`)
  })

  it('returns 304 until something in it changes', async () => {
    const lesson = await lessonOn(dayIn(5))
    const path = await feedOf(school, instructor, 'lesson')
    const first = await anonymous().get(path)
    const tag = first.headers.get('etag') ?? ''
    const again = await anonymous().get(path, { 'if-none-match': tag })
    expect([first.status, again.status, again.text]).toEqual([200, 304, ''])
    expect((await anonymous().get(path)).text).toBe(first.text)
    await school.client.patch(`/students/${student.id}`, { first_name: 'Leni' })
    const renamed = await anonymous().get(path, { 'if-none-match': tag })
    expect([renamed.status, renamed.text.includes('Leni V.')]).toEqual([200, true])
    await school.client.patch(`/students/${student.id}`, { first_name: 'Lena' })
    await school.client.delete(`/appointments/${lesson.id}`)
  })

  it('is in the language of the school', async () => {
    const english = await aSchool(service(), { country: 'GB', timezone: 'Europe/London', locale: 'en' })
    const teacher = await english.instructor()
    const start = `${dayIn(6)} 08:00`
    await english.lesson({ instructor_id: teacher.id, start_at: start, end_at: `${dayIn(6)} 09:00` })
    const [event] = await eventsAt(await feedOf(english, teacher, 'busy'))
    expect(event?.summary).toBe('Busy')
  })

  it('forbids caching, referrers and indexing in its headers', async () => {
    const { headers } = await anonymous().get(await feedOf(school, instructor, 'lesson'))
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  it('is visible to the office with its last use, but without its address', async () => {
    const path = `/instructors/${instructor.id}/calendar-feed`
    const url = await feedOf(school, instructor, 'busy')
    const before = await school.client.get(path)
    expect(before.body.feed).toMatchObject({ detail: 'busy', used_at: null })
    await anonymous().get(url)
    // The use is recorded after the response.
    await expect.poll(async () => (await school.client.get(path)).body.feed.used_at).toMatch(/Z$/)
    const after = await school.client.get(path)
    expect(after.text).not.toContain(url.slice(-30, -4))
    await school.client.delete(path)
    expect((await school.client.get(path)).body).toEqual({ feed: null })
  })

  it('is recorded in the log of changes with its actor and without its secret', async () => {
    const url = await feedOf(school, instructor, 'full')
    await school.client.delete(`/instructors/${instructor.id}/calendar-feed`)
    const { body, text } = await school.client.get('/changes?resource=calendar_feed&limit=2')
    const told = { instructor_id: instructor.id, detail: 'full' }
    expect(body).toMatchObject([
      { action: 'deleted', before: told, after: null, actor: { id: school.user.id } },
      { action: 'created', before: null, after: told },
    ])
    expect(text).not.toContain(url.slice(-47, -4))
  })
})

describe('a calendar feed of 8,000 lessons', () => {
  it('is streamed in full without occupying a turn, and returns 304 afterwards', async () => {
    const busy = await aSchool(service())
    const teacher = await busy.instructor()
    const path = await feedOf(busy, teacher, 'full')
    const students = [(await busy.student()).id]
    const office = { school: busy, instructors: [teacher.id], students, lessons: [] }
    await addLessons(service(), office, 8_000)
    // The lessons are in the year 2040.
    service().setClock(new Date('2040-01-15T12:00:00Z'))
    try {
      const { headers, rest } = await beginReading(service(), busy, path)
      expect(headers.get('content-length')).toBeNull()
      await expect.poll(() => service().turns().running, { timeout: 20_000 }).toBe(0)
      const text = await rest()
      expect(text.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(8_000)
      expect(new Set(text.match(/^UID:.*$/gm)).size).toBe(8_000)
      expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true)
      const again = await anonymous().get(path, { 'if-none-match': headers.get('etag') ?? '' })
      expect(again.status).toBe(304)
    } finally {
      service().setClock(undefined)
    }
  })
})

describe('POST /instructors/{id}/calendar-feed', () => {
  it('rejects a missing or unknown detail, and unknown fields, with 400', async () => {
    const path = `/instructors/${instructor.id}/calendar-feed`
    for (const body of [{}, { detail: 'everything' }, { detail: null }, { detail: 'busy', days: 3 }]) {
      expect((await school.client.post(path, body)).status).toBe(400)
    }
  })

  it('leaves exactly one valid feed after 3 concurrent requests', async () => {
    const made = await Promise.all([1, 2, 3].map(() => feedOf(school, instructor, 'busy')))
    const statuses = await Promise.all(made.map(async (path) => (await anonymous().get(path)).status))
    expect(statuses.sort()).toEqual([200, 404, 404])
  })
})
