import { expect, it } from 'vitest'
import { balanceCatalogue } from '../../csv/balance-lines.ts'
import type { Steps } from '../../domain/steps.ts'
import { duplicateEntriesIn as duplicateEntries } from './import-opening-balances.ts'
import { duplicateVehiclesIn as duplicateVehicles } from './import-vehicles.ts'

const MANY = 3000

function stepsOf(computation: Steps<unknown>): number {
  let steps = 0
  while (!computation.next().done) steps += 1
  return steps
}

function many<T>(make: (index: number) => T): T[] {
  return Array.from({ length: MANY }, (_, index) => make(index))
}

const entry = { lesson_type_id: 'practice', units: 1, date: '2026-03-31', source: 'Nord' }

it.each([
  [
    'student names',
    () =>
      balanceCatalogue(
        many((at) => ({ id: `${at}`, first_name: 'Lena', last_name: 'Vogt' })),
        [],
      ),
  ],
  [
    'opening balances',
    () => duplicateEntries([], new Map(many((at) => [`${at}`, { opening_balance: [entry] }]))),
  ],
  [
    'vehicles',
    () =>
      duplicateVehicles(
        [],
        many((at) => ({ id: `${at}`, name: 'Golf', plate: null })),
      ),
  ],
])('an import compares its lines with 3,000 %s in at least 3,000 steps', (_, compute) => {
  expect(stepsOf(compute())).toBeGreaterThanOrEqual(MANY)
})

it('an imported vehicle matches a stored one by plate, or by name if either has no plate', () => {
  const stored = many((at) => ({ id: `${at}`, name: 'Golf', plate: at === MANY - 1 ? null : `B ${at}` }))
  const golf = (line: number, plate: string | null) =>
    ({ line, value: { name: 'GOLF', kind: 'car', plate } }) as const
  const found = duplicateVehicles([golf(2, null), golf(3, 'B-X 1'), golf(4, 'b5')], stored)
  let step = found.next()
  while (!step.done) step = found.next()
  expect(step.value.map(({ line, likeness, same_as }) => [line, likeness, same_as.vehicle_id])).toEqual([
    [2, 'name', '0'],
    [3, 'name', `${MANY - 1}`],
    [4, 'plate', '5'],
  ])
})
