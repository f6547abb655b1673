/** The proofs of identity that a student's page can require in addition to its link. */
export const STUDENT_PROOFS = ['none', 'birth_date', 'mail_code'] as const
export type StudentProof = (typeof STUDENT_PROOFS)[number]

/** The actions that a school allows students on their page, and the proof that it requires. */
export type StudentActions = {
  readonly confirm: boolean
  readonly cancel: boolean
  readonly wish: boolean
  readonly proof: StudentProof
}

export const NO_STUDENT_ACTIONS: StudentActions = {
  confirm: false,
  cancel: false,
  wish: false,
  proof: 'birth_date',
}
