import { describe, expect, it } from 'vitest'
import { noticeFor } from './messages.ts'

describe('a notice takes a student from the known lesson to the present one', () => {
  const lesson = {
    appointment_id: 'a',
    start_at: '2099-03-09 08:00',
    end_at: '2099-03-09 09:30',
    instructor_id: 'i',
  }
  const later = { ...lesson, start_at: '2099-03-10 08:00', end_at: '2099-03-10 09:30' }
  const { appointment_id: _, ...was } = lesson

  it.each([
    [
      'an unknown one that is planned',
      undefined,
      lesson,
      { kind: 'booked', lesson: { ...lesson, was: null } },
    ],
    ['a known one that is gone', lesson, undefined, { kind: 'cancelled', lesson: { ...lesson, was: null } }],
    ['a known one that has moved', lesson, later, { kind: 'moved', lesson: { ...later, was } }],
  ] as const)('%s', (_, known, present, notice) => {
    expect(noticeFor('s', known, present)).toEqual({ ...notice, student_id: 's' })
  })

  it('and there is none if nothing is new', () => {
    expect(noticeFor('s', lesson, { ...lesson })).toBeUndefined()
    expect(noticeFor('s', undefined, undefined)).toBeUndefined()
  })
})
