import { describe, expect, it } from 'vitest'
import { drivesOf, type LessonCount, progressOf, sumOf, type Training } from './progress.ts'

const UNIT = 45
const rural = {
  lesson_type_id: 'rural',
  requirement_key: 'rural_units',
  required_units: 5,
  min_one_block_units: 2,
  is_theory: false,
}
const night = {
  ...rural,
  lesson_type_id: 'night',
  requirement_key: null,
  required_units: 3,
  min_one_block_units: null,
}
const theory = { ...night, lesson_type_id: 'theory', required_units: 14, is_theory: true }

const had = (lesson_type_id: string, minutes: number, status = 'completed', count = 1): LessonCount => ({
  lesson_type_id,
  requirement_key: null,
  license_class: null,
  minutes,
  status,
  count,
})

const brought = (lesson_type_id: string, units: number): LessonCount => ({
  ...had(lesson_type_id, 0, 'opening'),
  units,
})

function progress(
  lessons: Training['lessons'],
  requirements: Training['requirements'] = [rural, night],
  opening: Training['opening'] = [],
) {
  return progressOf({ template_id: 'B', license_class: 'B', requirements, lessons, opening }, UNIT)
}

function sum(lessons: Training['lessons'], requirements: Training['requirements'] = [rural, night]) {
  return sumOf({ template_id: 'B', license_class: 'B', requirements, lessons, opening: [] }, UNIT)
}

describe('a requirement', () => {
  it.each([
    [44, 0],
    [45, 1],
    [60, 1],
    [89, 1],
    [90, 2],
    [135, 3],
  ])('counts a lesson of %i minutes as %i whole units', (minutes, units) => {
    expect(progress([had('night', minutes)]).requirements[1]).toMatchObject({ done_units: units })
    expect(progress([had('night', minutes, 'planned')]).requirements[1]).toMatchObject({
      planned_units: units,
    })
  })

  it('counts whole units of each lesson, not of their sum', () => {
    const [, line] = progress([had('night', 60, 'completed', 3)]).requirements
    expect(line).toMatchObject({ done_units: 3, open_units: 0 })
  })

  it.each([
    [[], 5],
    [[had('rural', 90)], 3],
    [[had('rural', 90), had('rural', 90, 'planned')], 1],
    [[had('rural', 90), had('rural', 135, 'planned')], 0],
    [[had('rural', 450)], 0],
  ])('with the lessons %j has %i open units', (lessons, open_units) => {
    expect(progress(lessons).requirements[0]).toMatchObject({ open_units })
  })

  it.each([
    [[], false],
    [[had('rural', 89)], false],
    [[had('rural', 45, 'completed', 5)], false],
    [[had('rural', 90, 'planned')], false],
    [[had('night', 90)], false],
    [[had('rural', 90)], true],
  ])('with the lessons %j has its block done: %s', (lessons, block_done) => {
    expect(progress(lessons).requirements[0]).toMatchObject({ block_done })
  })

  it('has block_done null if it demands no block', () => {
    expect(progress([had('night', 135)]).requirements[1]?.block_done).toBe(null)
  })

  it.each(['no_show', 'cancelled'])('ignores lessons with the status %s', (status) => {
    expect(progress([had('rural', 90, status)])).toEqual(progress([]))
  })
})

describe('a lesson type that is not required', () => {
  it('sums fractional units over all its lessons', () => {
    const lessons = [had('practice', 60, 'completed', 2), had('practice', 15), had('theory', 90, 'planned')]
    expect(progress(lessons).other).toEqual([
      { lesson_type_id: 'practice', done_units: 3, planned_units: 0 },
      { lesson_type_id: 'theory', done_units: 0, planned_units: 2 },
    ])
    expect(progress([had('practice', 60)]).other).toMatchObject([{ done_units: 1.33 }])
  })

  it.each(['no_show', 'cancelled'])('has no line for lessons with the status %s', (status) => {
    expect(progress([had('practice', 45, status)]).other).toEqual([])
  })
})

describe('readiness', () => {
  const all = [had('rural', 90), had('rural', 45, 'completed', 3), had('night', 45, 'completed', 3)]

  it('needs every requirement met and every block done', () => {
    expect(progress(all).ready).toBe(true)
    expect(progress(all.with(0, had('rural', 45, 'completed', 2))).ready).toBe(false)
    expect(progress(all.with(2, had('night', 45, 'completed', 2))).ready).toBe(false)
    expect(progress(all.with(2, had('night', 45, 'planned', 3))).ready).toBe(false)
  })

  it('is false without a class and true for a class without requirements', () => {
    expect(progress([], []).ready).toBe(true)
    expect(
      progressOf(
        { template_id: null, license_class: null, requirements: [], lessons: all, opening: [] },
        UNIT,
      ),
    ).toMatchObject({
      template_id: null,
      requirements: [],
      ready: false,
    })
  })
})

describe('an opening balance', () => {
  it('counts as done and is also reported separately', () => {
    const { requirements, other } = progress([had('rural', 90), had('practice', 60)], undefined, [
      brought('rural', 2),
      brought('rural', 1),
      brought('practice', 4),
      brought('night', 0),
      brought('test', 0),
    ])
    expect(requirements).toMatchObject([
      { done_units: 5, opening_units: 3, planned_units: 0, open_units: 0, block_done: true },
      { done_units: 0, open_units: 3 },
    ])
    expect(requirements[1]).not.toHaveProperty('opening_units')
    expect(other).toEqual([
      { lesson_type_id: 'practice', done_units: 5.33, opening_units: 4, planned_units: 0 },
    ])
  })

  it.each([
    [4, false],
    [5, true],
    [9, true],
  ])('with %i units includes the block: %j', (units, block_done) => {
    const { requirements } = progress([], undefined, [brought('rural', units)])
    expect(requirements[0]).toMatchObject({ done_units: units, block_done })
  })
})

const NONE = { done_units: 0, planned_units: 0, required_units: 0 }

describe('the sum', () => {
  it('covers all requirements', () => {
    const lessons = [had('rural', 90), had('night', 45), had('night', 45, 'planned'), had('practice', 450)]
    const expected = { done_units: 3, planned_units: 1, required_units: 8, theory: NONE, ready: false }
    expect(sum(lessons)).toEqual(expected)
  })

  it('counts each requirement only up to its required units', () => {
    const lessons = [had('rural', 450), had('rural', 90, 'planned'), had('night', 180, 'planned')]
    const expected = { done_units: 5, planned_units: 3, required_units: 8, theory: NONE, ready: false }
    expect(sum(lessons)).toEqual(expected)
  })

  it('reports theory separately from the drives', () => {
    const lessons = [had('theory', 45, 'completed', 20), had('night', 45), had('rural', 45, 'planned')]
    const all = sum(lessons, [rural, theory, night])
    expect(all).toMatchObject({ done_units: 15, planned_units: 1, required_units: 22 })
    expect(all.theory).toEqual({ done_units: 14, planned_units: 0, required_units: 14 })
    expect(drivesOf(all)).toEqual({ done_units: 1, planned_units: 1, required_units: 8 })
  })
})

describe('a class', () => {
  const rurals = (license_class: string | null) => ({ ...had('rural', 90), license_class })

  it.each([
    ['B', 2, []],
    [null, 2, []],
    ['A', 0, [{ lesson_type_id: 'rural', done_units: 2, planned_units: 0 }]],
  ])('counts lessons driven for the class %s: %i units', (license_class, done_units, other) => {
    const { requirements, ...rest } = progress([rurals(license_class)])
    expect(requirements[0]).toMatchObject({ done_units })
    expect(rest.other).toEqual(other)
  })

  it('counts lessons of every type with the requirement_key of its requirement', () => {
    const shared = { ...had('coupling', 90), requirement_key: 'rural_units' }
    const { requirements, other } = progress([shared, had('practice', 45)])
    expect(requirements.map(({ done_units }) => done_units)).toEqual([2, 0])
    expect(other.map(({ lesson_type_id }) => lesson_type_id)).toEqual(['practice'])
  })
})
