/** The ways in which students prove on their page who they are, beside having its link. */
export const STUDENT_PROOFS = ['none', 'birth_date', 'mail_code'] as const
export type StudentProof = (typeof STUDENT_PROOFS)[number]

/** The things that a school lets students do on their page, and the proof that it asks for. */
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
