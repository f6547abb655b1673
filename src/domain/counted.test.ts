import { describe, expect, it } from 'vitest'
import { instructorAppointmentsOf } from './agenda.ts'
import { instructorWith } from './agenda-builder.test-support.ts'
import { countedIn, isCounted, type ListedAppointment, proposalFor } from './counted.ts'
import { agendaFor } from './lesson-agenda.ts'

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

describe('the agenda around a proposed appointment', () => {
  const { status: _, ...proposed } = appointment('proposed')
  const listed = [
    appointment('proposed'),
    appointment('own'),
    appointment('own later', { start_at: '2026-03-09 10:00', end_at: '2026-03-09 11:00' }),
    appointment('own cancelled', { status: 'cancelled' }),
    appointment("student's", { instructor_id: 'other' }),
    appointment("student's cancelled", { instructor_id: 'other', status: 'cancelled' }),
    appointment("student's next", {
      instructor_id: 'other',
      start_at: '2026-03-02 11:00',
      end_at: '2026-03-02 12:00',
    }),
    appointment("nobody's", { instructor_id: 'other', student_id: null }),
    appointment('own of another', { student_id: 'paul' }),
  ]
  const books = { unit_minutes: 45, instructor: instructorWith(), lessonTypes, appointments: listed }
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

  it("contains the instructor's appointments and the student's overlapping ones, without the proposed one", () => {
    const agenda = agendaFor(proposed, books)
    expect(agenda.occupied.map(({ kind, appointments }) => [kind, ids(appointments)])).toEqual([
      ['instructor', ['own', 'own later', 'own of another']],
      ['student', ['own', "student's"]],
    ])
    expect(agenda).toMatchObject({ unit_minutes: 45, instructor: books.instructor })
  })

  it('occupies no student if the proposal has none', () => {
    const { occupied } = agendaFor({ ...proposed, student_id: null }, books)
    expect(occupied.map(({ kind }) => kind)).toEqual(['instructor'])
  })

  it('excludes nothing if the proposal is not stored yet', () => {
    const { id: _, ...fresh } = proposed
    expect(ids(instructorAppointmentsOf(agendaFor(fresh, books)))).toContain('proposed')
  })
})
