import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type LessonCount, progressOf } from './progress.ts'

const UNIT = 45
const TYPES = ['rural', 'night', 'practice'] as const
const REQUIRED = { rural: 5, night: 3 } as const

const aLesson = fc.record({
  lesson_type_id: fc.constantFrom(...TYPES),
  status: fc.constantFrom('completed', 'planned', 'no_show', 'cancelled'),
  minutes: fc.integer({ min: 1, max: 200 }),
  actual_minutes: fc.option(fc.integer({ min: 1, max: 200 })),
  count: fc.integer({ min: 1, max: 3 }),
})

/** Counts a lesson's units one by one: each must fit into its actual length, or into a plan that it missed by 5 minutes at most. */
function unitsOneByOne({ status, minutes, actual_minutes = null }: LessonCount): number {
  let units = 0
  const fits = (needed: number) => {
    if (status !== 'completed' || actual_minutes === null) return needed <= minutes
    return needed <= actual_minutes || (needed <= minutes && minutes - actual_minutes <= 5)
  }
  while (fits((units + 1) * UNIT)) units += 1
  return units
}

it('progress counts each lesson as a count of its units one by one', () => {
  fc.assert(
    fc.property(fc.array(aLesson, { maxLength: 12 }), (lessons) => {
      const counted = lessons.map((one) => ({ ...one, requirement_key: null, license_class: null }))
      const each = counted.flatMap((one) => Array.from({ length: one.count }, () => one))
      const requirements = Object.entries(REQUIRED).map(([lesson_type_id, required_units]) => ({
        ...{ lesson_type_id, required_units, requirement_key: null, is_theory: false },
        min_one_block_units: 2,
      }))
      const training = { template_id: 'B', license_class: 'B', requirements, lessons: counted, opening: [] }
      for (const line of progressOf(training, UNIT).requirements) {
        const own = each.filter((one) => one.lesson_type_id === line.lesson_type_id)
        const unitsIn = (status: string) => own.filter((one) => one.status === status).map(unitsOneByOne)
        const sum = (units: readonly number[]) => units.reduce((a, b) => a + b, 0)
        expect(line.done_units).toBe(sum(unitsIn('completed')))
        expect(line.planned_units).toBe(sum(unitsIn('planned')))
        expect(line.block_done).toBe(unitsIn('completed').some((units) => units >= 2))
      }
    }),
  )
})
