import { describe, expect, it } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { School } from '../ui/school.tsx'
import { type ByHand, byHandAt, filledIn, withChosenType } from './filled-in.ts'
import { type FillContext, firstPlaceFor } from './first-place.ts'
import { formFor, type LessonForm } from './form.ts'

const MONDAY = '2026-05-04'
const weekdays = (start: string, end: string) => [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start, end }))
const person = (id: string, part: Partial<Instructor> = {}): Instructor => ({
  ...example.instructor,
  id,
  active: true,
  availability_windows: weekdays('09:30', '17:00'),
  vacations: [],
  required_break_minutes: 0,
  max_continuous_minutes: null,
  max_daily_units: null,
  max_weekly_units: null,
  ...part,
})
const byId = <T extends { readonly id: string }>(list: readonly T[]) =>
  new Map(list.map((one) => [one.id, one]))
const practice = { ...example.lessonType, id: 'practice', default_minutes: 90 }
const night = { ...example.lessonType, id: 'night', default_minutes: 45 }
const instructors = [person('one'), person('other', { availability_windows: weekdays('07:00', '12:00') })]
const students = [
  { ...example.student, id: 'lena', preferred_instructor_id: 'other' },
  { ...example.student, id: 'emre', preferred_instructor_id: null },
]
const school = {
  tenant: { ...example.tenant, unit_minutes: 45, timezone: 'Europe/Berlin' },
  templates: [],
  lessonTypes: [practice, night],
  lessonType: byId([practice, night]),
  vehicles: [],
  vehicle: new Map(),
  students,
  student: byId(students),
  instructors,
  instructor: byId(instructors),
} as unknown as School

const lesson = (start: string, end: string): Appointment => ({
  ...example.appointment,
  id: `${start}`,
  instructor_id: 'one',
  student_id: null,
  lesson_type_id: 'practice',
  status: 'planned',
  start_at: `${MONDAY} ${start}`,
  end_at: `${MONDAY} ${end}`,
})
const opened = formFor({ date: MONDAY }, school)
const contextAt = (now: string, lessons: readonly Appointment[] = []): FillContext => ({
  school,
  read: () => lessons,
  now,
})

describe('the first proposed start of a lesson', () => {
  const firstStart = (part: Partial<LessonForm>, context: FillContext) => {
    const place = firstPlaceFor({ ...opened, ...part }, context)
    return place && `${place.date} ${place.start}`
  }

  it.each([
    ['is the start of the working hours', { instructor_id: 'one' }, '2026-05-01 12:00', '2026-05-04 09:30'],
    ['is the earliest start of any instructor if none is chosen', {}, '2026-05-01 12:00', '2026-05-04 07:00'],
    ['is not in the past', { instructor_id: 'one' }, '2026-05-04 10:01', '2026-05-04 10:15'],
    ['can be now', { instructor_id: 'one' }, '2026-05-04 10:15', '2026-05-04 10:15'],
    [
      'can be the last one that ends within the working hours',
      { instructor_id: 'one' },
      '2026-05-04 15:30',
      '2026-05-04 15:30',
    ],
    [
      'is tomorrow if the lesson would end after the working hours',
      { instructor_id: 'one' },
      '2026-05-04 15:31',
      '2026-05-05 09:30',
    ],
    ['is today if the chosen day is over', { instructor_id: 'one' }, '2026-05-06 12:00', '2026-05-06 12:00'],
    ['skips a weekend', { instructor_id: 'one', date: '2026-05-08' }, '2026-05-08 17:00', '2026-05-11 09:30'],
    [
      'is unknown on a chosen future day that is full or has no working hours',
      { instructor_id: 'one', date: '2026-05-10' },
      '2026-05-08 17:00',
      undefined,
    ],
  ])('%s', (_, part, now, expected) => {
    expect(firstStart(part, contextAt(now))).toBe(expected)
  })

  it('is free for a chosen instructor', () => {
    const lessons = [lesson('09:30', '11:00'), lesson('12:00', '13:00')]
    expect(firstStart({ instructor_id: 'one' }, contextAt('2026-05-01 12:00', lessons))).toBe(
      '2026-05-04 13:00',
    )
    expect(firstStart({}, contextAt('2026-05-01 12:00', lessons))).toBe('2026-05-04 07:00')
  })
})

describe('the filled-in form', () => {
  const context = contextAt('2026-05-01 12:00')
  const fill = (part: Partial<LessonForm>, byHand: ByHand = {}, more = {}) =>
    filledIn({ ...opened, ...part }, byHand, {
      ...{ school, opened, context, next: undefined },
      ...more,
    })

  it('uses the preferred instructor of the student and their first free time', () => {
    expect(fill({ student_id: 'lena' })).toMatchObject({ instructor_id: 'other', start: '07:00' })
    expect(fill({ student_id: 'emre', instructor_id: 'other' })).toMatchObject({ instructor_id: '' })
  })

  it('keeps an instructor that the user has chosen', () => {
    const hand = fill({ student_id: 'lena', instructor_id: 'one' }, { instructor_id: true })
    expect(hand).toMatchObject({ instructor_id: 'one', start: '09:30' })
    const column = { date: MONDAY, instructor_id: 'one', start_at: `${MONDAY} 14:00` }
    const clicked = { ...formFor(column, school), student_id: 'lena' }
    expect(fill(clicked, byHandAt(column))).toMatchObject({ instructor_id: 'one', start: '14:00' })
  })

  it('uses the due lesson type and its length, unless the user has chosen them', () => {
    const next = { next: night }
    expect(fill({ student_id: 'emre' }, {}, next)).toMatchObject({ lesson_type_id: 'night', minutes: 45 })
    expect(fill({}, { lesson_type_id: true }, next)).toMatchObject({
      lesson_type_id: 'practice',
      minutes: 90,
    })
    expect(fill({ minutes: 60 }, { minutes: true }, next)).toMatchObject({
      lesson_type_id: 'night',
      minutes: 60,
    })
  })

  it('returns to the initial lesson type if no lesson is due', () => {
    expect(fill({ lesson_type_id: 'night', minutes: 45 })).toMatchObject({
      lesson_type_id: 'practice',
      minutes: 90,
    })
  })

  it('keeps its start on another day that is full', () => {
    const chosen = { instructor_id: 'one', date: '2026-05-10', start: '11:00' }
    expect(fill(chosen, { instructor_id: true, date: true })).toMatchObject(chosen)
  })

  it('keeps a drawn or typed length under another type, and returns to the first type with its length', () => {
    const chosen = (form: LessonForm, type: typeof night, byHand: ByHand) =>
      withChosenType(form, type, byHand, { opened: { ...opened, minutes: 60 } })
    const drawn = chosen({ ...opened, minutes: 60 }, night, { minutes: true })
    expect(drawn).toMatchObject({ lesson_type_id: 'night', minutes: 60 })
    const followed = chosen({ ...opened, minutes: 60 }, night, {})
    expect(followed).toMatchObject({ lesson_type_id: 'night', minutes: 45 })
    expect(chosen(followed, practice, {})).toMatchObject({ lesson_type_id: 'practice', minutes: 60 })
  })

  it('keeps the time and instructor of a slot search', () => {
    const searched = { student_id: 'lena', instructor_id: 'one', start: '15:15' }
    expect(fill(searched, {}, { context: undefined })).toMatchObject(searched)
  })

  it('keeps a date that the user has chosen, even if it is past or empty', () => {
    const past = { date: '2026-04-27', instructor_id: 'one', start: '11:00' }
    expect(fill(past, { date: true })).toMatchObject({ date: '2026-04-27', start: '11:00' })
    expect(fill({ ...past, date: '' }, { date: true })).toMatchObject({ date: '', start: '11:00' })
  })
})
