import { describe, expect, it } from 'vitest'
import { countedMinutesOf, offPlanIn } from './counted-minutes.ts'

const lesson = (actual_minutes: number | null, status = 'completed') => ({
  status,
  minutes: 90,
  actual_minutes,
  count: 1,
})

describe('a lesson planned for 90 minutes', () => {
  it.each([
    ['as planned without actual times', null, 90],
    ['as planned if it took 5 minutes less', 85, 90],
    ['as it was if it took 6 minutes less', 84, 84],
    ['as it was if it took 4 minutes', 4, 4],
    ['as it was if it took longer', 91, 91],
  ])('counts %s', (_, actual, minutes) => {
    expect(countedMinutesOf(lesson(actual))).toBe(minutes)
  })

  it.each(['planned', 'no_show', 'missed'])('counts as planned while it is %s', (status) => {
    expect(countedMinutesOf(lesson(4, status))).toBe(90)
  })

  it.each([
    [84, true],
    [85, false],
    [95, false],
    [96, true],
  ])('that took %i is off plan: %s', (actual, isOff) => {
    expect(offPlanIn([lesson(actual)]).off_plan !== undefined).toBe(isOff)
  })
})

it('the lessons that are off plan are summed up', () => {
  const lessons = [{ ...lesson(4), count: 3 }, lesson(100), lesson(90), lesson(null), lesson(4, 'planned')]
  expect(offPlanIn(lessons)).toEqual({
    off_plan: { lessons: 4, planned_minutes: 360, actual_minutes: 112 },
  })
})
