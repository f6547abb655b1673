import type { CancellationTexts } from './de-cancellations.ts'

export const enCancellations: CancellationTexts = {
  cancellation: {
    one: 'Cancellation',
    by: { student: 'by the student', school: 'by the school' },
    because: { illness: 'illness', weather: 'weather', vehicle: 'vehicle', other: 'another reason' },
    late: 'too late',
    inTime: 'in time',
    fee: 'Fee: {{percent}} % of the price',
    noFee: 'no fee',
  },
}
