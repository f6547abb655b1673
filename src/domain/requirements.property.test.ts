import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LessonCount, progressOf, sumOf, type Training } from './progress.ts'
import { type Gearbox, requiredUnits } from './requirements.ts'

const UNIT = 60
const KEYS = {
  practice: 'practice_units',
  exam_prep: 'practice_units',
  rural: null,
  gear: null,
  check: null,
  theory: null,
}
const TYPES = Object.keys(KEYS) as (keyof typeof KEYS)[]
const PRIOR = ['AM', 'A1', 'B', 'C1', 'D'] as const

const keyOf = (id: keyof typeof KEYS) => ({ lesson_type_id: id, requirement_key: KEYS[id] })
const needs = (id: keyof typeof KEYS, required_units: number) => ({
  ...keyOf(id),
  required_units,
  min_one_block_units: null,
  is_theory: id === 'theory',
})

/** A class with a rule of every kind: drives overland are part of the practice, theory has units of its own. */
const REQUIREMENTS: Training['requirements'] = [
  { ...needs('practice', 12), includes: [keyOf('rural')] },
  needs('rural', 4),
  { ...needs('gear', 5), also: { gearbox: 'manual' } },
  { ...needs('check', 1), min_minutes: 15, not_by_trainee: true },
  {
    ...needs('theory', 30),
    unit_minutes: 45,
    by_prior: [
      { classes: ['*'], required_units: 24 },
      { classes: ['A1', 'C1'], required_units: 20 },
      { classes: ['D'], required_units: 8 },
    ],
  },
]

const aLesson = fc
  .record({
    type: fc.constantFrom(...TYPES),
    status: fc.constantFrom('completed', 'planned', 'cancelled'),
    minutes: fc.constantFrom(10, 14, 15, 44, 45, 59, 60, 90, 119, 120, 135),
    gearbox: fc.constantFrom<Gearbox | null>('manual', 'automatic', null),
    by_trainee: fc.boolean(),
    count: fc.integer({ min: 1, max: 3 }),
  })
  .map(
    ({ type, gearbox, ...rest }): LessonCount => ({
      ...rest,
      ...keyOf(type),
      license_class: null,
      // Theory has no vehicle.
      gearbox: type === 'theory' ? null : gearbox,
    }),
  )

const priorClasses = fc.option(fc.uniqueArray(fc.constantFrom(...PRIOR), { maxLength: 3 }))

/** Reads the log lesson by lesson, as a person with the law in hand would. */
function unitsByHand(requirement: string, lesson: LessonCount): number {
  const fits = (unit: number) => [1, 2, 3].filter((units) => lesson.minutes >= units * unit).length
  const { lesson_type_id: type, minutes } = lesson
  switch (requirement) {
    case 'practice':
      return ['practice', 'exam_prep', 'rural'].includes(type) ? fits(60) : 0
    case 'gear':
      if (lesson.gearbox === 'manual') return fits(60)
      return type === 'gear' && lesson.gearbox === null ? fits(60) : 0
    case 'check':
      return type === 'check' && minutes >= 15 && !lesson.by_trainee ? 1 : 0
    case 'theory':
      return type === 'theory' ? fits(45) : 0
    default:
      return type === requirement ? fits(60) : 0
  }
}

function theoryByHand(prior: readonly string[] | null): number {
  if (prior === null || prior.length === 0) return 30
  if (prior.includes('D')) return 8
  return prior.includes('A1') || prior.includes('C1') ? 20 : 24
}

const training = (lessons: readonly LessonCount[], prior_classes: readonly string[] | null): Training => ({
  ...{ template_id: 'B', license_class: 'B', requirements: REQUIREMENTS, prior_classes },
  ...{ lessons, opening: [] },
})

describe('progress', () => {
  it('equals a reading of the log by hand: units, included types, gearbox, check drive and prior classes', () => {
    fc.assert(
      fc.property(fc.array(aLesson, { maxLength: 14 }), priorClasses, (lessons, prior) => {
        const each = lessons.flatMap((one) => Array.from({ length: one.count }, () => one))
        for (const line of progressOf(training(lessons, prior), UNIT).requirements) {
          const unitsIn = (status: string) =>
            each
              .filter((one) => one.status === status)
              .reduce((sum, one) => sum + unitsByHand(line.lesson_type_id, one), 0)
          const required = line.lesson_type_id === 'theory' ? theoryByHand(prior) : undefined
          expect(line).toMatchObject({
            done_units: unitsIn('completed'),
            planned_units: unitsIn('planned'),
            ...(required !== undefined && { required_units: required }),
          })
        }
      }),
    )
  })

  it('shows every completed or planned lesson under a requirement or among the others', () => {
    fc.assert(
      fc.property(aLesson, (lesson) => {
        fc.pre(lesson.status !== 'cancelled')
        const { requirements, other } = progressOf(training([lesson], null), UNIT)
        const counts = requirements.some(({ lesson_type_id: id }) => unitsByHand(id, lesson) > 0)
        const isOther = other.some(({ lesson_type_id }) => lesson_type_id === lesson.lesson_type_id)
        if (!counts && lesson.minutes >= UNIT) expect(isOther).toBe(true)
      }),
    )
  })

  it('the sum lacks as many units of practice as must still be driven, one by one', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(6), (practice, rural) => {
        const done = (type: 'practice' | 'rural', count: number): LessonCount => ({
          ...{ ...keyOf(type), license_class: null, status: 'completed', minutes: UNIT, count },
        })
        let [missing, drivenRural, driven] = [0, rural, practice + rural]
        while (driven < 12 || drivenRural < 4) {
          missing += 1
          driven += 1
          drivenRural += 1
        }
        const requirements = REQUIREMENTS.slice(0, 2)
        const lessons = [done('practice', practice), done('rural', rural)]
        const { done_units, required_units } = sumOf({ ...training(lessons, null), requirements }, UNIT)
        expect([required_units, required_units - done_units]).toEqual([12, missing])
      }),
    )
  })
})

describe('required units', () => {
  const basic = { required_units: 24, by_prior: [{ classes: ['*'], required_units: 12 }] }

  it.each([
    [null, 24],
    [[], 24],
    [['AM'], 12],
    [['AM', 'A1'], 12],
  ])('of basic theory for holders of %j are %i', (prior, units) => {
    expect(requiredUnits(basic, prior)).toBe(units)
  })

  it('are those of a first licence without a rule for prior classes', () => {
    expect(requiredUnits({ required_units: 4 }, ['A1'])).toBe(4)
  })
})
