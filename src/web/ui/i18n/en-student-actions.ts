import type { deStudentActions } from './de-student-actions.ts'

export const enStudentActions: typeof deStudentActions = {
  studentActions: {
    title: 'What students may do on their page',
    hint: 'Before students cancel, the page shows the fee by the rules above. Only the office can change groups and lessons that have begun. Students can move lessons to free times of the same instructor within the next four weeks, as long as a cancellation would be free of charge.',
    confirm: 'Confirm lessons',
    cancel: 'Cancel lessons',
    wish: 'Ask for times',
    sign: 'Sign lessons and the training record (needs a proof)',
    move: 'Move lessons',
    on: 'yes',
    off: 'no',
    proof: 'Proof in addition to the link',
    proofHint: 'So that a forwarded link alone changes nothing.',
    proofBy: {
      birth_date: 'Date of birth',
      mail_code: 'Code by e-mail',
      none: 'None',
    },
    confirmed: 'confirmed by the student: {{at}}',
    confirmation: 'Confirmation',
  },
}
