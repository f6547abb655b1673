import { id, ids } from './examples-of-school.ts'

export const credits = [
  {
    lesson_type_id: ids.lessonType,
    units: 2,
    minutes: 90,
    date: '2026-03-31',
    school: 'Fahrschule Süd',
    document: 'Ausbildungsnachweis vom 31.03.2026',
    topics: [],
  },
]

export const trainingRecord = {
  form: 'DE:DV-FahrlG-3:2022',
  law: 'FahrschAusbO',
  state: 'ended',
  school: { name: 'Fahrschule Nord', address: 'Hauptstraße 12\n20095 Hamburg', responsible: 'Ute Brandt' },
  student: {
    last_name: 'Vogt',
    first_name: 'Lena',
    address: 'Lindenweg 4\n20095 Hamburg',
    birth_date: '2008-02-11',
  },
  license_class: 'B',
  prior_classes: [],
  instructors: [{ no: 1, instructor_id: ids.instructor, name: 'Jonas Brandt' }],
  theory: [
    {
      appointment_id: id(17),
      date: '2026-05-04',
      start_time: '18:00',
      part: 'basic',
      topic: 'Thema 1',
      minutes: 90,
      instructor_no: 1,
    },
  ],
  practice: [
    {
      appointment_id: id(18),
      date: '2026-05-05',
      start_time: '08:00',
      minutes: 92,
      code: 'UL',
      content: 'Überholen',
      instructor_no: 1,
      vehicle: 'Golf 1',
      gearbox: 'manual',
    },
  ],
  exams: [{ appointment_id: id(19), date: '2026-06-30', kind: 'practical', passed: true }],
  credits,
  cooperation: null,
  totals: [{ requirement: 'RURAL', required_units: 5, done_units: 4, credited_units: 2, block_done: true }],
  gaps: [
    {
      code: 'units_missing',
      severity: 'defect',
      params: { requirement: 'RURAL', required_units: 5, done_units: 4 },
      appointment_id: null,
    },
  ],
  is_complete: false,
  digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  signatures: [],
  retained_until: '2031-12-31',
}
