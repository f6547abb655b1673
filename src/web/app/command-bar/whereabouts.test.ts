import { describe, expect, it } from 'vitest'
import type { Appointment } from '../../../contract/appointment.ts'
import { whereaboutsIn } from './whereabouts.ts'

const DAY = '2027-03-01'

function lesson(id: string, start_at: string, status: Appointment['status'] = 'planned'): Appointment {
  return { id, start_at, end_at: `${start_at.slice(0, 11)}${id}`, status } as unknown as Appointment
}

const first = lesson('09:30', `${DAY} 08:00`, 'completed')
const second = lesson('11:30', `${DAY} 10:00`)
const later = lesson('12:00', '2027-03-03 10:00')
const gone = lesson('15:00', `${DAY} 14:00`, 'cancelled')
const missed = lesson('12:00', '2027-03-02 10:00', 'no_show')

describe('the whereabouts of a person', () => {
  it.each([
    ['07:59', undefined],
    ['08:00', first],
    ['09:29', first],
    ['09:30', undefined],
    ['10:00', second],
    ['11:30', undefined],
  ])('at %s show the current lesson, if any', (time, now) => {
    expect(whereaboutsIn([second, first, later], `${DAY} ${time}`).now).toBe(now)
  })

  it("list the day's lessons in order and the first lesson of a later day", () => {
    const told = whereaboutsIn([later, second, first], `${DAY} 13:00`)
    expect(told).toEqual({ now: undefined, today: [first, second], next: later })
  })

  it('ignore cancelled and missed lessons', () => {
    const told = whereaboutsIn([gone, missed, later], `${DAY} 14:30`)
    expect(told).toEqual({ now: undefined, today: [], next: later })
  })
})
