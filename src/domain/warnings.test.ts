import { describe, expect, it } from 'vitest'
import { darknessFor } from './daylight.ts'
import type { LessonCount } from './progress.ts'
import { type Learning, type WarningSubject, warningsFor } from './warnings.ts'

const NOW = '2026-05-04 08:00'
const SCHOOL = {
  now: NOW,
  unit_minutes: 45,
  sky: darknessFor({ latitude: 52.5, longitude: 13.37, timezone: 'Europe/Berlin' }),
}
const CLASS_B: Learning = {
  license_class_template_id: 'template',
  license_class: 'B',
  requirement: {
    lesson_type_id: 'rural',
    requirement_key: null,
    required_units: 5,
    min_one_block_units: 2,
  },
  lessons: [],
  opening: [],
}
const RURAL = { id: 'rural', category: 'special', needs_student: false, only_in_the_dark: false }
const LESSON: WarningSubject = {
  start_at: '2026-05-04 09:00',
  student_id: 'lena',
  license_classes: ['BE', 'B'],
  end_at: '2026-05-04 10:30',
  lesson_type: RURAL,
  learning: CLASS_B,
}

const codesOf = (considered: Partial<WarningSubject>) =>
  warningsFor({ ...LESSON, ...considered }, SCHOOL).map(({ code }) => code)
const learning = (more: Partial<Learning>) => ({ learning: { ...CLASS_B, ...more } })

describe('the warnings for a lesson', () => {
  it('are empty for a valid lesson', () => {
    expect(codesOf({})).toEqual([])
  })

  it.each([
    ['2026-05-04 07:59', ['in_the_past']],
    ['2026-05-04 08:00', []],
  ])('at 08:00 for a start at %s are %j', (start_at, codes) => {
    expect(codesOf({ start_at })).toEqual(codes)
  })

  it.each([
    [['B'], CLASS_B, []],
    [['A', 'b', 'B1'], CLASS_B, ['class_not_taught']],
    [[], CLASS_B, ['class_not_taught']],
    [[], { ...CLASS_B, license_class: null }, []],
    [[], undefined, []],
  ])('for the instructor classes %j and the learner %j are %j', (license_classes, learning, codes) => {
    expect(codesOf({ license_classes, learning })).toEqual(codes)
  })

  it.each([
    ['special', learning({ requirement: null }), ['not_required']],
    ['simulator', learning({ requirement: null }), ['not_required']],
    ['practical', learning({ requirement: null }), []],
    ['special', learning({}), []],
    ['special', learning({ requirement: null, license_class_template_id: null }), []],
    ['special', { learning: undefined }, []],
  ])('for a %s lesson with %j are %j', (category, more, codes) => {
    expect(codesOf({ lesson_type: { ...RURAL, id: 'type', category }, ...more })).toEqual(codes)
  })

  it.each([
    ['2027-02-04 08:00', []],
    ['2027-02-04 08:01', ['far_ahead']],
  ])('for a start about nine months ahead at %s are %j', (start_at, codes) => {
    expect(codesOf({ start_at, end_at: '2027-02-04 09:00' })).toEqual(codes)
  })

  it.each([
    [true, null, ['no_student']],
    [true, 'lena', []],
    [true, undefined, []],
    [false, null, []],
  ])(
    'for a type that needs a student (%s) with the student %j are %j',
    (needs_student, student_id, codes) => {
      const without = { student_id, learning: undefined }
      expect(codesOf({ lesson_type: { ...RURAL, needs_student }, ...without })).toEqual(codes)
    },
  )

  // Sunset in Berlin on 4 May: 20:38.
  it.each([
    ['2026-05-04 10:00', '2026-05-04 10:45', ['not_dark']],
    ['2026-05-04 20:37', '2026-05-04 21:22', ['not_dark']],
    ['2026-05-04 20:38', '2026-05-04 21:23', []],
  ])('for a night drive from %s to %s are %j', (start_at, end_at, codes) => {
    expect(codesOf({ start_at, end_at, lesson_type: { ...RURAL, only_in_the_dark: true } })).toEqual(codes)
  })

  it('include the hours of darkness, and are empty if the school has no coordinates', () => {
    const night = { ...LESSON, lesson_type: { ...RURAL, only_in_the_dark: true } }
    expect(warningsFor(night, SCHOOL).map(({ params }) => params)).toEqual([
      { lesson_type_id: 'rural', dark_from: '2026-05-04 20:38', dark_until: '2026-05-05 05:27' },
    ])
    expect(warningsFor(night, { ...SCHOOL, sky: undefined })).toEqual([])
  })

  it('are empty without a lesson type', () => {
    expect(codesOf({ lesson_type: undefined, ...learning({ requirement: null }) })).toEqual([])
  })
})

describe('the warning requirement_already_met', () => {
  const of = (minutes: number, status = 'completed'): LessonCount => ({
    lesson_type_id: 'rural',
    requirement_key: null,
    license_class: 'B',
    status,
    minutes,
    count: 1,
  })

  it.each<[readonly LessonCount[], boolean]>([
    [[of(90), of(90), of(45)], true],
    [[of(90), of(90), of(44)], false],
    [[of(134), of(134)], false],
    [[of(135), of(90, 'planned')], true],
    [[of(225, 'planned')], true],
    [[of(45), of(45), of(45), of(45), of(45)], false],
    [[of(45), of(45), of(45), of(45), of(89)], false],
    [[of(135), of(45), of(45, 'planned')], true],
    [[of(135), of(45), of(45, 'no_show')], false],
    [[of(45), of(45), of(45), of(90, 'planned')], true],
    [[of(45), of(45), of(45), of(45), of(45), of(90, 'cancelled')], false],
    [[], false],
  ])('for five units of 45 minutes with a block of two and the lessons %j is given: %s', (lessons, isMet) => {
    expect(codesOf(learning({ lessons }))).toEqual(isMet ? ['requirement_already_met'] : [])
  })

  it('ignores lessons for another class', () => {
    const lessons = [{ ...of(225), license_class: 'A' }]
    expect(codesOf(learning({ lessons }))).toEqual([])
  })

  it('needs no block if none is required, and contains the done and planned units', () => {
    const requirement = {
      lesson_type_id: 'rural',
      requirement_key: null,
      required_units: 2,
      min_one_block_units: null,
    }
    const considered = { ...LESSON, ...learning({ requirement, lessons: [of(45), of(50, 'planned')] }) }
    expect(warningsFor(considered, SCHOOL)).toEqual([
      {
        code: 'requirement_already_met',
        params: { lesson_type_id: 'rural', required_units: 2, done_units: 1, planned_units: 1 },
      },
    ])
  })
})
