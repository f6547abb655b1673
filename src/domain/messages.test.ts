import { describe, expect, it } from 'vitest'
import { decideMessage, type MessageKind, NO_MESSAGES, noticeFor, outsideQuiet } from './messages.ts'

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

  it.each([
    ['another pick-up place', { pickup_place: 'station' }, { pickup_place: 'school' }, true],
    ['a branch in place of a pick-up place', { pickup_place: 'station' }, { pickup_place: null }, true],
    [
      'another branch',
      { pickup_place: null, location_id: 'n' },
      { pickup_place: null, location_id: 's' },
      true,
    ],
    ['no place as before', { pickup_place: null, location_id: null }, { pickup_place: null }, false],
    ['another branch behind a place', { pickup_place: 'p', location_id: 'n' }, { pickup_place: 'p' }, false],
    ['a place that was not stored', { pickup_place: undefined }, { pickup_place: 'station' }, false],
  ])('announces %s: %j, then %j: %s', (_, before, after, isAnnounced) => {
    const place = { location_id: null, ...after }
    const notice = noticeFor('s', { ...lesson, ...before }, { ...lesson, ...place })
    expect(notice?.lesson.was?.pickup_place).toBe(isAnnounced ? before.pickup_place : undefined)
    expect(notice?.kind).toBe(isAnnounced ? 'moved' : undefined)
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

describe('a message that would come too late after quiet hours', () => {
  const quiet = { from: '22:00', to: '07:00' }
  const lesson = {
    appointment_id: 'a',
    start_at: '2026-06-06 10:00',
    end_at: '2026-06-06 11:00',
    instructor_id: 'i',
  }
  const decide = (kind: 'booked' | 'moved' | 'cancelled', until: string) => {
    const students = new Set(kind === 'cancelled' ? [] : ['s'])
    const decision = decideMessage(
      { kind, student_id: 's', lessons: [{ ...lesson, was: null }], hours: null },
      {
        settings: { ...NO_MESSAGES, [kind]: true, quiet },
        timezone: 'Europe/Berlin',
        now: new Date('2026-06-01T20:30:00Z'),
        worth_until: new Date(until),
        recipient: { channel: 'mail', address: 'lena@reader.example', agrees: true },
        expected: new Map([['a', { ...lesson, students }]]),
      },
    )
    return decision.action === 'drop' ? decision.reason : decision.action
  }

  it.each([
    ['cancelled', 'send'],
    ['moved', 'send'],
    ['booked', 'quiet'],
  ] as const)('%s: %s', (kind, action) => {
    expect(decide(kind, '2026-06-02T05:00:00Z')).toBe(action)
    expect(decide(kind, '2026-06-02T05:00:01Z')).toBe('wait')
  })
})
