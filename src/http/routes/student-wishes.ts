import type { FastifyReply, FastifyRequest } from 'fastify'
import { studentActor } from '../../booking/offers/accept-offer.ts'
import { addWish, withdrawWish } from '../../booking/students/wishes.ts'
import type { Actor } from '../../contract/actor.ts'
import { isUuid } from '../../contract/formats.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { type NewWish, wishFaultsFor } from '../../contract/wish.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import { type WishesStep, type WishesView, wishesPage } from '../pages/wishes-html.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { isVerified, neededVerification, type OpenedPage } from '../requests/student-verification.ts'
import type { App, Service } from '../service.ts'
import { acceptForms, FORM_ROUTE, type FormRefusal, press, seeOther } from './student-forms.ts'
import { languageForRequest, sendHtmlPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string } }>
type OpenedWishes = OpenedPage & { readonly actor: Actor }

/** Routes for the wishes on a student's page: forms add and withdraw them. Without a script, undocumented. */
export async function studentWishRoutes(app: App, service: Service): Promise<void> {
  acceptForms(app, service)
  const send = (
    request: PageRequest,
    reply: FastifyReply,
    view: WishesView,
    tenant: Tenant,
  ): FastifyReply => {
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    return sendHtmlPage(reply, wishesPage(view, { tenant, address, language: languageForRequest(request) }))
  }
  app.get('/s/:token/wishes', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openWishes(request, service)
    return send(request, reply, { step: await stepOf(request, service, opened) }, opened.tenant)
  })
  app.post('/s/:token/wishes', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openWishes(request, service)
    const refused = await press(request, reply, { service, opened, acts: actsOf(service, opened) })
    if (!refused) return seeOther(request, reply)
    const { hint, status, step = await stepOf(request, service, opened) } = refused
    return send(request, reply.code(status), { step, hint }, opened.tenant)
  })
}

/** Returns the opened page. Throws `not_found`, also if students may not request times. */
function openWishes(request: FastifyRequest, { now: clock }: Service): OpenedWishes {
  const { tenant, page } = request.linked ?? {}
  if (!tenant?.student_actions.wish || !page || page.is_former) throw notFound()
  const now = clock()
  return { tenant, page, now, actor: studentActor(page, { tenant, now, set_id: request.id }) }
}

/** Returns the next step: a verification first, so that a forwarded link does not reveal the wishes. */
async function stepOf(request: FastifyRequest, service: Service, opened: OpenedWishes): Promise<WishesStep> {
  if (!isVerified(request, service, opened)) return { kind: await neededVerification(service, opened) }
  const { tenant, page } = opened
  const wishes = await listWishesOf(service.db, tenant.id, [page.student_id])
  return { kind: 'act', wishes, lengths: lengthsOf(tenant) }
}

/** Returns the lengths that students may ask for, in minutes. */
export function lengthsOf({ unit_minutes }: Tenant): readonly number[] {
  return [1, 2, 3, 4].map((units) => units * unit_minutes)
}

function actsOf({ db }: Service, { tenant, actor, page: { student_id } }: OpenedWishes) {
  return {
    wish: async (form: URLSearchParams): Promise<FormRefusal | undefined> => {
      const wish = wishIn(form, lengthsOf(tenant))
      if (!wish) return { status: 400, hint: { kind: 'times' } }
      try {
        await addWish(db, actor, student_id, { wish, isNew: true })
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error
        return { status: 409, hint: { kind: 'full' } }
      }
      return undefined
    },
    withdraw: async (form: URLSearchParams): Promise<FormRefusal | undefined> => {
      const [wish_id, version] = [form.get('wish') ?? '', Number(form.get('version'))]
      if (!isUuid(wish_id)) throw notFound()
      try {
        await withdrawWish(db, actor, { student_id, wish_id, isExpected: (current) => current === version })
      } catch (error) {
        // Already withdrawn, by a double press or by the office.
        if (!(error instanceof Problem) || error.code !== 'not_found') throw error
      }
      return undefined
    },
  }
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** Returns the wish in a form, or undefined if the form cannot have sent it or no time can satisfy it. */
function wishIn(form: URLSearchParams, lengths: readonly number[]): NewWish | undefined {
  const days = form.getAll('weekday')
  const times = [form.get('time_from') || null, form.get('time_to') || null] as const
  const minutes = Number(form.get('minutes'))
  const areDays = days.every((day) => /^[1-7]$/.test(day)) && new Set(days).size === days.length
  const areTimes = times.every((time) => time === null || TIME.test(time))
  if (!areDays || !areTimes || !lengths.includes(minutes)) return undefined
  const [time_from, time_to] = times
  const weekdays = days.length > 0 && days.length < 7 ? days.map(Number) : null
  const wish = { weekdays, time_from, time_to, minutes }
  return wishFaultsFor(wish).length === 0 ? wish : undefined
}
