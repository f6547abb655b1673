import type { ColumnType, Generated } from 'kysely'
import type { ApiTokenScope } from '../../contract/api-token.ts'
import type { UserRole } from '../../contract/auth.ts'
import type { ProofKind } from '../../contract/proof.ts'

export type PasswordLinkTable = {
  user_id: string
  kind: 'invitation' | 'reset' | EmailLinkKind
  secret_hash: Buffer
  created_at: Generated<Date>
  expires_at: Date
  /** The new address of an e-mail change, in both of its links. */
  email: string | null
  confirmed_at: Date | null
}

export type EmailLinkKind = 'email_old' | 'email_new'

export type TokenFamilyTable = {
  id: string
  user_id: string
  created_at: Generated<Date>
  last_used_at: Generated<Date>
  browser: string | null
  system: string | null
  /** The time of the user's last proof of identity; null if there is none. */
  proved_at: Date | null
  proved_by: ProofKind | null
  /** The person at an issuer with whose login the session began, and the issuer's own session. */
  sso_issuer: string | null
  sso_subject: string | null
  sso_sid: string | null
  revoked_at: Date | null
  revoked_reason: RevokedReason | null
  /** The name, role, scope, hash and end of an API token; null for a session that a login has opened. */
  name: string | null
  role: UserRole | null
  scope: ApiTokenScope | null
  token_hash: Buffer | null
  expires_at: Date | null
}

/** A user of another school whose password was also proved at a session's login. */
export type SessionUserTable = { family_id: string; user_id: string }

export type RevokedReason =
  | 'logout'
  | 'reuse'
  | 'password_changed'
  | 'email_changed'
  | 'user_disabled'
  | 'ended'
  | 'second_factor_reset'
  | 'switched'
  | 'sso_logout'
  | 'sso_required'

export type RefreshTokenTable = {
  id: string
  family_id: string
  parent_id: string | null
  token_hash: Buffer
  created_at: Generated<Date>
  expires_at: Date
  revoked_at: Date | null
  revoked_reason: 'rotated' | RevokedReason | null
}

export type PasskeyTable = {
  id: string
  user_id: string
  credential_id: string
  public_key: Buffer
  counter: ColumnType<string, number, number>
  transports: string[]
  is_synced: boolean
  is_backed_up: boolean
  name: string
  created_at: Generated<Date>
  last_used_at: Date | null
}

export type RecoveryCodeTable = { user_id: string; code_hash: Buffer; used_at: Date | null }

/** The secret of a user's authenticator app; `last_step` is that of the newest code used. */
export type TotpSecretTable = {
  user_id: string
  sealed_secret: Buffer
  last_step: number
  created_at: Generated<Date>
}

export type IdentityProviderTable = {
  tenant_id: string
  issuer: string
  client_id: string
  sealed_secret: Buffer
  required: boolean
  updated_at: Generated<Date>
}

export type IdentityTable = {
  user_id: string
  tenant_id: string
  issuer: string
  subject: string
  created_at: Generated<Date>
}

export type UsedChallengeTable = { id: string; expires_at: Date }

export type AttemptKind =
  | 'login'
  | 'other_school'
  | 'passkey'
  | 'reset'
  | 'link'
  | 'invitation'
  | 'setup'
  | 'student_page'

export type LoginFailureTable = {
  kind: Generated<AttemptKind>
  account: string
  address: string
  failed_at: Generated<Date>
}
export type LoginAddressTable = { user_id: string; address: string; last_login_at: Generated<Date> }
