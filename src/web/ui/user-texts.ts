import type { ApiTokenScope } from '../../contract/api-token.ts'
import type { User, UserRole } from '../../contract/auth.ts'
import { type Fields, flag, instructor, text } from './field-kinds.ts'
import { momentText } from './moment-text.ts'

/** The other fields of a user, which not every role may read. */
type UserNotes = {
  readonly password_set: true
  readonly disabled: boolean
  readonly invited_until: string
  readonly reset_until: string
  readonly email_requested: string | null
  readonly passkey: string | null
  readonly api_token: string | null
  readonly api_token_role: UserRole
  readonly api_token_scope: ApiTokenScope
  readonly api_token_expires_at: string
  readonly totp: boolean
  readonly identity: string | null
  readonly second_factor: boolean
  readonly recovery_codes_left: number
  readonly recovery_code_used: true
  readonly sessions_ended: number
}

export const USER: Fields<User & UserNotes> = {
  name: text('field.name'),
  email: text('login.email'),
  role: { label: 'field.role', texts: (role, _, t) => [t(`role.${role}`)] },
  instructor_id: instructor('field.instructor_id'),
  invited_until: { label: 'users.newLink', texts: (until, school) => [momentText(until, school)] },
  email_requested: text('account.emailRequested'),
  reset_until: { label: 'users.resetLink', texts: (until, school) => [momentText(until, school)] },
  password_set: { label: 'field.password', texts: (_, __, t) => [t('changes.passwordSet')] },
  disabled: flag('changes.login', 'changes.locked', 'changes.open'),
  passkey: text('account.passkey'),
  identity: text('sso.account'),
  api_token: text('account.token'),
  api_token_role: { label: 'field.role', texts: (role, _, t) => [t(`role.${role}`)] },
  api_token_scope: { label: 'account.tokenScope', texts: (scope, _, t) => [t(`account.scope.${scope}`)] },
  api_token_expires_at: { label: 'account.tokenEnds', texts: (at, school) => [momentText(at, school)] },
  totp: flag('factor.app', 'factor.isSet', 'factor.isUnset'),
  second_factor: flag('account.secondFactor', 'account.on', 'account.off'),
  recovery_codes_left: { label: 'account.codes', texts: (count) => [String(count)] },
  recovery_code_used: { label: 'account.code', texts: (_, __, t) => [t('account.codeSpent')] },
  sessions_ended: {
    label: 'account.sessions',
    texts: (count, _, t) => [`${count} ${t('account.sessionsEnded')}`],
  },
}
