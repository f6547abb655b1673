import { describe, expect, it } from 'vitest'
import { timed } from './agenda.ts'
import { daysOff, lesson } from './agenda-builder.test-support.ts'
import { vacationRefusalFor, vacationWithin } from './vacation.ts'

describe('a vacation from Tuesday to Thursday', () => {
  const vacations = [daysOff('2026-03-03', '2026-03-05', 'Skiing')]

  it.each([
    ['2026-03-02 10:00', '2026-03-02 11:00', 'lies on the day before'],
    ['2026-03-02 23:00', '2026-03-02 23:59', 'ends a minute before midnight'],
    ['2026-03-02 23:00', '2026-03-03 00:00', 'ends at midnight, when the vacation begins'],
    ['2026-03-06 00:00', '2026-03-06 01:00', 'starts at midnight, when the vacation has ended'],
  ])('allows %s to %s, which %s', (start, end) => {
    expect(vacationRefusalFor(timed(lesson(start, end)), vacations)).toBeUndefined()
  })

  it.each([
    ['2026-03-02 23:00', '2026-03-03 00:01', 'overlaps its first minute'],
    ['2026-03-03 00:00', '2026-03-03 01:00', 'starts in its first minute'],
    ['2026-03-04 10:00', '2026-03-04 11:00', 'lies in its middle'],
    ['2026-03-05 10:00', '2026-03-05 11:00', 'lies on its last day'],
    ['2026-03-05 23:00', '2026-03-06 00:00', 'ends with its last day'],
    ['2026-03-05 23:59', '2026-03-06 01:00', 'starts in its last minute'],
  ])('rejects %s to %s, which %s', (start, end) => {
    expect(vacationRefusalFor(timed(lesson(start, end)), vacations)).toEqual({
      code: 'instructor_on_vacation',
      params: { start_date: '2026-03-03', end_date: '2026-03-05', note: 'Skiing' },
    })
  })
})

describe('a vacation of one day', () => {
  it.each([
    ['2026-03-03 00:00', '2026-03-04 00:00', true, 'the day itself'],
    ['2026-03-02 22:00', '2026-03-03 02:00', true, 'the night into it'],
    ['2026-03-03 22:00', '2026-03-04 02:00', true, 'the night out of it'],
    ['2026-03-02 00:00', '2026-03-03 00:00', false, 'the day before'],
    ['2026-03-04 00:00', '2026-03-05 00:00', false, 'the day after'],
  ])('rejects %s to %s: %s, %s', (start, end, refused) => {
    const refusal = vacationRefusalFor(timed(lesson(start, end)), [daysOff('2026-03-03', '2026-03-03')])
    expect(refusal !== undefined).toBe(refused)
  })

  it('rejects a lesson that starts before the day and ends after it', () => {
    const proposed = timed(lesson('2026-03-02 23:30', '2026-03-04 00:30'))
    expect(vacationRefusalFor(proposed, [daysOff('2026-03-03', '2026-03-03')])).toBeDefined()
  })
})

describe('vacations', () => {
  it('reject nothing if the list is empty', () => {
    expect(vacationRefusalFor(timed(lesson('2026-03-02 10:00', '11:00')), [])).toBeUndefined()
  })

  it('across the end of a year apply in both years', () => {
    const vacations = [daysOff('2026-12-30', '2027-01-02')]
    expect(vacationRefusalFor(timed(lesson('2026-12-31 10:00', '11:00')), vacations)).toBeDefined()
    expect(vacationRefusalFor(timed(lesson('2027-01-01 10:00', '11:00')), vacations)).toBeDefined()
    expect(vacationRefusalFor(timed(lesson('2027-01-03 10:00', '11:00')), vacations)).toBeUndefined()
  })

  it('with a day between them leave that day free', () => {
    const vacations = [daysOff('2026-03-02', '2026-03-02'), daysOff('2026-03-04', '2026-03-04')]
    expect(vacationRefusalFor(timed(lesson('2026-03-03 10:00', '11:00')), vacations)).toBeUndefined()
  })

  it.each([
    ['the one that begins first', daysOff('2026-03-01', '2026-03-09'), daysOff('2026-03-02', '2026-03-05')],
    [
      'for equal starts, the one that ends first',
      daysOff('2026-03-02', '2026-03-04'),
      daysOff('2026-03-02', '2026-03-09'),
    ],
  ])('that overlap: %s is reported, in any input order', (_, named, other) => {
    const proposed = timed(lesson('2026-03-03 10:00', '11:00'))
    const params = { start_date: named.start_date, end_date: named.end_date }
    expect(vacationRefusalFor(proposed, [named, other])?.params).toMatchObject(params)
    expect(vacationRefusalFor(proposed, [other, named])?.params).toMatchObject(params)
  })

  it('that end before the lesson are not reported', () => {
    const vacations = [daysOff('2026-02-01', '2026-02-05'), daysOff('2026-03-03', '2026-03-03')]
    const refusal = vacationRefusalFor(timed(lesson('2026-03-03 10:00', '11:00')), vacations)
    expect(refusal?.params).toEqual({ start_date: '2026-03-03', end_date: '2026-03-03', note: null })
  })
})

describe('a vacation from 3 to 5 March', () => {
  const week = daysOff('2026-03-03', '2026-03-05')

  it.each([
    ['2026-03-01', '2026-03-02', false],
    ['2026-03-01', '2026-03-03', true],
    ['2026-03-04', '2026-03-04', true],
    ['2026-03-01', '2026-03-31', true],
    ['2026-03-05', '2026-03-31', true],
    ['2026-03-06', '2026-03-31', false],
  ])('is found between %s and %s: %s', (first, last, found) => {
    expect(vacationWithin(first, last, [week])).toBe(found ? week : undefined)
  })
})
