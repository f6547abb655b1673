import { describe, expect, it } from 'vitest'
import { type MessageKind, noticeFor, outsideQuiet } from './messages.ts'

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

describe('the time of a message in quiet hours', () => {
  const quiet = { from: '22:00', to: '07:00' }
  const NOW = new Date('2026-06-01T20:30:00Z')
  const END = new Date('2026-06-02T05:00:00Z')
  const timeOf = (kind: MessageKind, start: string, was: string | undefined) => {
    const at = (start_at: string) => ({ start_at, end_at: start_at, instructor_id: 'i' })
    const lesson = { ...at(start), was: was === undefined ? null : at(was) }
    return outsideQuiet({ kind, lessons: [lesson] }, NOW, { quiet, timezone: 'Europe/Berlin' })
  }

  it.each([
    ['cancelled', '2026-06-02 06:30', undefined],
    ['cancelled', '2026-06-02 09:00', undefined],
    ['moved', '2026-06-02 06:30', '2026-06-05 10:00'],
    ['moved', '2026-06-05 10:00', '2026-06-02 06:30'],
    ['moved', '2026-06-05 10:00', '2026-06-02 09:00'],
  ] as const)(
    'is now if %s to %s from %s concerns a lesson before, or two hours after their end',
    (kind, start, was) => {
      expect(timeOf(kind, start, was)).toEqual(NOW)
    },
  )

  it.each([
    ['cancelled', '2026-06-02 09:01', undefined],
    ['moved', '2026-06-05 10:00', '2026-06-02 09:01'],
    ['booked', '2026-06-02 06:30', undefined],
    ['reminder', '2026-06-02 06:30', undefined],
  ] as const)('is their end for %s of %s, %s', (kind, start, was) => {
    expect(timeOf(kind, start, was)).toEqual(END)
  })
})
