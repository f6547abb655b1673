import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WorkingDays } from './closed-days.ts'
import { dayOf, daysLater, weekdayOf } from './local-time.ts'

describe('working days', () => {
  it('counted back equal a search day by day', () => {
    const closed = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 300 })
    const first = '2026-01-01'
    fc.assert(
      fc.property(
        closed,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 60 }),
        (off, from, count) => {
          const dates = new Set(off.map((days) => daysLater(first, days)))
          const date = daysLater(first, from)
          let [expected, left] = [date, count]
          for (let day = daysLater(date, -1); left > 0; day = daysLater(day, -1)) {
            if (weekdayOf(dayOf(day)) > 5 || dates.has(day)) continue
            expected = day
            left -= 1
          }
          expect(new WorkingDays((day) => dates.has(day)).before(date, count)).toBe(expected)
        },
      ),
    )
  })

  it('are the earliest within 1,000 days if there are too few, or the date itself', () => {
    const opensOnce = new WorkingDays((date) => date !== '2025-06-02')
    expect(opensOnce.before('2026-06-02', 5)).toBe('2025-06-02')
    expect(opensOnce.before('2030-06-03', 5)).toBe('2030-06-03')
  })

  it('are checked once each, however many lessons and steps are counted back', () => {
    const asked: string[] = []
    const days = new WorkingDays((date) => {
      asked.push(date)
      return true
    })
    for (let lesson = 0; lesson < 400; lesson += 1)
      for (let step = 1; step <= 20; step += 1) days.before(daysLater('2027-01-01', lesson), step)
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked.length).toBeLessThan(1_600)
  })
})
