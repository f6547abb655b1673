import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intervalOf, minutesOf, overlaps } from '../../domain/interval.ts'
import { dateOf, dayOf, localDateTimeFor, midnightOf, minuteOf, mondayOf } from '../../domain/local-time.ts'
import { surroundingsOfWeek } from '../../domain/surroundings.ts'
import { type Scene, scenes } from '../lessons/random-school.test-support.ts'
import { localVerdictFor, missingFieldIn } from '../lessons/verdict.ts'
import { dropStartsIn, paintOf, zonesIn } from './drop-zones.ts'

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
  return dropStartsIn(column, scene.draft, scene.school, besideIn(scene, column))
}

/** Returns the starts in the column at which the verdict accepts the lesson. */
function acceptedIn(scene: Scene): readonly number[] {
  const { draft, school } = scene
  const minutes = minutesOf(intervalOf(draft))
  const midnight = midnightOf(dayOf(columnOf(scene).date))
  const starts = Array.from({ length: STEPS_PER_DAY }, (_, index) => midnight + index * 15)
  return starts.filter((start) => {
    const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(start + minutes) }
    const there = { ...draft, ...times }
    const { verdict } = localVerdictFor(there, school, (monday) => weekOf(scene, monday))
    return missingFieldIn(there, school) === undefined && verdict?.refusals.length === 0
  })
}

describe('the drop starts of a lesson', () => {
  it('are exactly the starts that the verdict accepts', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        expect(dropStartsOf(scene)).toEqual(acceptedIn(scene))
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

  it('are drawn as zones within the day', () => {
    const [scene] = fc.sample(scenes, { ...RUNS, seed: 1 }).filter((one) => dropStartsOf(one).length > 0) as [
      Scene,
    ]
    const column = columnOf(scene)
    const zones = zonesIn(column, scene.draft, scene.school, besideIn(scene, column))
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
