import { describe, expect, it } from 'vitest'
import { instructorWith } from './agenda-builder.test-support.ts'
import type { ListedAppointment } from './counted.ts'
import { calendarOf, type ListedSchool } from './listed-calendar.ts'

const appointment = (id: string, more: Partial<ListedAppointment> = {}): ListedAppointment => ({
  id,
  instructor_id: 'instructor',
  student_id: 'lena',
  vehicle_ids: ['van', 'unknown'],
  lesson_type_id: 'practice',
  start_at: '2026-03-02 10:00',
  end_at: '2026-03-02 11:00',
  status: 'planned',
  ...more,
})

const school: ListedSchool = {
  unit_minutes: 45,
  rulesOf: (id) => ({ rules: instructorWith({ id }), assumed: instructorWith({ id, active: false }) }),
  lessonTypes: new Map([['practice', { counts_toward_limits: false, seats: 7 }]]),
  things: new Map([['van', { id: 'van', active: true, absences: [] }]]),
  appointments: [
    appointment('proposed'),
    appointment('own', { vehicle_ids: [] }),
    appointment('own cancelled', { status: 'cancelled' }),
    appointment("student's", { instructor_id: 'other', vehicle_ids: [] }),
    appointment("a group's", {
      instructor_id: 'other',
      student_id: null,
      attendees: [{ student_id: 'lena' }, { student_id: 'paul' }],
      vehicle_ids: ['van'],
    }),
    appointment('own of another', { student_id: 'paul' }),
  ],
}

const occupiedOf = (calendar: ReturnType<typeof calendarOf>, more: Partial<ListedAppointment> = {}) =>
  calendar
    .agendaFor(appointment('proposed', more))
    .occupied.map(({ kind, id, appointments }) => [kind, id, appointments.map((one) => one.id)])

describe('the calendars of a list', () => {
  it('have the counted appointments of each person and known thing, without the proposed one', () => {
    expect(occupiedOf(calendarOf(school, 'proposed'))).toEqual([
      ['instructor', 'instructor', ['own', 'own of another']],
      ['student', 'lena', ['own', "student's", "a group's"]],
      ['vehicle', 'van', ["a group's", 'own of another']],
    ])
  })

  it('have no student if the lesson has none', () => {
    const kinds = occupiedOf(calendarOf(school), { student_id: null }).map(([kind]) => kind)
    expect(kinds).toEqual(['instructor', 'vehicle'])
  })

  it('leave nothing out if the proposed appointment is not stored', () => {
    expect(occupiedOf(calendarOf(school))[0]).toEqual([
      'instructor',
      'instructor',
      ['proposed', 'own', 'own of another'],
    ])
  })

  it("carry the instructor's rules, and the type's seats for a group without its own", () => {
    const attendees = [{ student_id: 'lena' }]
    const agenda = calendarOf(school).agendaFor(appointment('proposed', { attendees }))
    expect(agenda).toMatchObject({ instructor: { active: true }, assumed: { active: false } })
    expect(agenda.group).toEqual({ seats: 7, attendees: 1 })
    const own = calendarOf(school).agendaFor(appointment('proposed', { attendees, seats: 3 }))
    expect(own.group).toEqual({ seats: 3, attendees: 1 })
  })
})
