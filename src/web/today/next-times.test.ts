import { describe, expect, it } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import type { LessonType } from '../../contract/lesson-type.ts'
import type { Progress } from '../../contract/progress.ts'
import { minutesLater } from '../../domain/local-time.ts'
import { nextLessonAfter, nextTimes } from './next-times.ts'

/** A Monday. */
const LESSON = {
  start_at: '2032-03-01 10:00',
  end_at: '2032-03-01 11:30',
  lesson_type_id: 'practice',
} as Appointment

const free = (...starts: string[]) =>
  starts.map((start_at) => ({ start_at, end_at: minutesLater(start_at, 90) }))
const startsOf = (times: readonly { readonly start_at: string }[]) => times.map(({ start_at }) => start_at)

describe('the proposed times of the next lesson', () => {
  it('begin with the same weekday and hour a week later', () => {
    const found = free(
      '2032-03-02 10:00',
      '2032-03-08 09:00',
      '2032-03-08 10:00',
      '2032-03-09 10:00',
      '2032-03-15 10:00',
    )
    expect(startsOf(nextTimes(found, LESSON, '2032-03-01'))).toEqual([
      '2032-03-08 10:00',
      '2032-03-15 10:00',
      '2032-03-09 10:00',
    ])
  })

  it('do not overlap, and are fewer if no more are free', () => {
    const found = free('2032-03-08 10:00', '2032-03-08 10:15', '2032-03-08 11:30')
    expect(startsOf(nextTimes(found, LESSON, '2032-03-01'))).toEqual(['2032-03-08 10:00', '2032-03-08 11:30'])
  })

  it('of a lesson long ago are in the coming week', () => {
    const found = free('2032-05-03 10:00', '2032-05-10 10:00')
    expect(startsOf(nextTimes(found, LESSON, '2032-05-01'))[0]).toBe('2032-05-03 10:00')
  })
})

const types = new Map(
  [
    { id: 'theory', category: 'theory', default_minutes: 90 },
    { id: 'practice', category: 'practical', default_minutes: 45 },
    { id: 'motorway', category: 'special', default_minutes: 135 },
  ].map((type) => [type.id, type as LessonType]),
)
const progress = (open: Readonly<Record<string, number>>) =>
  ({
    requirements: Object.entries(open).map(([lesson_type_id, open_units]) => ({
      lesson_type_id,
      open_units,
    })),
  }) as unknown as Progress

describe('the type of the next lesson', () => {
  it.each([
    [
      'the same, with its length, while units are open',
      { theory: 2, practice: 1, motorway: 4 },
      'practice',
      90,
    ],
    ['the first open drive, with its own length', { theory: 2, practice: 0, motorway: 4 }, 'motorway', 135],
    ['the same again if nothing but theory is open', { theory: 2 }, 'practice', 90],
  ])('is %s', (_, open, id, minutes) => {
    expect(nextLessonAfter(LESSON, progress(open), types)).toMatchObject({ type: { id }, minutes })
  })

  it('is the same again before the requirements are known', () => {
    expect(nextLessonAfter(LESSON, undefined, types)).toMatchObject({ type: { id: 'practice' } })
  })
})
