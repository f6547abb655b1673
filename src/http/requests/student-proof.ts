import type { FastifyReply, FastifyRequest } from 'fastify'
import { PROOF_SECONDS } from '../../auth/student-proofs.ts'
import { expectedProof, type ProofContext } from '../../booking/students/prove-student.ts'
import { isMailSetUp } from '../../config.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { FoundPage } from '../../db/students/links.ts'
import type { Service } from '../service.ts'
import { cookieValues } from './access-cookie.ts'
import { clientNetwork } from './client-network.ts'

const COOKIE = 'student_proof'

export type OpenedPage = { readonly tenant: Tenant; readonly page: FoundPage; readonly now: Date }

/** Whether the browser has given the proof that the school requires. A user's login is no proof. */
export function isProved(
  request: FastifyRequest,
  { studentProofs }: Service,
  { tenant, page, now }: OpenedPage,
): boolean {
  const { proof } = tenant.student_actions
  if (proof === 'none') return true
  const proving = { link_id: page.id, proof }
  return cookieValues(request, COOKIE).some((value) => studentProofs.proves(value, proving, now))
}

/** Stores the proof in a cookie, for this link only and only as long as a visit may last. */
export function setProof(
  { params }: FastifyRequest,
  reply: FastifyReply,
  { studentProofs }: Service,
  { tenant, page, now }: OpenedPage,
): void {
  const { token } = params as { readonly token: string }
  const proving = { link_id: page.id, proof: tenant.student_actions.proof }
  reply.setCookie(COOKIE, studentProofs.seal(proving, now), {
    path: `/s/${token}`,
    httpOnly: true,
    secure: true,
    sameSite: 'strict',
    maxAge: PROOF_SECONDS,
  })
}

export function proverOf(request: FastifyRequest, service: Service, opened: OpenedPage): ProofContext {
  const { config, studentProofs: proofs } = service
  return { ...opened, network: clientNetwork(request), limits: config.loginLimits, proofs }
}

export async function neededProof(
  { db, config }: Service,
  { tenant, page }: OpenedPage,
): Promise<'birth_date' | 'mail' | 'missing' | 'locked'> {
  if (page.is_locked) return 'locked'
  const isByMail = tenant.student_actions.proof === 'mail_code'
  if (isByMail && !isMailSetUp({ mail: config.mail })) return 'missing'
  if ((await expectedProof(db, { tenant, page })) === undefined) return 'missing'
  return isByMail ? 'mail' : 'birth_date'
}

/** Whether the form may come from our own page: browsers name the site that sends a form. */
export function isOwnForm({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== 'cross-site' && site !== 'same-site'
}
