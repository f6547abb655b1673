import { describe, expect, it } from 'vitest'
import type { LeftOutLesson, Plan, PlannedLesson } from '../../contract/plan.ts'
import { planChangesBetween } from './plan-changes.ts'

const lesson = (student_id: string, start: string, more: Partial<PlannedLesson> = {}) =>
  ({
    id: `${student_id} ${start}`,
    student_id,
    instructor_id: 'eva',
    start_at: `2026-05-04 ${start}`,
    end_at: '2026-05-04 18:00',
    ...more,
  }) as PlannedLesson

const missing = (code: string) => ({ student_id: 'tim', reason: { code } }) as LeftOutLesson

const state = (proposed: PlannedLesson[], left_out: LeftOutLesson[] = [], score = 0) =>
  ({
    proposed,
    left_out,
    figures: { lessons: proposed.length, minutes: proposed.length * 90, score },
  }) as Pick<Plan, 'proposed' | 'left_out' | 'figures'>

describe('the changes of a plan', () => {
  it('are none for lessons that were found again with other ids', () => {
    const found = lesson('ben', '08:00', { id: 'other' })
    const { added, removed, moved } = planChangesBetween(state([lesson('ben', '08:00')]), state([found]))
    expect([added, removed, moved]).toEqual([[], [], []])
  })

  it('are lessons moved in time or to another instructor, added and removed', () => {
    const before = state([lesson('ben', '08:00'), lesson('mia', '10:00'), lesson('ida', '12:00')])
    const ben = lesson('ben', '09:00')
    const mia = lesson('mia', '10:00', { instructor_id: 'jonas' })
    const changes = planChangesBetween(before, state([ben, mia, lesson('tim', '12:00')]))
    expect(changes.moved.map(({ from, to }) => [from.id, to])).toEqual([
      ['ben 08:00', ben],
      ['mia 10:00', mia],
    ])
    expect(changes.added).toMatchObject([{ student_id: 'tim' }])
    expect(changes.removed).toMatchObject([{ student_id: 'ida' }])
  })

  it('pair the lessons of a student with several by id, and the rest in order', () => {
    const [first, second, third] = [lesson('ben', '08:00'), lesson('ben', '10:00'), lesson('ben', '12:00')]
    const later = { ...second, start_at: '2026-05-04 11:00' }
    const changes = planChangesBetween(state([first, second, third]), state([later, third]))
    expect(changes).toMatchObject({ moved: [{ from: second, to: later }], removed: [first], added: [] })
  })

  it('have figures with differences, without students who have enough lessons', () => {
    const before = state([lesson('ben', '08:00')], [missing('taken'), missing('enough_booked')], 100.4)
    const after = state([lesson('ben', '08:00'), lesson('tim', '10:00')], [missing('enough_booked')], 189.6)
    expect(planChangesBetween(before, after).figures).toEqual([
      { name: 'lessons', now: 2, more: 1 },
      { name: 'minutes', now: 180, more: 90 },
      { name: 'leftOut', now: 0, more: -1 },
      { name: 'score', now: 190, more: 90 },
    ])
  })
})
