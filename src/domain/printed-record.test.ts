import { expect, it } from 'vitest'
import { aPracticeRow, aPrintedRecord, aTheoryRow } from '../pdf/printed-record.test-support.ts'
import { namedClass, printedChangesSince } from './printed-record.ts'

it.each([
  ['B', 'B197', 'B197'],
  ['B', 'B78', 'B78'],
  ['B', 'B', 'B'],
  ['B', 'BF17', 'B'],
  ['A1', 'A1', 'A1'],
  ['A', 'A_FROM_A1', 'A'],
  ['C1E', 'C1_C1E_JOINT', 'C1E'],
])('class %s of template %s is named %s', (license_class, code, named) => {
  expect(namedClass(license_class, code)).toBe(named)
})

it('lists what has changed since a signature by row, in their order', () => {
  const drive = (appointment_id: string, date: string, given = {}) =>
    aPracticeRow({ appointment_id, date, ...given })
  const common = { instructors: [{ no: 1, instructor_id: 'one', name: 'Weiß, Jörg', number: null }] }
  const signed = aPrintedRecord({
    ...common,
    theory: [aTheoryRow({ appointment_id: 'class', date: '2026-02-04' })],
    practice: [drive('gone', '2026-03-06'), drive('moved', '2026-03-07')],
  })
  const record = aPrintedRecord({
    ...common,
    theory: [aTheoryRow({ appointment_id: 'class', date: '2026-02-04', topic: 'Thema 3' })],
    practice: [
      drive('moved', '2026-03-05', { start_time: '10:00', minutes: 45 }),
      drive('new', '2026-04-01', { start_time: '07:00' }),
    ],
    prior_classes: null,
  })
  expect(printedChangesSince({ ...signed, signatures: [] }, record)).toEqual([
    { date: '2026-02-04', start_time: '18:00', fields: ['topic'] },
    { date: '2026-03-05', start_time: '10:00', fields: ['date', 'start_time', 'minutes'] },
    { date: '2026-03-06', start_time: '14:30', fields: ['removed'] },
    { date: '2026-04-01', start_time: '07:00', fields: ['added'] },
    { date: null, start_time: null, fields: ['prior_classes'] },
  ])
  expect(printedChangesSince({ ...signed, signatures: [] }, signed)).toEqual([])
})
