import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

describe('a lesson that breaks every rule (S82)', () => {
  const proposal = at('10:00', '11:30')
  let of: { instructor: string; student: string }
  let mending: readonly (readonly [code: string, mend: () => Promise<unknown>])[]

  beforeEach(async () => {
    of = { instructor: (await school.instructor()).id, student: (await school.student()).id }
    const { id: another } = await school.instructor()
    const booked = (instructor_id: string, more: object) => school.lesson({ instructor_id, ...more })
    const clash = await booked(of.instructor, at('11:00', '12:00'))
    const elsewhere = await booked(another, { student_id: of.student, ...at('11:00', '12:00') })
    await booked(of.instructor, at('08:30', '09:50'))
    const set = (rules: object) => school.client.patch(`/instructors/${of.instructor}`, rules)
    await set({
      active: false,
      vacations: [{ start_date: '2026-05-04', end_date: '2026-05-04' }],
      availability_windows: [{ weekday: 2, start: '08:00', end: '18:00' }],
      max_daily_units: 2,
      max_weekly_units: 2,
      required_break_minutes: 30,
      max_continuous_minutes: 60,
    })
    mending = [
      ['instructor_inactive', () => set({ active: true })],
      ['instructor_busy', () => school.client.delete(`/appointments/${clash.id}`)],
      ['student_busy', () => school.client.patch(`/appointments/${elsewhere.id}`, { status: 'cancelled' })],
      ['instructor_on_vacation', () => set({ vacations: [] })],
      ['outside_availability', () => set({ availability_windows: [] })],
      ['daily_limit_exceeded', () => set({ max_daily_override: 8 })],
      ['weekly_limit_exceeded', () => set({ max_weekly_override: 8 })],
      ['break_too_short', () => set({ required_break_minutes: 10 })],
      ['continuous_minutes_exceeded', () => set({ max_continuous_minutes: null })],
    ]
  })

  it('is rejected by POST for the first broken rule, and for the next once that is fixed', async () => {
    const body = { instructor_id: of.instructor, student_id: of.student, ...proposal }
    for (const [code, mend] of mending) {
      const answer = await school.book(body)
      expect([answer.status, answer.body.code]).toEqual([409, code])
      await mend()
    }
    const { status, body: booked } = await school.book(body)
    expect([status, booked.overrides_used]).toEqual([201, ['daily', 'weekly']])
  })

  it('is rejected by PATCH for the first broken rule, and for the next once that is fixed', async () => {
    const { id: elsewhere } = await school.instructor()
    const standing = await school.lesson({ instructor_id: elsewhere, ...at('20:00', '21:00') })
    const change = { instructor_id: of.instructor, student_id: of.student, ...proposal }
    for (const [code, mend] of mending) {
      const answer = await school.client.patch(`/appointments/${standing.id}`, change)
      expect([answer.status, answer.body.code]).toEqual([409, code])
      await mend()
    }
    const { status, body } = await school.client.patch(`/appointments/${standing.id}`, change)
    expect([status, body.overrides_used]).toEqual([200, ['daily', 'weekly']])
  })
})
