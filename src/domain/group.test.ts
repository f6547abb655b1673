import { expect, it } from 'vitest'
import { outcomeFor } from './group.ts'

const EMMA = 'emma'

it.each([
  ['a planned class', 'planned', [{ student_id: EMMA, attended: null }], 'planned'],
  ['a class attended', 'completed', [{ student_id: EMMA, attended: true }], 'completed'],
  ['a class not attended', 'completed', [{ student_id: EMMA, attended: false }], 'missed'],
  ['a class without attendance', 'completed', [{ student_id: EMMA, attended: null }], 'missed'],
  ['a class of others', 'completed', [{ student_id: 'lena', attended: true }], 'missed'],
  ['a lesson that is no class', 'completed', [], 'completed'],
])('the outcome of %s', (_, status, attendees, outcome) => {
  expect(outcomeFor(EMMA, { status, attendees })).toBe(outcome)
})
