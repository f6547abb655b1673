import { expect, it } from 'vitest'
import type { RecordSummary } from '../../contract/record-summary.ts'
import type { GapCode, RecordGap } from '../../domain/training-record.ts'
import { easiestFirst, isUnsigned, placeOf } from './mending.ts'

function gap(code: GapCode, given: Partial<RecordGap> = {}): RecordGap {
  return { code, severity: 'defect', params: {}, appointment_id: null, ...given }
}

function record(name: string, gaps: readonly RecordGap[]): RecordSummary {
  return {
    enrolment_id: name,
    student_id: name,
    name,
    license_class: 'B',
    state: 'ended',
    ends_on: '2026-05-04',
    gaps: [...gaps],
    signatures: { school: null, student: null },
  }
}

it('puts records with the fewest defects first, those mended on the card before others, complete ones last', () => {
  const note = gap('content_missing', { severity: 'note' })
  const records = [
    record('complete', [note, note]),
    record('two', [gap('overlap'), gap('overlap')]),
    record('two on the card', [gap('address_missing'), gap('birth_date_missing')]),
    record('one', [gap('overlap'), note]),
    record('one on the card', [gap('prior_classes_missing')]),
    record('another one', [gap('overlap')]),
  ]
  expect(easiestFirst(records).map(({ name }) => name)).toEqual([
    'one on the card',
    'one',
    'another one',
    'two on the card',
    'two',
    'complete',
  ])
})

it.each([
  ['responsible_missing', null, 'school'],
  ['instructor_number_missing', null, 'instructor'],
  ['address_missing', null, 'student'],
  ['units_missing', null, 'student'],
  ['topic_missing', 'lesson', 'lesson'],
] as const)('%s is mended at the right place', (code, appointment_id, place) => {
  expect(placeOf(gap(code, { appointment_id }))).toBe(place)
})

it('knows records without valid signatures', () => {
  const is = (...codes: readonly GapCode[]) => isUnsigned({ gaps: codes.map((code) => gap(code)) })
  expect([is(), is('overlap'), is('signature_missing'), is('overlap', 'signature_outdated')]).toEqual([
    false,
    false,
    true,
    true,
  ])
})
