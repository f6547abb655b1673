import ical from 'node-ical'
import { beforeAll, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { localToday } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { storeLessons } from '../support/stored-lessons.ts'

const service = useService()
const COUNT = 1_150
const A_DAY = 5

let school: School
let student: Row
let starts: readonly string[]
let path: string

beforeAll(async () => {
  school = await aSchool(service())
  const instructor = await school.instructor({ first_name: 'Jonas' })
  student = await school.student({ first_name: 'Lena' })
  const tomorrow = daysLater(localToday(new Date(), 'Europe/Berlin'), 1)
  const lessons = Array.from({ length: COUNT }, (_, at) => {
    const day = daysLater(tomorrow, Math.floor(at / A_DAY))
    const hour = String(10 + (at % A_DAY))
    return {
      instructor_id: instructor.id,
      student_id: student.id,
      lesson_type_id: school.lessonTypes.PRACTICE ?? '',
      start_at: `${day} ${hour}:00`,
      end_at: `${day} ${hour}:45`,
      status: at % 10 === 3 ? 'cancelled' : 'planned',
    }
  })
  await storeLessons(service(), school, lessons.toReversed())
  starts = lessons.map(({ start_at }) => start_at.replace(' ', 'T'))
  const { body } = await school.client.post(`/students/${student.id}/link`)
  path = `/${body.url.slice(service().url.length)}`
})

const look = (address: string) => new Client(service()).get(address)

const startsIn = (text: string) => [...text.matchAll(/<time datetime="([^"]+)"/g)].map(([, start]) => start)
const linkIn = (text: string, words: string) =>
  new RegExp(`<a href="(\\?[^"]+)"[^>]*>${words}</a>`).exec(text)?.[1]?.replaceAll('&#38;', '&')

describe('the page of a student with a thousand lessons', () => {
  it('shows up to 100 lessons at a time, each once and in order, and links to the next page', async () => {
    const seen: (string | undefined)[] = []
    let pages = 0
    for (let query: string | undefined = '?lang=en'; query; pages += 1) {
      const { status, text } = await look(`${path}${query}`)
      expect(status).toBe(200)
      const some = startsIn(text)
      expect(some.length).toBeLessThanOrEqual(100)
      seen.push(...some)
      query = linkIn(text, 'More lessons')
      expect(query ?? '?lang=en&').toContain('?lang=en&')
    }
    expect([pages, seen]).toEqual([12, starts])
  })

  it('links from a later page to the first, which alone has the calendar link', async () => {
    const first = (await look(path)).text
    const later = (await look(`${path}${linkIn(first, 'Weitere Termine')}`)).text
    expect(linkIn(first, 'Zu den ersten Terminen')).toBeUndefined()
    expect(linkIn(later, 'Zu den ersten Terminen')).toBe('?lang=de')
    expect([first, later].map((text) => text.includes('webcal:'))).toEqual([true, false])
  })

  it.each(['x', '', 'W10', 'x&cursor=y', Buffer.from('["2031-02-30 08:00","x"]').toString('base64url')])(
    'begins at the first lesson for the invalid cursor %s',
    async (cursor) => {
      const { status, text } = await look(`${path}?cursor=${cursor}`)
      expect([status, startsIn(text)]).toEqual([200, starts.slice(0, 100)])
    },
  )

  it('is also a calendar with all lessons, which returns 304 until something changes', async () => {
    const { headers, text } = await look(`${path}.ics`)
    const events = Object.values(ical.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT')
    expect(events).toHaveLength(COUNT)
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await new Client(service()).get(`${path}.ics`, known)).status).toBe(304)
    expect((await new Client(service()).get(`${path}.ics?lang=en`, known)).status).toBe(200)
    const { body } = await school.client.get(`/appointments?student_id=${student.id}&limit=1`)
    await school.client.patch(`/instructors/${body[0].instructor_id}`, { first_name: 'Ida' })
    const changed = await new Client(service()).get(`${path}.ics`, known)
    expect([changed.status, changed.text.includes('mit Ida')]).toEqual([200, true])
  })
})
