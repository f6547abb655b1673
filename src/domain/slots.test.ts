import { describe, expect, it } from 'vitest'
import type { CountedAppointment } from './agenda.ts'
import { agendaWith, lesson, openOn } from './agenda-builder.test-support.ts'
import { dailyAgendaFor } from './daily-agenda.ts'
import { localDateTimeFor, minuteOf } from './local-time.ts'
import { firstSlots, nearestSlots, type SlotSearch } from './slots.ts'
import { completed } from './steps.ts'

const MONDAY = '2028-05-15'
const TUESDAY = '2028-05-16'
const NEAREST = { limit: 3, shortest_minutes: 45 }

/** Returns a search for 60 minutes on a Monday and Tuesday. Work begins at 08:00, and breaks take 15 minutes. */
function searchBeside(booked: readonly CountedAppointment[], closes: string): SlotSearch {
  const availability_windows = [openOn(1, '08:00', closes), openOn(2, '08:00', closes)]
  const rules = { availability_windows, required_break_minutes: 15 }
  return {
    dailyAgendas: [dailyAgendaFor(agendaWith({ rules, booked }))],
    criteria: {
      minutes: 60,
      counts_toward_limits: true,
      range: { start: minuteOf(`${MONDAY} 00:00`), end: minuteOf(`${TUESDAY} 24:00`) },
      step: 5,
      with_overrides: false,
      timezone: 'Europe/Berlin',
    },
    preferred_instructor_id: null,
  }
}

/** Returns the useful and the wasteful starts on Monday. The shortest lesson takes 45 minutes. */
function startsByFit(booked: readonly CountedAppointment[], closes = '12:00') {
  const search = searchBeside(booked, closes)
  const criteria = { ...search.criteria, weekdays: [1] }
  const order = { by: 'fit', shortest_minutes: 45 } as const
  const found = completed(firstSlots({ ...search, criteria }, order, { limit: 100 }))
  const startsOf = (isWasteful: boolean) =>
    found
      .filter(({ fit }) => (fit % 2 === 1) === isWasteful)
      .map(({ start }) => localDateTimeFor(start).slice(11))
  return { useful: startsOf(false), wasteful: startsOf(true) }
}

describe('a search by fit', () => {
  it('prefers starts that leave nothing, or a break and a lesson, before and after', () => {
    const { useful, wasteful } = startsByFit([])
    expect(useful).toEqual(['08:00', ...fives('09:00', '10:00'), '11:00'])
    expect(wasteful).toEqual([...fives('08:05', '08:55'), ...fives('10:05', '10:55')])
  })

  it('prefers starts that leave a break, or a lesson between two breaks, before the next lesson', () => {
    const { useful } = startsByFit([lesson(`${MONDAY} 11:15`, '12:00')])
    expect(useful).toEqual(['08:00', '09:00', '10:00'])
  })

  it('finds the single start if the working hours are as long as the lesson', () => {
    expect(startsByFit([], '09:00')).toEqual({ useful: ['08:00'], wasteful: [] })
  })
})

it('the nearest starts to 23:00 can be on the next morning', () => {
  const found = completed(nearestSlots(searchBeside([], '09:30'), minuteOf(`${MONDAY} 23:00`), NEAREST))
  expect(found.map(({ start }) => localDateTimeFor(start))).toEqual([
    `${TUESDAY} 08:00`,
    `${TUESDAY} 08:05`,
    `${TUESDAY} 08:10`,
  ])
})

describe('a time that leaves a useless remainder', () => {
  const nearestOnMonday = (asked: string, booked: readonly CountedAppointment[]) => {
    const search = searchBeside(booked, '14:00')
    const criteria = { ...search.criteria, weekdays: [1] }
    const found = completed(nearestSlots({ ...search, criteria }, minuteOf(`${MONDAY} ${asked}`), NEAREST))
    return found.map(({ start }) => localDateTimeFor(start).slice(11))
  }

  it('counts as half an hour farther than one that leaves none', () => {
    expect(nearestOnMonday('08:30', [])).toEqual(['08:00', '09:00', '08:30'])
    expect(nearestOnMonday('08:25', [])).toEqual(['08:00', '08:25', '09:00'])
  })

  it('is found if all others are more than half an hour farther', () => {
    const booked = [lesson(`${MONDAY} 10:20`, '14:00')]
    expect(nearestOnMonday('09:10', booked)).toEqual(['09:05', '09:00', '08:55'])
  })
})

/** Returns every fifth minute from one time of day to another, inclusive. */
function fives(first: string, last: string): readonly string[] {
  const minutes = (time: string) => minuteOf(`${MONDAY} ${time}`)
  const all: string[] = []
  for (let minute = minutes(first); minute <= minutes(last); minute += 5)
    all.push(localDateTimeFor(minute).slice(11))
  return all
}
