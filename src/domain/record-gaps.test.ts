import { describe, expect, it } from 'vitest'
import { recordRowsOf, recordTotalsOf, type TrainingFacts } from './record-content.ts'
import type { GapFacts, RecordRules } from './record-facts.ts'
import { recordGapsOf } from './record-gaps.ts'
import type { RecordLesson } from './record-lessons.ts'
import { GAP_CODES, type GapCode, type RecordSignature } from './training-record.ts'

const EVA = { id: 'eva', name: 'Eva Adler', number: '7', license_classes: ['B'] }

const LESSON: RecordLesson = {
  ...{ id: 'r1', instructor_id: 'eva', lesson_type_id: 'rural', requirement_key: null, code: 'RURAL' },
  ...{ category: 'special', only_in_the_dark: false, is_own: true, seats: 1, attended: true, students: 1 },
  ...{ topic: null, practised: 'Überholen', passed: null, by_trainee: false, vehicles: [] },
  ...{ status: 'completed', start_at: '2030-04-02 10:00', end_at: '2030-04-02 11:30' },
  ...{ actual_start_at: '2030-04-02 10:00', actual_end_at: '2030-04-02 11:30' },
}

const drive = (fields: Partial<RecordLesson> = {}): RecordLesson => ({ ...LESSON, ...fields })
const on = (day: string, from: string, to: string) => ({
  ...{ start_at: `${day} ${from}`, end_at: `${day} ${to}` },
  ...{ actual_start_at: `${day} ${from}`, actual_end_at: `${day} ${to}` },
})
const theory = (id: string, topic: string | null, fields: Partial<RecordLesson> = {}) =>
  drive({
    ...{ id, topic, lesson_type_id: 'basic', code: 'THEORY_BASIC', category: 'theory', seats: 20 },
    ...{ ...on('2030-04-01', '18:00', '19:30'), ...fields },
  })
const exam = (id: string, day: string, kind: 'theory' | 'practical', passed: boolean | null = true) =>
  drive({ id, code: 'EXAM', category: `${kind}_exam`, passed, ...on(day, '08:00', '08:45') })
const check = (fields: Partial<RecordLesson>) =>
  drive({ lesson_type_id: 'check', code: 'MANUAL_CHECK', category: 'practical', ...fields })

const RULES: RecordRules = {
  ...{
    form: 'DE',
    now: '2030-05-01 12:00',
    content: 'note',
    signers: ['school', 'student'],
    darkness: undefined,
  },
  ...{ topic_types: ['THEORY_BASIC'], theory_unit_minutes: 45, theory_day_units: 4, training_years: 2 },
  special: null,
}

const RURAL = {
  ...{ lesson_type_id: 'rural', requirement_key: null, required_units: 2, min_one_block_units: 2 },
  ...{ code: 'RURAL', is_theory: false },
}
const CHECK = {
  ...{ lesson_type_id: 'check', requirement_key: null, required_units: 0, min_one_block_units: null },
  ...{ code: 'MANUAL_CHECK', is_theory: false, min_minutes: 15, not_by_trainee: true },
}

type Case = {
  readonly lessons?: readonly RecordLesson[]
  readonly facts?: Partial<TrainingFacts>
  readonly record?: Partial<GapFacts['record']>
  readonly ends?: Partial<GapFacts['ends']>
  readonly overlaps?: GapFacts['overlaps']
  readonly rules?: Partial<RecordRules>
}

/** Returns the gaps of a flawless record with one drive, as the case changes it. */
function gapsOf({ lessons = [drive()], facts: given, record, ends, overlaps = [], rules }: Case) {
  const facts: TrainingFacts = {
    ...{
      timezone: 'Europe/Berlin',
      unit_minutes: 45,
      license_class: 'B',
      prior_classes: [],
      cooperation: null,
    },
    codes: { RURAL: 'UL', PRACTICE: 'Üst', MANUAL_CHECK: 'SN', CONSULTATION: null },
    ...{ requirements: [RURAL, CHECK], credits: [], lessons, instructors: [EVA], ...given },
  }
  return recordGapsOf({
    facts,
    record: {
      ...recordRowsOf(facts),
      state: 'running',
      school: { name: 'Nord', address: 'Hauptstraße 12', responsible: 'Ute Brandt' },
      student: { last_name: 'Vogt', first_name: 'Lena', address: 'Lindenweg 4', birth_date: '2010-01-01' },
      ...{ prior_classes: [], cooperation: null, totals: recordTotalsOf(facts), signatures: [], ...record },
    },
    ends: { ends_on: null, theory_ended_on: null, practice_ended_on: null, ...ends },
    overlaps,
    rules: { ...RULES, ...rules },
  })
}

const SCHOOL = { name: 'Nord', address: 'Hauptstraße 12', responsible: 'Ute Brandt' }
const STUDENT = { last_name: 'Vogt', first_name: 'Lena', address: 'Lindenweg 4', birth_date: '2010-01-01' }
const ended = { ends_on: '2030-04-30' }
const signed = (as: 'school' | 'student', state: 'valid' | 'outdated' = 'valid'): RecordSignature => ({
  ...{ id: as, as, name: 'Ute Brandt', at: '2030-05-01T08:00:00.000Z', digest: '', state },
  by: { kind: 'user', id: null, name: 'Ute' },
})
const both = { signatures: [signed('school'), signed('student')] }
const NIGHT = { code: 'RURAL', only_in_the_dark: true }

const CASES: readonly (readonly [GapCode, Case, readonly object[]])[] = [
  ['school_address_missing', { record: { school: { ...SCHOOL, address: null } } }, [{}]],
  ['responsible_missing', { record: { school: { ...SCHOOL, responsible: null } } }, [{}]],
  ['address_missing', { record: { student: { ...STUDENT, address: null } } }, [{}]],
  ['birth_date_missing', { record: { student: { ...STUDENT, birth_date: null } } }, [{}]],
  ['prior_classes_missing', { record: { prior_classes: null } }, [{}]],
  [
    'instructor_number_missing',
    { facts: { instructors: [{ ...EVA, number: null }] } },
    [{ params: { instructor_id: 'eva', name: 'Eva Adler' } }],
  ],
  [
    'cooperation_incomplete',
    { record: { cooperation: { role: 'commissioned', school: 'Süd', address: null } } },
    [{}],
  ],
  [
    'still_planned',
    {
      lessons: [
        drive({ id: 'past', status: 'planned' }),
        drive({ id: 'coming', status: 'planned', ...on('2030-05-02', '10:00', '11:30') }),
        drive({ id: 'advice', status: 'planned', code: 'CONSULTATION' }),
        drive({ id: 'other', status: 'planned', is_own: false }),
      ],
    },
    [{ appointment_id: 'past' }],
  ],
  [
    'attendance_open',
    {
      lessons: [
        theory('open', 'Thema 1', { status: 'missed', attended: null }),
        theory('away', 'Thema 1', { status: 'missed', attended: false }),
      ],
    },
    [{ appointment_id: 'open' }],
  ],
  [
    'topic_missing',
    {
      lessons: [
        theory('none', null),
        theory('class', null, { code: 'THEORY_SPECIFIC', ...on('2030-04-03', '18:00', '19:30') }),
      ],
    },
    [{ appointment_id: 'none' }],
  ],
  [
    'topic_repeated',
    { lessons: [theory('one', 'Thema 1'), theory('two', 'Thema 1', on('2030-04-03', '18:00', '19:30'))] },
    [{ severity: 'note', appointment_id: 'two' }],
  ],
  [
    'theory_day_exceeded',
    {
      lessons: [
        theory('a', 'Thema 1'),
        theory('b', 'Thema 2', on('2030-04-01', '16:00', '17:30')),
        theory('c', 'Thema 3', on('2030-04-01', '20:00', '20:45')),
      ],
    },
    [{ severity: 'note', appointment_id: 'c', params: { date: '2030-04-01', max_units: 4 } }],
  ],
  [
    'code_missing',
    { lessons: [drive({ code: 'REFRESHER' }), drive({ id: 'advice', code: 'CONSULTATION' })] },
    [{ appointment_id: 'r1', severity: 'defect' }],
  ],
  ['content_missing', { lessons: [drive({ practised: ' ' })] }, [{ severity: 'note', appointment_id: 'r1' }]],
  [
    'actual_times_missing',
    { lessons: [drive({ actual_start_at: null, actual_end_at: null })] },
    [{ severity: 'note', appointment_id: 'r1' }],
  ],
  [
    'actual_times_doubtful',
    { lessons: [drive({ actual_end_at: '2030-04-02 12:31' })] },
    [{ severity: 'note', appointment_id: 'r1' }],
  ],
  [
    'overlap',
    {
      lessons: [drive(), drive({ id: 'r2', ...on('2030-04-02', '11:29', '12:14') })],
      overlaps: [{ id: 'r1', with: 'of mia' }],
    },
    [
      { appointment_id: 'r1', params: { date: '2030-04-02', with: 'r2' } },
      { appointment_id: 'r1', params: { date: '2030-04-02', with: 'of mia' } },
      { appointment_id: 'r2', params: { date: '2030-04-02', with: 'r1' } },
    ],
  ],
  ['several_students', { lessons: [drive({ students: 2 })] }, [{ appointment_id: 'r1' }]],
  [
    'instructor_not_qualified',
    { facts: { instructors: [{ ...EVA, license_classes: ['A'] }] } },
    [{ appointment_id: 'r1', params: { date: '2030-04-02', instructor_id: 'eva', license_class: 'B' } }],
  ],
  ['check_drive_by_trainee', { lessons: [check({ by_trainee: true })] }, [{ appointment_id: 'r1' }]],
  [
    'check_drive_too_short',
    {
      lessons: [
        check(on('2030-04-02', '10:00', '10:14')),
        check({ id: 'r2', ...on('2030-04-02', '11:00', '11:15') }),
      ],
    },
    [{ appointment_id: 'r1', params: { date: '2030-04-02', minutes: 14, min_minutes: 15 } }],
  ],
  [
    'not_dark',
    {
      lessons: [drive(NIGHT), drive({ ...NIGHT, id: 'r2', ...on('2030-04-02', '21:00', '22:30') })],
      rules: {
        darkness: {
          isDark: ({ start }) => start % 1440 >= 20 * 60,
          nightFrom: () => undefined,
          darkTimesOn: () => [],
        },
      },
    },
    [{ severity: 'note', appointment_id: 'r1' }],
  ],
  [
    'special_too_early',
    {
      lessons: [
        drive({ id: 'p', code: 'PRACTICE', category: 'practical', ...on('2030-04-01', '08:00', '09:30') }),
        drive(),
        drive({ id: 'p2', code: 'PRACTICE', category: 'practical', ...on('2030-04-03', '08:00', '08:45') }),
        drive({ id: 'r2', ...on('2030-04-03', '10:00', '11:30') }),
      ],
      rules: { special: { after_units: 3, must: true } },
    },
    [
      {
        appointment_id: 'r1',
        severity: 'defect',
        params: { date: '2030-04-02', done_units: 2, after_units: 3 },
      },
    ],
  ],
  [
    'units_missing',
    { lessons: [drive(on('2030-04-02', '10:00', '10:45'))], ends: { practice_ended_on: '2030-04-03' } },
    [{ severity: 'defect', params: { requirement: 'RURAL', required_units: 2, done_units: 1 } }],
  ],
  [
    'block_missing',
    {
      lessons: [
        drive(on('2030-04-02', '10:00', '10:45')),
        drive({ id: 'r2', ...on('2030-04-02', '10:46', '11:31') }),
      ],
      ends: ended,
    },
    [{ params: { requirement: 'RURAL' } }],
  ],
  [
    'training_too_old',
    {
      lessons: [drive(), exam('late', '2032-04-03', 'practical')],
      ends: { practice_ended_on: '2030-04-02' },
    },
    [
      {
        appointment_id: 'late',
        params: { part: 'practical', ended_on: '2030-04-02', valid_until: '2032-04-02', date: '2032-04-03' },
      },
    ],
  ],
  [
    'test_before_training',
    {
      lessons: [
        drive(),
        exam('early', '2030-04-01', 'practical'),
        exam('failed', '2030-03-30', 'practical', false),
      ],
      ends: ended,
    },
    [{ appointment_id: 'early', params: { part: 'practical', date: '2030-04-01', ended_on: '2030-04-02' } }],
  ],
  [
    'signature_missing',
    { ends: ended, record: { signatures: [signed('school')] } },
    [{ severity: 'defect', params: { as: 'student' } }],
  ],
  [
    'signature_outdated',
    { ends: ended, record: { signatures: [signed('school', 'outdated'), signed('student')] } },
    [{ params: { as: 'school' } }],
  ],
]

describe('the gaps of a record', () => {
  it('are none if nothing is missing', () => {
    expect(gapsOf({})).toEqual([])
    expect(gapsOf({ ends: ended, record: both })).toEqual([])
  })

  it.each(CASES)('have %s', (code, given, expected) => {
    const own = gapsOf(given).filter((one) => one.code === code)
    expect(own).toMatchObject(expected)
    expect(own).toHaveLength(expected.length)
  })

  it('have a case for each code, and are in the order of the codes', () => {
    expect(CASES.map(([code]) => code)).toEqual(GAP_CODES)
    const codes = gapsOf({
      lessons: [drive({ code: 'REFRESHER', practised: null })],
      record: { student: { ...STUDENT, address: null }, prior_classes: null },
      ends: ended,
    }).map(({ code }) => code)
    expect([...new Set(codes)]).toEqual(GAP_CODES.filter((code) => codes.includes(code)))
    expect(codes.length).toBeGreaterThan(4)
  })

  it('have no gap of the end before it, and units of a broken-off training as notes', () => {
    const short = { lessons: [drive(on('2030-04-02', '10:00', '10:45'))] }
    expect(gapsOf(short)).toEqual([])
    expect(gapsOf({ ...short, ends: { theory_ended_on: '2030-04-03' } })).toEqual([])
    const partial = gapsOf({ ...short, ends: ended, record: { ...both, state: 'partial' } })
    expect(partial.map(({ code, severity }) => [code, severity])).toEqual([
      ['units_missing', 'note'],
      ['block_missing', 'note'],
    ])
  })

  it('have the severities that the school and the law choose', () => {
    const early = { special: { after_units: 1, must: false } }
    expect(gapsOf({ rules: early })).toMatchObject([{ code: 'special_too_early', severity: 'note' }])
    expect(gapsOf({ lessons: [drive({ practised: null })], rules: { content: 'defect' } })).toMatchObject([
      { code: 'content_missing', severity: 'defect' },
    ])
  })

  it('lack a code only where there is a form, and a test after its years also without one taken', () => {
    expect(gapsOf({ lessons: [drive({ code: 'REFRESHER' })], rules: { form: null } })).toEqual([])
    const old = { ends: { practice_ended_on: '2030-04-02' }, record: both }
    expect(gapsOf({ ...old, rules: { now: '2032-04-02 23:59' } })).toEqual([])
    expect(gapsOf({ ...old, rules: { now: '2032-04-03 00:00' } })).toMatchObject([
      { code: 'training_too_old', appointment_id: null },
    ])
  })
})
