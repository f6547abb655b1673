import { describe, expect, it } from 'vitest'
import type { InstructorRules } from './agenda.ts'
import { instructorWith } from './agenda-builder.test-support.ts'
import { intervalOf } from './interval.ts'
import { ladderOf } from './ladder.ts'
import { hoursFor } from './ladder-hours.ts'
import type { LadderLesson, LadderProblem } from './ladder-problem.ts'
import { minuteOf } from './local-time.ts'
import { occupantsOf } from './occupants.ts'
import { completed } from './steps.ts'

const DAY = '2026-05-04'

type Booked = {
  readonly by: string
  readonly from: string
  readonly to: string
  /** The instructors and times to which it may be moved. */
  readonly places: readonly (readonly [by: string, from: string, to: string])[]
}

function lessonOf({ by, from, to, places }: Booked): LadderLesson {
  return {
    id: `${by} ${from}`,
    instructor_id: by,
    student_id: `student of ${by} ${from}`,
    start_at: `${DAY} ${from}`,
    end_at: `${DAY} ${to}`,
    counts_toward_limits: true,
    only_in_the_dark: false,
    places: places.map(([instructor_id, start, end]) => ({
      instructor_id,
      vehicle_ids: [],
      hours: [intervalOf({ start_at: `${DAY} ${start}`, end_at: `${DAY} ${end}` })],
    })),
  }
}

/** Returns a day on which the instructor `ill` is away. */
function dayWith(booked: readonly Booked[], rules: Partial<InstructorRules> = {}): LadderProblem {
  const lessons = booked.map(lessonOf)
  const isAffected = ({ instructor_id }: LadderLesson) => instructor_id === 'ill'
  return {
    affected: lessons.filter(isAffected),
    others: lessons.filter((one) => !isAffected(one)),
    calendars: {
      unit_minutes: 45,
      find: ({ kind, id }) => ({
        rules: kind === 'instructor' ? instructorWith({ id, ...rules }) : undefined,
        appointments: lessons.filter((one) => occupantsOf(one).some((other) => other.id === id)),
      }),
    },
    timezone: 'Europe/Berlin',
    darkness: undefined,
    now: minuteOf(`${DAY} 00:00`),
  }
}

function ladderIn(problem: LadderProblem, may_move: number) {
  return completed(ladderOf(problem, may_move)).map(({ saved, moved }) => [
    saved.length,
    moved.map(({ id }) => id).toSorted(),
  ])
}

const HIT: Booked = { by: 'ill', from: '09:00', to: '10:30', places: [['a', '09:00', '10:30']] }

describe('ladderOf', () => {
  it('saves a lesson without moves if another instructor is free', () => {
    expect(ladderIn(dayWith([HIT]), 1)).toEqual([
      [1, []],
      [1, []],
    ])
  })

  it('moves the lesson in the way, and the one in its way', () => {
    const first: Booked = { by: 'a', from: '09:00', to: '10:30', places: [['b', '09:00', '10:30']] }
    const second: Booked = { by: 'b', from: '10:00', to: '11:30', places: [['b', '12:00', '13:30']] }
    expect(ladderIn(dayWith([HIT, first]), 2)).toEqual([
      [0, []],
      [1, ['a 09:00']],
      [1, ['a 09:00']],
    ])
    expect(ladderIn(dayWith([HIT, first, second]), 2)).toEqual([
      [0, []],
      [0, []],
      [1, ['a 09:00', 'b 10:00']],
    ])
  })

  it('moves a lesson away from an instructor whose day is at its limit', () => {
    const full: Booked = { by: 'a', from: '14:00', to: '15:30', places: [['b', '14:00', '15:30']] }
    const limit = { max_daily_units: 3, max_daily_override: 8 }
    expect(ladderIn(dayWith([HIT, full], limit), 1)).toEqual([
      [0, []],
      [1, ['a 14:00']],
    ])
  })

  it('moves a lesson to the nearest time that is free', () => {
    const inTheWay: Booked = { by: 'a', from: '09:30', to: '10:30', places: [['a', '06:00', '18:00']] }
    const [, step] = completed(ladderOf(dayWith([HIT, inTheWay]), 1))
    expect(step?.moved.map(({ start }) => start)).toEqual([minuteOf(`${DAY} 10:30`)])
  })

  it('saves two lessons that compete for one free time if the time of one can change', () => {
    const rival: Booked = {
      by: 'ill',
      from: '11:00',
      to: '12:30',
      places: [
        ['a', '09:00', '11:00'],
        ['a', '13:00', '15:00'],
      ],
    }
    expect(ladderIn(dayWith([HIT, rival]), 0)).toEqual([[2, []]])
    expect(ladderIn(dayWith([HIT, { ...rival, places: rival.places.slice(0, 1) }]), 0)).toEqual([[1, []]])
  })
})

describe('hoursFor', () => {
  const wish = {
    ...{ id: 'w', weekdays: [2], time_from: '09:00', time_to: null, minutes: 90 },
    ...{ lesson_type_id: null, instructor_id: null, from: null, until: null },
  }
  const TUESDAY = '2026-05-05'
  const on = (date: string, from: string, to: string) =>
    intervalOf({
      start_at: `${date} ${from}`,
      end_at: to === '24:00' ? `${date.slice(0, 9)}${Number(date.slice(9)) + 1} 00:00` : `${date} ${to}`,
    })

  it('is the day of the lesson for a student who has said nothing', () => {
    expect(hoursFor({ wishes: [], availability: [] }, [DAY, TUESDAY], DAY)).toEqual([
      on(DAY, '00:00', '24:00'),
    ])
  })

  it('is the hours of the wishes, on whichever day of the absence they hold', () => {
    expect(hoursFor({ wishes: [wish], availability: [] }, [DAY, TUESDAY], DAY)).toEqual([
      on(TUESDAY, '09:00', '24:00'),
    ])
    expect(hoursFor({ wishes: [wish], availability: [] }, [DAY], DAY)).toEqual([])
  })

  it('is the hours of the answer for the week, in place of the wishes', () => {
    const answer = {
      week_start: DAY,
      lessons: 1,
      windows: [{ date: DAY, time_from: '10:00', time_to: '12:00', minutes: 90 }],
    }
    const of = (given: object) =>
      hoursFor({ wishes: [wish], availability: [{ ...answer, ...given }] }, [DAY, TUESDAY], DAY)
    expect(of({})).toEqual([on(DAY, '10:00', '12:00')])
    expect(of({ windows: null })).toEqual([on(TUESDAY, '09:00', '24:00')])
    expect(of({ lessons: 0 })).toEqual([])
  })
})
