/** The ways to verify a student's identity that their page can require in addition to its link. */
export const VERIFICATION_METHODS = ['none', 'birth_date', 'mail_code'] as const
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number]

/** The actions that a school allows students on their page, and the verification that it requires. */
export type StudentActions = {
  readonly confirm: boolean
  readonly cancel: boolean
  readonly wish: boolean
  /** Missing in the rows of an older release, as if it were off. */
  readonly sign?: boolean | undefined
  readonly proof: VerificationMethod
}

export const NO_STUDENT_ACTIONS: StudentActions = {
  confirm: false,
  cancel: false,
  wish: false,
  sign: false,
  proof: 'birth_date',
}

/** Whether students may sign on their page: only with a verification, since anybody can pass on a link. */
export function maySign({ sign, proof }: Pick<StudentActions, 'sign' | 'proof'>): boolean {
  return sign === true && proof !== 'none'
}
