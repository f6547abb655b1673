import { describe, expect, it } from 'vitest'
import { darknessFor } from './daylight.ts'
import type { LessonCount } from './progress.ts'
import { type Learning, type WarningSubject, warningsFor } from './warnings.ts'

const NOW = '2026-05-04 08:00'
const SCHOOL = {
  now: NOW,
  unit_minutes: 45,
  examLaw: { theory_before_age_months: 3, practice_before_age_months: 1 },
  darkness: darknessFor({ latitude: 52.5, longitude: 13.37, timezone: 'Europe/Berlin' }),
}
const CLASS_B: Learning = {
  license_class_template_id: 'template',
  license_class_template_code: 'B',
  license_class: 'B',
  requirement: {
    lesson_type_id: 'rural',
    requirement_key: null,
    required_units: 5,
    min_one_block_units: 2,
  },
  lessons: [],
  opening: [],
  birth_date: null,
  min_age: 18,
}
const RURAL = {
  id: 'rural',
  category: 'special',
  counts_toward_legal_minutes: true,
  needs_student: false,
  only_in_the_dark: false,
}
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
    expect(warningsFor(night, { ...SCHOOL, darkness: undefined })).toEqual([])
  })

  const golf = { id: 'golf', kind: 'car', license_classes: [] } as const
  const trailer = { id: 'trailer', kind: 'trailer', license_classes: [] } as const
  const be = { license_class: 'BE', license_class_template_code: 'BE' }
  it.each<[string, Partial<Learning>, Partial<WarningSubject>, readonly string[]]>([
    ['BE without a trailer', be, { vehicles: [golf] }, ['vehicle_missing']],
    ['BE without a vehicle', be, { vehicles: [] }, ['vehicle_missing']],
    ['BE with a trailer', be, { vehicles: [golf, trailer] }, []],
    ['BE where no vehicles are planned', be, { vehicles: undefined }, []],
    [
      'BE in a lesson that is not driven',
      be,
      { lesson_type: { ...RURAL, category: 'simulator' }, vehicles: [] },
      [],
    ],
    ['B', {}, { vehicles: [golf] }, []],
    [
      'a joint course of CE',
      { license_class: 'CE', license_class_template_code: 'C_CE_JOINT' },
      { vehicles: [] },
      [],
    ],
  ])('about the trailer of class %s are as expected', (_, part, more, codes) => {
    const own = { ...more, ...learning(part), license_classes: ['B', 'BE', 'CE'] }
    expect(codesOf(own)).toEqual(codes)
  })

  it('about a missing trailer name the class and the kind', () => {
    const params = { license_class: 'BE', kind: 'trailer' }
    expect(warningsFor({ ...LESSON, ...learning(be), vehicles: [golf] }, SCHOOL)).toEqual([
      { code: 'vehicle_missing', params },
    ])
  })

  it('are empty without a lesson type', () => {
    expect(codesOf({ lesson_type: undefined, ...learning({ requirement: null }) })).toEqual([])
  })
})

describe('the warnings for an exam', () => {
  const exam = (category: string) => ({ ...RURAL, id: 'exam', category })
  const of = (passed_on: string | null, fields: Partial<LessonCount> = {}) => ({
    ...{ lesson_type_id: 'exam', requirement_key: null, license_class: 'B', status: 'completed' },
    ...{ minutes: 60, count: 1, passed_on, ...fields },
  })

  it.each(['practical_exam', 'theory_exam', 'exam'])('do not include not_required for a %s', (category) => {
    expect(codesOf({ lesson_type: exam(category), ...learning({ requirement: null }) })).toEqual([])
  })

  it.each([
    ['of the same type was passed', [of('2026-04-01')], ['already_passed']],
    ['was failed', [of(null)], []],
    ['was passed for another class', [of('2026-04-01', { license_class: 'A' })], []],
    ['was passed, and then cancelled', [of('2026-04-01', { status: 'cancelled' })], []],
  ])('if one %s are given as they should', (_, lessons, codes) => {
    const considered = { lesson_type: exam('practical_exam'), ...learning({ requirement: null, lessons }) }
    expect(codesOf(considered)).toEqual(codes)
  })

  it.each([
    ['practical_exam', '2008-06-04', []],
    ['practical_exam', '2008-06-05', ['2026-05-05']],
    ['theory_exam', '2008-08-04', []],
    ['theory_exam', '2008-08-05', ['2026-05-05']],
    ['theory_exam', null, []],
    ['special', '2010-01-01', []],
  ])('for a %s of a student born on %s contain the earliest date %j', (category, birth_date, dates) => {
    const considered = { lesson_type: exam(category), ...learning({ birth_date }) }
    const early = warningsFor({ ...LESSON, ...considered }, SCHOOL).filter(({ code }) => code === 'too_early')
    expect(early.map(({ params }) => params)).toEqual(dates.map((earliest_date) => ({ earliest_date })))
  })

  it('count the minimum age itself where the country allows no test before it, and none without a minimum age', () => {
    const early = { lesson_type: exam('theory_exam'), ...learning({ birth_date: '2008-05-05' }) }
    const examLaw = { theory_before_age_months: null, practice_before_age_months: null }
    expect(warningsFor({ ...LESSON, ...early }, { ...SCHOOL, examLaw })).toEqual([
      { code: 'too_early', params: { earliest_date: '2026-05-05' } },
    ])
    expect(codesOf(early)).toEqual([])
    expect(codesOf({ ...early, ...learning({ birth_date: '2015-01-01' }) })).toEqual(['too_early'])
    expect(codesOf({ ...early, ...learning({ birth_date: '2015-01-01', min_age: null }) })).toEqual([])
    expect(warningsFor({ ...LESSON, ...early }, { ...SCHOOL, examLaw: undefined })).toEqual([])
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
