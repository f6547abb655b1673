import { describe, expect, it } from 'vitest'
import { noticeFor } from './messages.ts'

describe('a notice to a student', () => {
  const lesson = {
    appointment_id: 'a',
    start_at: '2099-03-09 08:00',
    end_at: '2099-03-09 09:30',
    instructor_id: 'i',
  }
  const later = { ...lesson, start_at: '2099-03-10 08:00', end_at: '2099-03-10 09:30' }
  const { appointment_id: _, ...was } = lesson

  it.each([
    ['a newly planned lesson', undefined, lesson, { kind: 'booked', lesson: { ...lesson, was: null } }],
    [
      'the cancellation of a known lesson',
      lesson,
      undefined,
      { kind: 'cancelled', lesson: { ...lesson, was: null } },
    ],
    ['the new times of a known lesson', lesson, later, { kind: 'moved', lesson: { ...later, was } }],
  ] as const)('announces %s', (_, known, present, notice) => {
    expect(noticeFor('s', known, present)).toEqual({ ...notice, student_id: 's' })
  })

  it('is undefined if nothing has changed', () => {
    expect(noticeFor('s', lesson, { ...lesson })).toBeUndefined()
    expect(noticeFor('s', undefined, undefined)).toBeUndefined()
  })
})
