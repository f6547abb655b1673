import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendCode, verifyStudent } from '../../booking/students/verify-student.ts'
import { isMailSetUp } from '../../config.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import { queueRequests } from '../load/queue-requests.ts'
import { FORM_POLICY } from '../pages/page-html.ts'
import type { Hint, VerificationStep } from '../pages/verification-html.ts'
import { readerChecks } from '../requests/check-reader.ts'
import { openLink, reopenLink } from '../requests/open-link.ts'
import {
  isOwnForm,
  isVerified,
  type OpenedPage,
  setVerification,
  verificationContextOf,
} from '../requests/student-verification.ts'
import type { App, Service } from '../service.ts'
import { languageForRequest, PAGE_HEADERS, sendNotice } from './student-page.ts'

export const FORM_ROUTE = { config: { open: true, link: 'page' }, schema: { hide: true } } as const

/** Prepares the routes of forms on a student's page: opened by link, queued with the school, never compressed. */
export function acceptForms(app: App, service: Service): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...PAGE_HEADERS, 'content-security-policy': FORM_POLICY })
    await openLink(request, service)
  })
  queueRequests(app, service, readerChecks(service))
  app.addHook('preHandler', async (request) => {
    if (request.method === 'POST') await reopenLink(request, service)
  })
  app.setErrorHandler(sendNotice)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4096 },
    async (_: unknown, body: string) => new URLSearchParams(body),
  )
}

/** Redirects to the page of the form, so that a reload does not send the form again. */
export function seeOther(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const location = `?lang=${languageForRequest(request)}`
  return reply.code(303).header('location', location).send()
}

export type FormRefusal = { readonly status: number; readonly hint?: Hint; readonly step?: VerificationStep }

type Pressing = {
  readonly service: Service
  readonly opened: OpenedPage
  /** The actions of the buttons, which require the student's verification. */
  readonly acts: Readonly<Record<string, (form: URLSearchParams) => Promise<FormRefusal | undefined>>>
}

/** Performs the action of a form. Returns undefined on success. */
export async function press(
  request: FastifyRequest,
  reply: FastifyReply,
  { service, opened, acts }: Pressing,
): Promise<FormRefusal | undefined> {
  if (!isOwnForm(request)) return { status: 403, hint: { kind: 'foreign' } }
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const name = form.get('act') ?? ''
  return counted(reply, { service, opened }, async () => {
    if (name === 'send') return send(request, service, opened)
    if (name === 'prove') return verify(request, reply, { service, opened, form })
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined
    if (!act) throw notFound()
    return isVerified(request, service, opened) ? act(form) : { status: 403 }
  })
}

/** Performs an action that counts toward the limit of the page. Returns the refusal to show; undefined on success. */
export async function counted(
  reply: FastifyReply,
  { service, opened: { page } }: Pick<Pressing, 'service' | 'opened'>,
  act: () => Promise<FormRefusal | undefined>,
): Promise<FormRefusal | undefined> {
  try {
    service.pageActs.requireBelowLimit(page.id)
    service.pageActs.count(page.id)
    return await act()
  } catch (error) {
    return refusalFor(error, reply)
  }
}

async function send(request: FastifyRequest, service: Service, opened: OpenedPage): Promise<FormRefusal> {
  const context = verificationContextOf(request, service, opened)
  const challenge = isMailSetUp(service.config) ? await sendCode(service.db, context) : undefined
  if (challenge === undefined) return { status: 409, step: { kind: 'missing' } }
  return { status: 200, step: { kind: 'code', challenge } }
}

type VerificationRequest = {
  readonly service: Service
  readonly opened: OpenedPage
  readonly form: URLSearchParams
}

async function verify(
  request: FastifyRequest,
  reply: FastifyReply,
  { service, opened, form }: VerificationRequest,
): Promise<FormRefusal | undefined> {
  const [code, challenge] = [form.get('code') ?? '', form.get('challenge') ?? '']
  const given = challenge ? { code: code.trim(), challenge } : { birth_date: form.get('birth_date') ?? '' }
  const result = await verifyStudent(service.db, verificationContextOf(request, service, opened), given)
  if (result.kind === 'right') {
    setVerification(request, reply, service, opened)
    return undefined
  }
  if (result.kind !== 'wrong')
    return { status: result.kind === 'locked' ? 429 : 409, step: { kind: result.kind } }
  const hint = { kind: 'wrong', left: result.left } as const
  return { status: 403, hint, ...(challenge && { step: { kind: 'code', challenge } as const }) }
}

/** Returns the refusal to show, or undefined if the lesson is cancelled already. Rethrows errors that it cannot explain. */
function refusalFor(error: unknown, reply: FastifyReply): FormRefusal | undefined {
  if (!(error instanceof Problem)) throw error
  const { code, retryAfterSeconds } = error
  if (code === 'already_cancelled') return undefined
  if (code === 'stale') return { status: 409, hint: { kind: 'changed' } }
  if (code === 'already_begun') return { status: 409 }
  if (code !== 'too_many_requests' && code !== 'too_many_mails') throw error
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return { status: 429, hint: { kind: 'wait' } }
}
