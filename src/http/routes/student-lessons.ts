import type { FastifyReply, FastifyRequest } from 'fastify'
import { cancelLesson, confirmLesson } from '../../booking/student-lessons.ts'
import { lessonViewOf, type OpenedLesson, openLesson } from '../pages/lesson-data.ts'
import { type LessonView, lessonPage } from '../pages/lesson-html.ts'
import { serviceUrl } from '../requests/public-url.ts'
import type { App, Service } from '../service.ts'
import { FORM_ROUTE, press, seeOther, takeForms } from './student-forms.ts'
import { languageOf, sendPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string; readonly lesson: string } }>

/** Routes of a lesson on a student's page: forms without a script, undocumented. A GET changes nothing. */
export async function studentLessonRoutes(app: App, service: Service): Promise<void> {
  takeForms(app, service)
  const send = (
    request: PageRequest,
    reply: FastifyReply,
    { tenant }: OpenedLesson,
    view: LessonView,
  ): FastifyReply => {
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    return sendPage(reply, lessonPage(view, { tenant, address, language: languageOf(request) }))
  }
  app.get('/s/:token/lessons/:lesson', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = await openLesson(request, service)
    const view = await lessonViewOf(request, service, { opened, language: languageOf(request) })
    return send(request, reply, opened, view)
  })
  app.post('/s/:token/lessons/:lesson', FORM_ROUTE, async (request: PageRequest, reply) => {
    const before = await openLesson(request, service)
    const refused = await press(request, reply, { service, opened: before, acts: actsOn(service, before) })
    if (!refused) return seeOther(request, reply)
    const { hint, step, status } = refused
    const opened = await openLesson(request, service)
    // A double press finds what the first has done.
    if (hint?.kind === 'changed' && opened.lesson.status === 'cancelled') return seeOther(request, reply)
    const view = await lessonViewOf(request, service, { opened, language: languageOf(request) })
    return send(request, reply.code(status), opened, { ...view, ...(step && { step }), hint })
  })
}

function actsOn({ db }: Service, { actor, lesson: { id } }: OpenedLesson) {
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
  }
}
