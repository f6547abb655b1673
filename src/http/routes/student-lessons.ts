import type { FastifyReply, FastifyRequest } from 'fastify'
import { cancelLesson, confirmLesson } from '../../booking/lessons/student-lessons.ts'
import type { OfferedTimes } from '../../booking/students/free-times.ts'
import { findTimesToMove, moveLesson } from '../../booking/students/student-moves.ts'
import { notFound } from '../../contract/problem.ts'
import { isLocalDateTime } from '../../domain/local-time.ts'
import { lessonViewOf, type OpenedLesson, openLesson } from '../pages/lesson-data.ts'
import { type LessonView, lessonPage } from '../pages/lesson-html.ts'
import { serviceUrl } from '../requests/public-url.ts'
import type { App, Service } from '../service.ts'
import { acceptForms, FORM_ROUTE, press, seeOther } from './student-forms.ts'
import { languageForRequest, sendHtmlPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string; readonly lesson: string } }>

/** Routes of a lesson on a student's page: forms without a script, undocumented. A GET changes nothing. */
export async function studentLessonRoutes(app: App, service: Service): Promise<void> {
  acceptForms(app, service)
  const send = (
    request: PageRequest,
    reply: FastifyReply,
    { tenant }: OpenedLesson,
    view: LessonView,
  ): FastifyReply => {
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    return sendHtmlPage(reply, lessonPage(view, { tenant, address, language: languageForRequest(request) }))
  }
  app.get('/s/:token/lessons/:lesson', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = await openLesson(request, service)
    const view = await lessonViewOf(request, service, { opened, language: languageForRequest(request) })
    return send(request, reply, opened, view)
  })
  app.post('/s/:token/lessons/:lesson', FORM_ROUTE, async (request: PageRequest, reply) => {
    const before = await openLesson(request, service)
    let times: OfferedTimes | undefined
    const search = async (form: URLSearchParams) => {
      times = await timesOf(request, service, { opened: before, pages: Number(form.get('pages') ?? 1) })
      return { status: 200 }
    }
    const acts = { ...actsOn(request, service, before), times: search }
    const refused = await press(request, reply, { service, opened: before, acts })
    if (!refused) return seeOther(request, reply)
    const { hint, step, status } = refused
    const opened = await openLesson(request, service)
    // A second press shows the result of the first.
    if (hint?.kind === 'changed' && isDone(request, opened)) return seeOther(request, reply)
    const view = await lessonViewOf(request, service, { opened, language: languageForRequest(request) })
    return send(request, reply.code(status), opened, { ...view, ...(step && { step }), hint, times })
  })
}

/** Whether the lesson already is in the state that the form requests. */
function isDone({ body }: PageRequest, { lesson }: OpenedLesson): boolean {
  if (lesson.status === 'cancelled') return true
  return body instanceof URLSearchParams && body.get('start_at') === lesson.start_at
}

function timesOf(
  { slicer }: PageRequest,
  { db }: Service,
  { opened, pages }: { readonly opened: OpenedLesson; readonly pages: number },
): Promise<OfferedTimes> {
  const { tenant, actor, lesson } = opened
  if (!tenant.students_may_move || lesson.status !== 'planned' || !Number.isInteger(pages)) throw notFound()
  return findTimesToMove(db, actor, lesson, { pages, slicer })
}

function actsOn({ slicer }: PageRequest, { db }: Service, { actor, lesson: { id } }: OpenedLesson) {
  const seen = (form: URLSearchParams) => ({ id, version: Number(form.get('version')) })
  return {
    confirm: async (form: URLSearchParams) => {
      await confirmLesson(db, actor, seen(form))
      return undefined
    },
    cancel: async (form: URLSearchParams) => {
      await cancelLesson(db, actor, { ...seen(form), fee_percent: Number(form.get('fee') ?? Number.NaN) })
      return undefined
    },
    move: async (form: URLSearchParams) => {
      const start_at = form.get('start_at') ?? ''
      if (!isLocalDateTime(start_at)) throw notFound()
      await moveLesson(db, actor, { ...seen(form), start_at }, slicer)
      return undefined
    },
  }
}
