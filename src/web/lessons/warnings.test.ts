import { describe, expect, it } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import type { Check } from '../../contract/check.ts'
import * as example from '../../contract/examples.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { darknessFor } from '../../domain/daylight.ts'
import type { LessonDraft } from './verdict.ts'
import { needsExamCheck, requirementFor, warningsOn } from './warnings.ts'

const NOW = '2026-05-04 08:00'
const B = {
  ...example.licenseClassTemplate,
  id: 'b',
  license_class: 'B',
  requirements: [
    { lesson_type_id: 'night', code: 'N', name: 'Night', required_units: 2, min_one_block_units: null },
  ],
}
const byId = <T extends { readonly id: string }>(...list: readonly T[]) =>
  new Map(list.map((one) => [one.id, one]))
const school = {
  tenant: { ...example.tenant, unit_minutes: 45 },
  templates: [B],
  student: byId({ ...example.student, id: 'lena', license_class_template_id: 'b' }),
  instructor: byId(
    { ...example.instructor, id: 'one', license_classes: ['B'] },
    { ...example.instructor, id: 'other', license_classes: ['A'] },
  ),
  lessonType: byId(
    {
      ...example.lessonType,
      id: 'night',
      category: 'special' as const,
      requirement_key: 'night_units',
      only_in_the_dark: true,
    },
    {
      ...example.lessonType,
      id: 'theory',
      category: 'special' as const,
      requirement_key: null,
      needs_student: false,
    },
    { ...example.lessonType, id: 'practice', category: 'practical' as const },
    { ...example.lessonType, id: 'test', category: 'theory_exam' as const },
  ),
} as unknown as Parameters<typeof warningsOn>[1]

const draft: LessonDraft = {
  instructor_id: 'one',
  student_id: 'lena',
  lesson_type_id: 'night',
  start_at: '2026-05-04 21:00',
  end_at: '2026-05-04 21:45',
}
const night = (id: string, status: Appointment['status']): Appointment => ({
  ...example.appointment,
  ...draft,
  id,
  status,
})
const codes = (part: Partial<LessonDraft>, lessons?: readonly Appointment[], opening: OpeningBalance = []) =>
  warningsOn({ ...draft, ...part }, school, {
    now: NOW,
    lessons,
    opening,
    darkness: darknessFor(example.tenant),
  }).map(({ code }) => code)

describe('the warnings for a draft', () => {
  it.each([
    [{}, []],
    [{ start_at: NOW, lesson_type_id: 'practice' }, []],
    [{ start_at: '2026-05-04 07:59', lesson_type_id: 'practice' }, ['in_the_past']],
    [{ instructor_id: 'other' }, ['class_not_taught']],
    [{ lesson_type_id: 'theory' }, ['not_required']],
    [{ lesson_type_id: 'practice' }, []],
    [{ student_id: null, instructor_id: 'other', lesson_type_id: 'theory' }, []],
    [{ student_id: null }, ['no_student']],
    [{ start_at: '2026-05-04 10:00', end_at: '2026-05-04 10:45' }, ['not_dark']],
    [{ student_id: 'deleted', instructor_id: 'other' }, []],
  ])('with %j are %j', (part, expected) => {
    expect(codes(part)).toEqual(expected)
  })

  it('include a requirement met by done and planned lessons other than the draft', () => {
    const lessons = [night('1', 'completed'), night('2', 'planned')]
    expect(codes({}, lessons)).toEqual(['requirement_already_met'])
    expect(codes({ id: '2' }, lessons)).toEqual([])
    expect(codes({}, [night('1', 'completed'), night('2', 'cancelled')])).toEqual([])
    expect(codes({}, undefined)).toEqual([])
  })

  it('include a test that was passed before, but no other type of test', () => {
    const passed = { ...night('1', 'completed'), exam_result: { passed: true, note: null } }
    const test = { lesson_type_id: 'test', start_at: NOW, end_at: '2026-05-04 09:00' }
    expect(codes(test, [{ ...passed, lesson_type_id: 'test' }])).toEqual(['already_passed'])
    expect(codes(test, [passed])).toEqual([])
  })

  it("include those about papers from the service's check of an exam, and none that the app gives itself", () => {
    const exam = { ...draft, lesson_type_id: 'test', start_at: NOW, end_at: '2026-05-04 09:00' }
    const expired = { code: 'test_expired', params: { valid_until: '2026-05-03' } }
    const check = { warnings: [{ code: 'too_early', params: {} }, expired] } as unknown as Check
    const beside = { now: NOW, lessons: [], opening: [], darkness: undefined }
    expect(warningsOn(exam, school, { ...beside, examCheck: check })).toEqual([expired])
    expect(warningsOn(exam, school, beside)).toEqual([])
    expect(needsExamCheck(exam, school)).toBe(true)
    expect(needsExamCheck({ ...exam, student_id: null }, school)).toBe(false)
    expect(needsExamCheck(draft, school)).toBe(false)
  })

  it('include a requirement met by the opening balance', () => {
    const brought = { lesson_type_id: 'night', units: 1, date: '2026-03-31', source: 'Fahrschule Süd' }
    expect(codes({}, [night('1', 'completed')], [brought])).toEqual(['requirement_already_met'])
    expect(codes({}, [], [brought])).toEqual([])
  })

  it('have a requirement only for a lesson type that the class requires', () => {
    expect(requirementFor(draft, school)).toMatchObject({ required_units: 2 })
    expect(requirementFor({ ...draft, lesson_type_id: 'practice' }, school)).toBeUndefined()
    expect(requirementFor({ ...draft, student_id: null }, school)).toBeUndefined()
  })
})
