import { hashOf, newSecret } from '../../auth/secret.ts'
import type { Actor } from '../../contract/actor.ts'
import type { MailText } from '../../contract/mail.ts'
import { Problem } from '../../contract/problem.ts'
import type { PasswordLink, SchoolUser } from '../../contract/user.ts'
import { type LinkKind, putLink } from '../../db/accounts/password-links.ts'
import { putMail, secondsUntilMail } from '../../db/messages/mails.ts'
import type { Transaction } from '../../db/schema/tables.ts'

export type Links = {
  readonly urlOf: (kind: LinkKind, secret: string) => string
  readonly isMailed: boolean
}

type Handing = { readonly kind: 'invitation' | 'reset'; readonly links: Links }

/** Creates a link for a locked user and queues its mail if links are mailed. Throws `too_many_mails` with `Retry-After`. */
export async function handOutLink(
  db: Transaction,
  actor: Actor,
  { id, email, name }: Pick<SchoolUser, 'id' | 'email' | 'name'>,
  { kind, links: { urlOf, isMailed } }: Handing,
): Promise<PasswordLink> {
  if (isMailed && actor.kind === 'user') await requireMailAllowed(db, actor.tenant.id, email)
  const secret = newSecret()
  const expires_at = await putLink(
    db,
    { tenantId: actor.tenant.id, userId: id },
    { kind, secret_hash: hashOf(secret) },
  )
  const url = urlOf(kind, secret)
  if (isMailed) {
    const text: MailText =
      kind === 'invitation'
        ? { template: 'invitation', params: { inviter: actor.name, url } }
        : { template: 'password_reset', params: { url } }
    const to = { address: email, name }
    await putMail(db, actor.tenant.id, { ...text, to, worth_until: new Date(expires_at) })
  }
  return { url, expires_at, is_mailed: isMailed }
}

/** Throws `too_many_mails` with `Retry-After` if the school has sent too many mails, in total or to the address. */
export async function requireMailAllowed(db: Transaction, tenantId: string, address: string): Promise<void> {
  const seconds = await secondsUntilMail(db, tenantId, address)
  if (seconds === 0) return
  throw new Problem('too_many_mails', {
    params: { retry_after_seconds: seconds },
    retryAfterSeconds: seconds,
  })
}
