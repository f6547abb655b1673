import type { FastifyReply, FastifyRequest } from 'fastify'
import { studentActor } from '../../booking/offers/accept-offer.ts'
import { typeNamer } from '../../booking/packs/type-names.ts'
import type { OfferedTimes } from '../../booking/students/free-times.ts'
import { bookLesson, findTimesToBook, readOwnBooking } from '../../booking/students/student-bookings.ts'
import type { Actor } from '../../contract/actor.ts'
import { isUuid } from '../../contract/formats.ts'
import { notFound } from '../../contract/problem.ts'
import { findStoredAppointment } from '../../db/appointments/appointments.ts'
import { readInstructors } from '../../db/school/instructors.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import { isLocalDateTime } from '../../domain/local-time.ts'
import { mayBook } from '../../domain/student-booking.ts'
import { type BookingStep, bookingPage } from '../pages/booking-html.ts'
import type { LessonFacts } from '../pages/page-html.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { isVerified, neededVerification, type OpenedPage } from '../requests/student-verification.ts'
import type { App, Service } from '../service.ts'
import { acceptForms, counted, FORM_ROUTE, type FormRefusal, press } from './student-forms.ts'
import { languageForRequest, sendHtmlPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string } }>
type OpenedBooking = OpenedPage & { readonly actor: Actor }
type Found = { readonly lesson_type_id: string; readonly times: OfferedTimes }

/** Routes for booking on a student's page: forms search for times and take one. Without a script, undocumented. */
export async function studentBookingRoutes(app: App, service: Service): Promise<void> {
  acceptForms(app, service)
  const send = async (
    request: PageRequest,
    reply: FastifyReply,
    opened: OpenedBooking,
    { step, ...view }: { readonly step?: BookingStep | undefined } & Partial<FormRefusal> & { found?: Found },
  ): Promise<FastifyReply> => {
    const { tenant } = opened
    const language = languageForRequest(request)
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    const [types, instructors] = await Promise.all([
      readLessonTypeNames(service.db, tenant.id),
      readInstructors(service.db, tenant.id),
    ])
    const names = {
      typeName: typeNamer({ tenant, types }, language),
      instructorName: (id: string) => instructors.find((one) => one.id === id)?.first_name ?? '',
    }
    const shown = {
      ...view,
      ...names,
      step: step ?? (await stepOf(request, service, opened)),
      booked: await bookedIn(request, service, opened, names),
    }
    return sendHtmlPage(reply, bookingPage(shown, { tenant, address, language }))
  }
  app.get('/s/:token/book', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openBooking(request, service)
    const search = searchIn(request.query)
    if (!search || !isVerified(request, service, opened)) return send(request, reply, opened, {})
    const { lesson_type_id } = search
    let found: Found | undefined
    const refused = await counted(reply, { service, opened }, async () => {
      const times = await findTimesToBook(service.db, opened.actor, { ...search, slicer: request.slicer })
      found = { lesson_type_id, times }
      return undefined
    })
    const { status = 200, hint } = refused ?? {}
    return send(request, reply.code(status), opened, { hint, ...(found && { found }) })
  })
  app.post('/s/:token/book', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openBooking(request, service)
    let booked = ''
    const acts = {
      book: async (form: URLSearchParams): Promise<undefined> => {
        const { id } = await bookLesson(service.db, opened.actor, choiceIn(form), request.slicer)
        booked = `&booked=${id}`
      },
    }
    const refused = await press(request, reply, { service, opened, acts })
    if (!refused) {
      const location = `?lang=${languageForRequest(request)}${booked}`
      return reply.code(303).header('location', location).send()
    }
    const { status, hint, step } = refused
    return send(request, reply.code(status), opened, { step, hint })
  })
}

/** Returns the opened page. Throws `not_found`, also if students may not book. */
function openBooking(request: FastifyRequest, { now: clock }: Service): OpenedBooking {
  const { tenant, page } = request.linked ?? {}
  if (!tenant || !page || page.is_former || !mayBook(tenant)) throw notFound()
  const now = clock()
  return { tenant, page, now, actor: studentActor(page, { tenant, now, set_id: request.id }) }
}

async function stepOf(
  request: FastifyRequest,
  service: Service,
  opened: OpenedBooking,
): Promise<BookingStep> {
  if (!isVerified(request, service, opened)) return { kind: await neededVerification(service, opened) }
  const { types, coming, isFull } = await readOwnBooking(service.db, opened.actor)
  return isFull ? { kind: 'full', lessons: coming.length } : { kind: 'act', types }
}

type Names = {
  readonly typeName: (id: string) => string
  readonly instructorName: (id: string) => string
}

/** Returns the lesson that the student has just booked, by the page's query. */
async function bookedIn(
  request: FastifyRequest,
  service: Service,
  opened: OpenedBooking,
  { typeName, instructorName }: Names,
): Promise<LessonFacts | undefined> {
  const { booked } = request.query as { booked?: unknown }
  if (typeof booked !== 'string' || !isUuid(booked) || !isVerified(request, service, opened)) return undefined
  const { tenant, page } = opened
  const lesson = await findStoredAppointment(service.db, tenant.id, booked)
  if (!lesson || lesson.deleted || lesson.status !== 'planned' || lesson.student_id !== page.student_id)
    return undefined
  const { start_at, end_at, pickup_place, lesson_type_id, instructor_id } = lesson
  const names = { lesson_type: typeName(lesson_type_id), instructor: instructorName(instructor_id) }
  return { start_at, end_at, pickup_place, ...names }
}

type SearchedTimes = { readonly lesson_type_id: string; readonly pages: number }

/** Returns the search in the page's query, if there is one. Throws `not_found` if no form can have sent it. */
function searchIn(query: unknown): SearchedTimes | undefined {
  const { lesson_type_id, pages = '1' } = query as Record<string, unknown>
  if (lesson_type_id === undefined) return undefined
  if (typeof lesson_type_id !== 'string' || !isUuid(lesson_type_id)) throw notFound()
  if (typeof pages !== 'string' || !/^[1-9]$/.test(pages)) throw notFound()
  return { lesson_type_id, pages: Number(pages) }
}

/** Returns the choice in a form. Throws `not_found` if the form cannot have sent it. */
function choiceIn(form: URLSearchParams) {
  const lesson_type_id = form.get('lesson_type_id') ?? ''
  const time = form.get('start_at') ?? ''
  const [start_at, instructor_id] = [time.slice(0, 16), time.slice(17)]
  if (!isUuid(lesson_type_id) || !isUuid(instructor_id) || !isLocalDateTime(start_at)) throw notFound()
  return { lesson_type_id, instructor_id, start_at }
}
