import { id, ids } from './examples-of-school.ts'

export const recordSummary = {
  enrolment_id: id(30),
  student_id: ids.student,
  name: 'Vogt, Lena',
  license_class: 'B',
  state: 'ended',
  ends_on: '2026-06-30',
  gaps: [{ code: 'birth_date_missing', severity: 'defect', params: {}, appointment_id: null }],
  signatures: { school: 'valid', student: null },
}
