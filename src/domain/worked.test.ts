import { describe, expect, it } from 'vitest'
import { type Worked, workedMinutesOf } from './worked.ts'

const lesson = (fields: Partial<Worked> = {}): Worked => ({
  status: 'completed',
  start_at: '2026-05-04 08:00',
  end_at: '2026-05-04 09:30',
  actual_start_at: null,
  actual_end_at: null,
  ...fields,
})
const actual = { actual_start_at: '2026-05-04 08:05', actual_end_at: '2026-05-04 09:47' }

describe('the minutes that were worked', () => {
  it.each([
    ['none without lessons', [], 0],
    ['the planned ones where nothing else is known', [lesson()], 90],
    ['the actual ones where they are known', [lesson(actual)], 102],
    ['both, added up', [lesson(), lesson(actual)], 192],
    ['none of what is planned, missed or cancelled', ['planned', 'no_show', 'cancelled'].map(of), 0],
    [
      'over midnight',
      [lesson({ actual_start_at: '2026-05-04 23:50', actual_end_at: '2026-05-05 00:20' })],
      30,
    ],
  ])('are %s', (_, lessons, minutes) => {
    expect(workedMinutesOf(lessons)).toBe(minutes)
  })
})

function of(status: string): Worked {
  return lesson({ ...actual, status })
}
