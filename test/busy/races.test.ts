import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { rounds } from '../support/rounds.ts'
import { addCalendar, calendarWith, makeDue, timesOf, useReaders } from './readers.ts'

const service = useService()
const { hire, serve } = useReaders(service)
let school: School

beforeEach(async () => {
  school = await aSchool(service())
  must(200, await school.client.patch('/tenant', { busy_calendars: 'refuse' }))
})

it('bookings beside a reading: none overlaps the times once they are stored', {
  tags: 'rounds',
  timeout: 120_000,
}, async () => {
  const text = calendarWith('10:00–11:00')
  const server = await serve(() => ({ status: 200, body: text }))
  const watched: { readonly jonas: Row; readonly calendar: Row }[] = []
  for (let round = 0; round < rounds(24); round += 1) {
    const jonas = await school.instructor()
    watched.push({ jonas, calendar: await addCalendar(service(), school, jonas, server.url) })
  }
  await sql`update busy_calendars set next_read_at = 'infinity'`.execute(service().db)
  // Not earlier: the calendars are moved to the test's server after they were added.
  hire({ intervals: { look: 1 } })
  const outcomes = new Set<number>()
  for (const { jonas, calendar } of watched) {
    await makeDue(service(), calendar)
    const lesson = {
      instructor_id: jonas.id,
      lesson_type_id: school.lessonTypes.PRACTICE,
      title: 'Lesson',
      start_at: '2031-06-02 12:30',
      end_at: '2031-06-02 13:30',
    }
    let stored = false
    const reading = expect
      .poll(() => timesOf(school, jonas), { interval: 1 })
      .toEqual(['12:00–13:00'])
      .then(() => {
        stored = true
      })
    while (true) {
      const wasStored: boolean = stored
      const { status, body } = await school.client.post('/appointments', lesson)
      outcomes.add(status)
      expect([201, 409]).toContain(status)
      if (status === 201) {
        expect(wasStored, 'booked although the times were stored').toBe(false)
        expect((await school.client.delete(`/appointments/${body.id}`)).status).toBe(204)
      } else expect(body.code).toBe('instructor_busy_elsewhere')
      if (wasStored) break
    }
    await reading
  }
  expect(outcomes).toContain(409)
})
