/** The examples of cancellations and a policy in the API document. */

export const newCancellation = { by: 'student', reason: 'other', note: 'Called at noon', charge: null }

export const cancellation = {
  by: 'student' as const,
  reason: 'other' as const,
  note: 'Called at noon',
  at: '2026-05-03T10:00:00.000Z',
  notice_minutes: 1200,
  is_late: true,
  fee_percent: 80,
  charged: true,
}

export const cancellationPolicy = [
  { categories: ['special'], notice: { working_days: 6 }, fee_percent: 100 },
  { categories: null, notice: { hours: 48 }, fee_percent: 80 },
  { categories: null, no_show: true as const, fee_percent: 100 },
]
