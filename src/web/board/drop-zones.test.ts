import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import { intervalOf, minutesOf, overlaps } from '../../domain/interval.ts'
import { dateOf, dayOf, localDateTimeFor, midnightOf, minuteOf, mondayOf } from '../../domain/local-time.ts'
import { surroundingsOfWeek } from '../../domain/surroundings.ts'
import { type Scene, scenes, schoolWith } from '../lessons/random-school.test-support.ts'
import { localVerdictFor, missingFieldIn } from '../lessons/verdict.ts'
import { type BoardColumn, dropStartsFor, paintOf, zonesFor } from './drop-zones.ts'

const RUNS = { numRuns: 100 }
const STEPS_PER_DAY = 96

const columnOf = ({ draft }: Scene) => ({
  instructor_id: draft.instructor_id,
  date: dateOf(draft.start_at),
})

/** Returns the lessons that the board has loaded for a week. */
const weekOf = ({ all }: Scene, monday: string) =>
  all.filter((one) => overlaps(intervalOf(one), surroundingsOfWeek(dayOf(monday))))

const besideIn = (scene: Scene, { date }: { readonly date: string }) => ({
  lessons: weekOf(scene, mondayOf(date)),
})

const dropStartsOf = (scene: Scene) => {
  const column = columnOf(scene)
  return dropStartsFor(scene.draft, scene.school, besideIn(scene, column))(column)
}

/** Returns the starts in a column at which the verdict accepts the lesson. */
function acceptedIn(scene: Scene, { date, instructor_id }: BoardColumn): readonly number[] {
  const { draft, school } = scene
  const minutes = minutesOf(intervalOf(draft))
  const midnight = midnightOf(dayOf(date))
  const starts = Array.from({ length: STEPS_PER_DAY }, (_, index) => midnight + index * 15)
  return starts.filter((start) => {
    const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(start + minutes) }
    const there = { ...draft, instructor_id, ...times }
    const { verdict } = localVerdictFor(there, school, (monday) => weekOf(scene, monday))
    return missingFieldIn(there, school) === undefined && verdict?.refusals.length === 0
  })
}

describe('the drop starts of a lesson', () => {
  it('are in every column exactly the starts that the verdict accepts', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { draft, school } = scene
        const { date } = columnOf(scene)
        const dropStartsIn = dropStartsFor(draft, school, besideIn(scene, { date }))
        for (const instructor_id of school.instructor.keys()) {
          const column = { instructor_id, date }
          expect(dropStartsIn(column)).toEqual(acceptedIn(scene, column))
        }
      }),
      RUNS,
    )
  })

  it('exist in many sampled columns and are empty in others', () => {
    const found = fc.sample(scenes, { ...RUNS, seed: 1 }).map((scene) => dropStartsOf(scene).length)
    expect(found.filter((count) => count === 0).length).toBeGreaterThan(10)
    expect(found.filter((count) => count > 0 && count < STEPS_PER_DAY).length).toBeGreaterThan(10)
  })

  it('keep the offset of a lesson that does not start on a quarter hour', () => {
    const [scene] = fc
      .sample(scenes, { ...RUNS, seed: 1 })
      .filter((one) => dropStartsOf(one).length > 10) as [Scene]
    const times = {
      start_at: localDateTimeFor(minuteOf(scene.draft.start_at) + 5),
      end_at: scene.draft.end_at,
    }
    const dropStarts = dropStartsOf({ ...scene, draft: { ...scene.draft, ...times } })
    expect(dropStarts.length).toBeGreaterThan(0)
    expect(new Set(dropStarts.map((start) => start % 15))).toEqual(new Set([5]))
  })

  it('include its own time, and those of proposed lessons unless it is proposed itself', () => {
    const free = { availability_windows: [], required_break_minutes: 0, max_continuous_minutes: null }
    const school = schoolWith([{ ...free, max_daily_units: null, max_weekly_units: null }])
    const lessonAt = (id: string, hour: string): Appointment => {
      const times = { start_at: `2026-03-30 ${hour}:00`, end_at: `2026-03-30 ${hour}:45` }
      return {
        ...example.appointment,
        instructor_id: 'one',
        student_id: null,
        vehicle_ids: [],
        id,
        status: 'planned',
        ...times,
      }
    }
    const [booked, ghost, other] = [
      lessonAt('booked', '08'),
      lessonAt('ghost', '10'),
      lessonAt('other', '12'),
    ]
    const beside = { lessons: [booked], ghosts: { lessons: [ghost, other], overrides: true } }
    const hoursFor = (moved: Appointment) => {
      const starts = dropStartsFor(moved, school, beside)({ instructor_id: 'one', date: '2026-03-30' })
      return [booked, ghost, other].filter((one) => starts.includes(minuteOf(one.start_at)))
    }
    expect(hoursFor(booked)).toEqual([booked, ghost, other])
    expect(hoursFor(ghost)).toEqual([ghost])
  })

  it('are drawn as zones within the day', () => {
    const [scene] = fc.sample(scenes, { ...RUNS, seed: 1 }).filter((one) => dropStartsOf(one).length > 0) as [
      Scene,
    ]
    const column = columnOf(scene)
    const zones = zonesFor(scene.draft, scene.school, besideIn(scene, column))(column)
    expect(zones[0]?.start).toBe((dropStartsOf(scene)[0] ?? 0) - midnightOf(dayOf(column.date)))
    expect(zones.every(({ start, end }) => 0 <= start && start < end && end <= 1440)).toBe(true)
  })
})

describe('the paint of a column', () => {
  it('is none without zones, and otherwise a gradient at their position', () => {
    const shown = { start: 8 * 60, end: 18 * 60 }
    expect(paintOf([], shown)).toBe('none')
    expect(paintOf([{ start: 9 * 60, end: 10 * 60 }], shown)).toBe(
      'linear-gradient(to bottom, transparent 10.000%, var(--landing) 10.000% 20.000%, transparent 20.000%)',
    )
  })
})
