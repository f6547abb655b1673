import type { PrintedRecord } from '../domain/printed-record.ts'
import type { PracticeRow, TheoryRow } from '../domain/training-record.ts'

export const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`

/** Returns the record of an ended enrolment without lessons. */
export function aPrintedRecord(given: Partial<PrintedRecord> = {}): PrintedRecord {
  return {
    form: 'DE:DV-FahrlG-3:2022',
    law: 'FahrschAusbO',
    state: 'ended',
    school: { name: 'Fahrschule Adler', address: 'Ring 1\n50667 Köln', responsible: 'Ada Adler' },
    student: {
      last_name: 'Müller',
      first_name: 'Eva',
      address: 'Weg 2\n50667 Köln',
      birth_date: '2008-05-04',
    },
    license_class: 'B',
    prior_classes: [],
    instructors: [
      { no: 1, instructor_id: 'one', name: 'Weiß, Jörg', number: 'K-17' },
      { no: 2, instructor_id: 'two', name: 'Öz, Can', number: null },
    ],
    theory: [],
    practice: [],
    exams: [],
    credits: [],
    cooperation: null,
    totals: [],
    gaps: [],
    is_complete: true,
    digest: DIGEST,
    signatures: [],
    retained_until: '2031-12-31',
    changed_at: '2026-06-30T12:00:00.000Z',
    ...given,
  }
}

export function aTheoryRow(given: Partial<TheoryRow> = {}): TheoryRow {
  return {
    appointment_id: 'class',
    date: '2026-02-04',
    start_time: '18:00',
    part: 'basic',
    topic: null,
    minutes: 90,
    instructor_no: 1,
    ...given,
  }
}

export function aPracticeRow(given: Partial<PracticeRow> = {}): PracticeRow {
  return {
    appointment_id: 'drive',
    date: '2026-03-05',
    start_time: '14:30',
    minutes: 90,
    code: 'UL',
    content: 'Überholen',
    instructor_no: 1,
    vehicle: 'VW Golf',
    gearbox: 'manual',
    ...given,
  }
}
