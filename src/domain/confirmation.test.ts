import { expect, it } from 'vitest'
import { type ConfirmedPart, gapsOfPart, hasPart, totalsOfPart } from './confirmation.ts'
import type { GapCode, RecordGap, RecordTotal, TrainingRecord } from './training-record.ts'

const requirements = [
  { code: 'THEORY_BASIC', is_theory: true, is_gearbox: false },
  { code: 'RURAL', is_theory: false, is_gearbox: false },
  { code: 'MANUAL_GEARBOX', is_theory: false, is_gearbox: true },
]

type Given = Pick<TrainingRecord, 'gaps' | 'totals' | 'theory' | 'practice' | 'instructors'>
const start = { date: '2026-02-04', start_time: '08:00', minutes: 90, instructor_no: 1 }
const drive = { ...start, instructor_no: 2, code: 'UL', content: null, vehicle: null }
const record: Given = {
  gaps: [],
  totals: [],
  instructors: [
    { no: 1, instructor_id: 'teacher', name: 'Eva' },
    { no: 2, instructor_id: 'driver', name: 'Jo' },
  ],
  theory: [{ ...start, appointment_id: 'class', part: 'basic', topic: null }],
  practice: [
    { ...drive, appointment_id: 'automatic', gearbox: 'automatic' },
    { ...drive, appointment_id: 'manual', gearbox: 'manual' },
  ],
}

function gap(code: GapCode, given: Partial<RecordGap> = {}): RecordGap {
  return { code, severity: 'defect', params: {}, appointment_id: null, ...given }
}

function total(requirement: string, given: Partial<RecordTotal> = {}): RecordTotal {
  return { requirement, required_units: 5, done_units: 5, credited_units: 0, block_done: null, ...given }
}

function partsWith(given: Partial<Given>): readonly ConfirmedPart[] {
  const parts: readonly ConfirmedPart[] = ['theory', 'practice', 'gearbox']
  return parts.filter((part) => gapsOfPart(part, { ...record, ...given }, requirements).length > 0)
}

it.each([
  ['of the school', gap('school_address_missing'), ['theory', 'practice', 'gearbox']],
  ['of the student', gap('birth_date_missing'), ['theory', 'practice', 'gearbox']],
  ['that is a note', gap('content_missing', { severity: 'note' }), []],
  ['of a signature', gap('signature_missing'), []],
  ['of a class', gap('overlap', { appointment_id: 'class' }), ['theory']],
  ['of a drive', gap('overlap', { appointment_id: 'automatic' }), ['practice']],
  ['of a manual drive', gap('overlap', { appointment_id: 'manual' }), ['practice', 'gearbox']],
  ['of a lesson not given', gap('still_planned', { appointment_id: 'x' }), ['theory', 'practice', 'gearbox']],
  ['of a teacher', gap('instructor_number_missing', { params: { instructor_id: 'teacher' } }), ['theory']],
  [
    'of a driver',
    gap('instructor_number_missing', { params: { instructor_id: 'driver' } }),
    ['practice', 'gearbox'],
  ],
  ['of a group', gap('attendance_open', { appointment_id: 'x' }), ['theory']],
  [
    'of a check drive',
    gap('check_drive_too_short', { appointment_id: 'automatic' }),
    ['practice', 'gearbox'],
  ],
  ['of the theory', gap('training_too_old', { params: { part: 'theory' } }), ['theory']],
  ['of the practice', gap('training_too_old', { params: { part: 'practice' } }), ['practice', 'gearbox']],
  ['of a requirement', gap('training_too_old', { params: { requirement: 'RURAL' } }), ['practice']],
])('a gap %s hinders the parts that it concerns', (_, one, parts) => {
  expect(partsWith({ gaps: [one] })).toEqual(parts)
})

it.each([
  ['theory', total('THEORY_BASIC', { done_units: 4 }), ['theory']],
  ['a drive', total('RURAL', { done_units: 4 }), ['practice']],
  ['a block', total('RURAL', { block_done: false }), ['practice']],
  ['gear units', total('MANUAL_GEARBOX', { done_units: 0 }), ['practice', 'gearbox']],
  ['nothing', total('RURAL', { done_units: 5, block_done: true }), []],
])('a training that lacks %s hinders its parts before they have ended', (_, one, parts) => {
  expect(partsWith({ totals: [total('THEORY_BASIC'), one] })).toEqual(parts)
})

it('lists missing units and blocks once, with their figures', () => {
  const lacking = total('RURAL', { done_units: 3, block_done: false })
  const gaps = [gap('units_missing', { params: { requirement: 'RURAL' } })]
  expect(gapsOfPart('practice', { ...record, gaps, totals: [lacking] }, requirements)).toEqual([
    gap('units_missing', { params: { requirement: 'RURAL', required_units: 5, done_units: 3 } }),
    gap('block_missing', { params: { requirement: 'RURAL' } }),
  ])
})

it('knows the parts and totals of a template', () => {
  expect(hasPart('gearbox', requirements)).toBe(true)
  expect(hasPart('gearbox', requirements.slice(0, 2))).toBe(false)
  const totals = [total('THEORY_BASIC'), total('RURAL'), total('MANUAL_GEARBOX')]
  const codes = (part: ConfirmedPart) =>
    totalsOfPart(part, totals, requirements).map(({ requirement }) => requirement)
  expect([codes('theory'), codes('practice'), codes('gearbox')]).toEqual([
    ['THEORY_BASIC'],
    ['RURAL', 'MANUAL_GEARBOX'],
    ['MANUAL_GEARBOX'],
  ])
})
