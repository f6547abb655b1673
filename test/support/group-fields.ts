import { randomUUID } from 'node:crypto'

/** The fields of a lesson without vehicles, group, exam, series and class. */
export const PLAIN_LESSON = {
  vehicle_ids: [],
  attendees: [],
  seats: null,
  topic: null,
  exam_result: null,
  location_id: null,
  series_id: null,
  enrolment_id: null,
  license_class: null,
  no_show_fee_percent: null,
  confirmed_at: null,
}

/** Returns the fields of groups and exams, with good and bad values. The seats of a lesson for one student are null. */
export function groupFields(malformedIds: readonly string[]) {
  const student_id = randomUUID()
  return {
    attendees: {
      good: [[]],
      bad: ['B', 5, true, { 0: 'B' }, null],
      inside: [
        ...[...malformedIds, 5, null].map((one) => [[{ student_id: one }], '/0/student_id'] as const),
        [[{}], '/0/student_id'] as const,
        [[{ student_id, attended: 'yes' }], '/0/attended'] as const,
        [[{ student_id, paid: true }], '/0/paid'] as const,
      ],
    },
    exam_result: {
      nullable: true as const,
      good: [
        { passed: true, note: null },
        { passed: false, note: 'Speed' },
      ],
      bad: ['passed', 5, true, []],
      inside: [
        [{}, '/passed'] as const,
        [{ passed: 'yes' }, '/passed'] as const,
        [{ passed: true, note: 5 }, '/note'] as const,
        [{ passed: true, points: 5 }, '/points'] as const,
      ],
    },
    seats: { nullable: true as const, good: [], bad: ['1', '', true, [1], 0, 101, 1.5] },
    topic: {
      nullable: true as const,
      good: ['Thema 3', '  Thema 3 '],
      bad: [5, true, [], '', ' ', 'x'.repeat(101)],
    },
  }
}
