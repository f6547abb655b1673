import type { FastifyReply, FastifyRequest } from 'fastify'
import { proveStudent, sendCode } from '../../booking/prove-student.ts'
import { cancelLesson, confirmLesson } from '../../booking/student-lessons.ts'
import { isMailSetUp } from '../../config.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import { queueRequests } from '../load/queue-requests.ts'
import { lessonViewOf, type OpenedLesson, openLesson } from '../pages/lesson-data.ts'
import { type LessonHint, type LessonStep, type LessonView, lessonPage } from '../pages/lesson-html.ts'
import { FORM_POLICY } from '../pages/student-html.ts'
import { readerChecks } from '../requests/check-reader.ts'
import { openLink } from '../requests/open-link.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { isOwnForm, isProved, proverOf, setProof } from '../requests/student-proof.ts'
import type { App, Service } from '../service.ts'
import { languageOf, PAGE_HEADERS, sendNotice, sendPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string; readonly lesson: string } }>

/**
 * Routes of a lesson on a student's page: confirmed and cancelled by forms, without a script, undocumented, and never compressed.
 * A GET changes nothing.
 */
export async function studentLessonRoutes(app: App, service: Service): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...PAGE_HEADERS, 'content-security-policy': FORM_POLICY })
    await openLink(request, service)
  })
  queueRequests(app, service, readerChecks(service))
  app.setErrorHandler(sendNotice)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 2048 },
    async (_: unknown, body: string) => new URLSearchParams(body),
  )
  const options = { config: { open: true, link: 'page' }, schema: { hide: true } } as const
  const send = (
    request: PageRequest,
    reply: FastifyReply,
    { tenant }: OpenedLesson,
    view: LessonView,
  ): FastifyReply => {
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    return sendPage(reply, lessonPage(view, { tenant, address, language: languageOf(request) }))
  }
  app.get('/s/:token/lessons/:lesson', options, async (request: PageRequest, reply) => {
    const opened = await openLesson(request, service)
    const view = await lessonViewOf(request, service, { opened, language: languageOf(request) })
    return send(request, reply, opened, view)
  })
  app.post('/s/:token/lessons/:lesson', options, async (request: PageRequest, reply) => {
    const refused = await act(request, reply, service, await openLesson(request, service))
    if (!refused) return seeOther(request, reply)
    const { hint, step, status } = refused
    const opened = await openLesson(request, service)
    // A double press finds what the first has done.
    if (hint?.kind === 'changed' && opened.lesson.status === 'cancelled') return seeOther(request, reply)
    const view = await lessonViewOf(request, service, { opened, language: languageOf(request) })
    return send(request, reply.code(status), opened, { ...view, ...(step && { step }), hint })
  })
}

function seeOther(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const location = `?lang=${languageOf(request)}`
  return reply.code(303).header('location', location).send()
}

type Refused = { readonly status: number; readonly hint?: LessonHint; readonly step?: LessonStep }

/** Does what a form asks for. Returns how to show the page again if something is missing. */
async function act(
  request: PageRequest,
  reply: FastifyReply,
  service: Service,
  opened: OpenedLesson,
): Promise<Refused | undefined> {
  if (!isOwnForm(request)) return { status: 403, hint: { kind: 'foreign' } }
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const { page } = opened
  try {
    service.pageActs.requireFewOf(page.id)
    service.pageActs.count(page.id)
    switch (form.get('act')) {
      case 'send':
        return await send(request, service, opened)
      case 'prove':
        return await prove(request, reply, { service, opened, form })
      case 'confirm':
      case 'cancel':
        if (!isProved(request, service, opened)) return { status: 403 }
        return await change(service, opened, form)
      default:
        throw notFound()
    }
  } catch (error) {
    return refusalFor(error, reply)
  }
}

async function change(
  { db }: Service,
  { actor, lesson }: OpenedLesson,
  form: URLSearchParams,
): Promise<undefined> {
  const seen = { id: lesson.id, version: Number(form.get('version')) }
  if (form.get('act') === 'confirm') await confirmLesson(db, actor, seen)
  else await cancelLesson(db, actor, { ...seen, fee_percent: Number(form.get('fee') ?? Number.NaN) })
}

async function send(request: PageRequest, service: Service, opened: OpenedLesson): Promise<Refused> {
  const prover = proverOf(request, service, opened)
  const challenge = isMailSetUp(service.config) ? await sendCode(service.db, prover) : undefined
  if (challenge === undefined) return { status: 409, step: { kind: 'missing' } }
  return { status: 200, step: { kind: 'code', challenge } }
}

type Proving = { readonly service: Service; readonly opened: OpenedLesson; readonly form: URLSearchParams }

async function prove(
  request: PageRequest,
  reply: FastifyReply,
  { service, opened, form }: Proving,
): Promise<Refused | undefined> {
  const [code, challenge] = [form.get('code') ?? '', form.get('challenge') ?? '']
  const given = challenge ? { code: code.trim(), challenge } : { birth_date: form.get('birth_date') ?? '' }
  const result = await proveStudent(service.db, proverOf(request, service, opened), given)
  if (result.kind === 'right') {
    setProof(request, reply, service, opened)
    return undefined
  }
  if (result.kind !== 'wrong')
    return { status: result.kind === 'locked' ? 429 : 409, step: { kind: result.kind } }
  const hint = { kind: 'wrong', left: result.left } as const
  return { status: 403, hint, ...(challenge && { step: { kind: 'code', challenge } as const }) }
}

/** Returns how to show the page after a problem. Rethrows those that it cannot explain. */
function refusalFor(error: unknown, reply: FastifyReply): Refused | undefined {
  if (!(error instanceof Problem)) throw error
  const { code, retryAfterSeconds } = error
  if (code === 'already_cancelled') return undefined
  if (code === 'stale') return { status: 409, hint: { kind: 'changed' } }
  if (code === 'already_begun') return { status: 409 }
  if (code !== 'too_many_requests' && code !== 'too_many_mails') throw error
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return { status: 429, hint: { kind: 'wait' } }
}
