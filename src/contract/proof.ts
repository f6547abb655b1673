/** How a user has proved to be the one. */
export type ProofKind = 'password' | 'passkey'
