import { expect, it } from 'vitest'
import { overlapping } from './overlapping.ts'

type Lesson = Parameters<typeof overlapping>[0][number]

const at = (from: string, to: string, status: Lesson['status'] = 'planned') => ({
  start_at: `2099-03-02 ${from}`,
  end_at: `2099-03-02 ${to}`,
  status,
})

it.each([
  ['08:00', '09:00', true],
  ['08:59', '09:30', true],
  ['09:00', '09:30', false],
  ['07:00', '08:00', false],
  ['07:00', '08:01', true],
  ['07:00', '12:00', true],
  ['10:00', '11:00', false],
  ['11:59', '13:00', true],
  ['14:00', '15:00', false],
] as const)('a lesson from %s to %s among others overlaps: %s', (from, to, isHit) => {
  const own = [at('11:00', '12:00'), at('08:00', '09:00'), at('13:00', '13:30', 'cancelled')]
  expect(overlapping(own, [at(from, to)])).toEqual(isHit ? [at(from, to)] : [])
})

it('cancelled lessons overlap nothing, and the others are returned by start', () => {
  const own = [at('08:00', '12:00')]
  const theirs = [at('11:00', '13:00'), at('08:00', '09:00', 'cancelled'), at('07:00', '08:30')]
  expect(overlapping(own, theirs)).toEqual([theirs[2], theirs[0]])
  expect(overlapping([], theirs)).toEqual([])
})
