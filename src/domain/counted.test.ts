import { describe, expect, it } from 'vitest'
import { countedIn, isCounted, type ListedAppointment, proposalFor } from './counted.ts'

const lessonTypes = new Map([
  ['practice', { counts_toward_limits: true }],
  ['office', { counts_toward_limits: false }],
])

const appointment = (id: string, more: Partial<ListedAppointment> = {}): ListedAppointment => ({
  id,
  instructor_id: 'instructor',
  student_id: 'lena',
  lesson_type_id: 'practice',
  start_at: '2026-03-02 10:00',
  end_at: '2026-03-02 11:00',
  status: 'planned',
  ...more,
})

describe('an appointment', () => {
  it.each([
    ['planned', true],
    ['completed', true],
    ['no_show', true],
    ['cancelled', false],
  ])('with the status %s is counted: %s', (status, counts) => {
    expect(isCounted({ status })).toBe(counts)
    expect(countedIn([appointment('one', { status })], lessonTypes)).toHaveLength(counts ? 1 : 0)
  })

  it.each([
    ['practice', true],
    ['office', false],
    ['unknown', true],
  ])('with the type %s counts toward limits: %s', (lesson_type_id, counts_toward_limits) => {
    const one = appointment('one', { lesson_type_id })
    const { start_at, end_at } = one
    expect(proposalFor(one, lessonTypes)).toEqual({ start_at, end_at, counts_toward_limits })
    expect(countedIn([one], lessonTypes)).toEqual([{ id: 'one', start_at, end_at, counts_toward_limits }])
  })
})
