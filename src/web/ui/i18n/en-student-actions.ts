import type { deStudentActions } from './de-student-actions.ts'

export const enStudentActions: typeof deStudentActions = {
  studentActions: {
    title: 'What students may do on their page',
    hint: 'Before students cancel, the page shows the fee by the rules above. Groups, and lessons that have begun, stay with the office.',
    confirm: 'Confirm lessons',
    cancel: 'Cancel lessons',
    wish: 'Ask for times',
    proof: 'Proof beside the link',
    proofHint: 'So that a link that is passed on changes nothing by itself.',
    proofBy: {
      birth_date: 'Date of birth',
      mail_code: 'Code by e-mail',
      none: 'None',
    },
    confirmed: 'confirmed by the student: {{at}}',
    confirmation: 'Confirmation',
  },
}
