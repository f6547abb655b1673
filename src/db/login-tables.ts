import type { Generated } from 'kysely'

/** A link by which a user sets a password without the one that was. */
export type PasswordLinkTable = {
  user_id: string
  kind: 'invitation' | 'reset'
  secret_hash: Buffer
  created_at: Generated<Date>
  expires_at: Date
}

/** All refresh tokens that descend from one login; its id is the session's `sid`. */
export type TokenFamilyTable = {
  id: string
  user_id: string
  created_at: Generated<Date>
  revoked_at: Date | null
  revoked_reason: 'logout' | 'reuse' | 'password_changed' | 'user_disabled' | null
}

export type RefreshTokenTable = {
  id: string
  family_id: string
  parent_id: string | null
  token_hash: Buffer
  created_at: Generated<Date>
  expires_at: Date
  revoked_at: Date | null
  revoked_reason: 'rotated' | 'logout' | 'reuse' | 'password_changed' | 'user_disabled' | null
}

export type LoginFailureTable = { account: string; address: string; failed_at: Generated<Date> }
export type LoginAddressTable = { user_id: string; address: string; last_login_at: Generated<Date> }
