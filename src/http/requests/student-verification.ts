import type { FastifyReply, FastifyRequest } from 'fastify'
import { VERIFICATION_SECONDS } from '../../auth/student-verifications.ts'
import { expectedIdentity, type VerificationContext } from '../../booking/students/verify-student.ts'
import { isMailSetUp } from '../../config.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { FoundPage } from '../../db/students/links.ts'
import type { Service } from '../service.ts'
import { cookieValues } from './access-cookie.ts'
import { clientNetwork } from './client-network.ts'

const COOKIE = 'student_proof'

export type OpenedPage = { readonly tenant: Tenant; readonly page: FoundPage; readonly now: Date }

/** Whether the browser has the verification that the school requires. A user's login is none. */
export function isVerified(
  request: FastifyRequest,
  { studentVerifications }: Service,
  { tenant, page, now }: OpenedPage,
): boolean {
  const { proof: method } = tenant.student_actions
  if (method === 'none') return true
  const verification = { link_id: page.id, method }
  return cookieValues(request, COOKIE).some((value) =>
    studentVerifications.verifies(value, verification, now),
  )
}

/** Stores the verification in a cookie, for this link only and only as long as a visit may last. */
export function setVerification(
  { params }: FastifyRequest,
  reply: FastifyReply,
  { studentVerifications }: Service,
  { tenant, page, now }: OpenedPage,
): void {
  const { token } = params as { readonly token: string }
  const verification = { link_id: page.id, method: tenant.student_actions.proof }
  reply.setCookie(COOKIE, studentVerifications.seal(verification, now), {
    path: `/s/${token}`,
    httpOnly: true,
    secure: true,
    sameSite: 'strict',
    maxAge: VERIFICATION_SECONDS,
  })
}

export function verificationContextOf(
  request: FastifyRequest,
  service: Service,
  opened: OpenedPage,
): VerificationContext {
  const { config, studentVerifications: verifications } = service
  return { ...opened, network: clientNetwork(request), limits: config.loginLimits, verifications }
}

export async function neededVerification(
  { db, config }: Service,
  { tenant, page }: OpenedPage,
): Promise<'birth_date' | 'mail' | 'missing' | 'locked'> {
  if (page.is_locked) return 'locked'
  const isByMail = tenant.student_actions.proof === 'mail_code'
  if (isByMail && !isMailSetUp({ mail: config.mail })) return 'missing'
  if ((await expectedIdentity(db, { tenant, page })) === undefined) return 'missing'
  return isByMail ? 'mail' : 'birth_date'
}

/** Whether the form may come from our own page: browsers name the site that sends a form. */
export function isOwnForm({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== 'cross-site' && site !== 'same-site'
}
