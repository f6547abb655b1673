import { describe, expect, it } from 'vitest'
import { type LocalDateTime, minutesLater } from './local-time.ts'
import { spreadTimes } from './spread-times.ts'

const DAYS = ['2030-05-07', '2030-05-08', '2030-05-09', '2030-05-10']

/** Returns lessons of 90 minutes that start every half hour from eight to six on four days. */
function everyHalfHour() {
  return DAYS.flatMap((day) =>
    Array.from({ length: 21 }, (_, at) => {
      const start_at = minutesLater(`${day} 08:00`, at * 30)
      return { start_at, end_at: minutesLater(start_at, 90) }
    }),
  )
}

const startsOf = (times: readonly { readonly start_at: LocalDateTime }[]) =>
  times.map(({ start_at }) => start_at.slice(8))
const none = () => false

describe('the times to choose from', () => {
  it('are one in the morning, one at noon and one in the evening of each day', () => {
    const { wished, others, hasMore } = spreadTimes(everyHalfHour(), none, 5)
    expect(wished).toEqual([])
    expect(startsOf(others)).toEqual(['07 08:00', '07 12:00', '07 16:00', '08 08:00', '08 12:00'])
    expect(hasMore).toBe(true)
  })

  it('begin with those that were wished for, and leave two of five to others', () => {
    const isEvening = ({ start_at }: { start_at: string }) => start_at.slice(11) >= '17:00'
    const { wished, others } = spreadTimes(everyHalfHour(), isEvening, 5)
    expect(startsOf(wished)).toEqual(['07 17:00', '08 17:00', '09 17:00'])
    expect(startsOf(others)).toEqual(['07 08:00', '07 12:00'])
  })

  it('are all wished for if there are no others, and are more with a greater limit', () => {
    const all = spreadTimes(everyHalfHour(), () => true, 5)
    expect([all.wished.length, all.others.length, all.hasMore]).toEqual([5, 0, true])
    const most = spreadTimes(everyHalfHour(), () => true, 12)
    expect([most.wished.length, most.hasMore]).toEqual([12, false])
  })

  it('leave no useless remainder where a part of the day has such a time', () => {
    const times = everyHalfHour().map((time) => {
      const hour = time.start_at.slice(11)
      return { ...time, isWasteful: hour < '10:30' || hour >= '16:00' }
    })
    expect(startsOf(spreadTimes(times, none, 3).others)).toEqual(['07 10:30', '07 12:00', '07 16:00'])
    expect(startsOf(spreadTimes(times, () => true, 3).wished)).toEqual(['07 10:30', '07 12:00', '07 16:00'])
  })

  it('never overlap each other', () => {
    const isLate = ({ start_at }: { start_at: string }) => start_at.slice(11) === '11:30'
    const { wished, others } = spreadTimes(everyHalfHour(), isLate, 40)
    const times = [...wished, ...others].toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
    for (const [at, { end_at }] of times.entries())
      expect((times[at + 1]?.start_at ?? '9') >= end_at).toBe(true)
  })
})
