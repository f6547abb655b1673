import type { FastifyReply, FastifyRequest } from 'fastify'
import { studentActor } from '../../booking/offers/accept-offer.ts'
import { type StudentWeek, withFits, writeAvailability } from '../../booking/students/availability.ts'
import type { Actor } from '../../contract/actor.ts'
import { availabilityFaultsFor } from '../../contract/availability.ts'
import { notFound } from '../../contract/problem.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { findAvailability } from '../../db/students/availability.ts'
import { findStudent } from '../../db/students/students.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import { type AvailableTime, DAYS_OF_WEEK, timesOfWish } from '../../domain/available-times.ts'
import { daysLater, isTimeOfDay, type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { LESSONS_A_WEEK, MAX_AVAILABLE_TIMES } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { type AskedWeek, timeKey, type WeeksStep, type WeeksView, weeksPage } from '../pages/weeks-html.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { isVerified, neededVerification, type OpenedPage } from '../requests/student-verification.ts'
import type { App, Service } from '../service.ts'
import { acceptForms, FORM_ROUTE, type FormRefusal, press, seeOther } from './student-forms.ts'
import { languageForRequest, sendHtmlPage } from './student-page.ts'
import { lengthsOf } from './student-wishes.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string } }>
type OpenedWeeks = OpenedPage & {
  readonly actor: Actor
  readonly student_id: string
  readonly today: LocalDate
}

/** Routes for the weeks in which a student can come, on their page. Without a script, undocumented. */
export async function studentWeekRoutes(app: App, service: Service): Promise<void> {
  acceptForms(app, service)
  const send = (request: PageRequest, reply: FastifyReply, view: WeeksView, tenant: Tenant): FastifyReply => {
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    return sendHtmlPage(reply, weeksPage(view, { tenant, address, language: languageForRequest(request) }))
  }
  app.get('/s/:token/weeks', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openWeeks(request, service)
    return send(request, reply, { step: await stepOf(request, service, opened) }, opened.tenant)
  })
  app.post('/s/:token/weeks', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openWeeks(request, service)
    const refused = await press(request, reply, { service, opened, acts: actsOf(service, opened) })
    if (!refused) return seeOther(request, reply)
    const { hint, status, step = await stepOf(request, service, opened) } = refused
    return send(request, reply.code(status), { step, hint }, opened.tenant)
  })
}

/** Returns the opened page. Throws `not_found`, also if students may not request times. */
function openWeeks(request: FastifyRequest, { now: clock }: Service): OpenedWeeks {
  const { tenant, page } = request.linked ?? {}
  if (!tenant?.student_actions.wish || !page || page.is_former) throw notFound()
  const now = clock()
  const actor = studentActor(page, { tenant, now, set_id: request.id })
  return { tenant, page, now, actor, student_id: page.student_id, today: localToday(now, tenant.timezone) }
}

/** Returns the next step: a verification first, so that a forwarded link does not reveal the answers. */
async function stepOf(request: FastifyRequest, service: Service, opened: OpenedWeeks): Promise<WeeksStep> {
  if (!isVerified(request, service, opened)) return { kind: await neededVerification(service, opened) }
  const { tenant, actor, student_id, today } = opened
  const { db } = service
  const student = await findStudent(db, tenant.id, student_id)
  const wishes = await listWishesOf(db, tenant.id, [student_id])
  const weeks: AskedWeek[] = []
  for (const { name, week_start } of weeksFrom(today)) {
    const week = { student_id, week_start }
    const choice = await findAvailability(db, tenant.id, week)
    const days = daysOf(week_start, today)
    weeks.push({
      ...{ week_start, name, days, usual: student?.lessons_per_week || 1 },
      isWished: wishes.some((wish) => timesOfWish(wish, week_start).some(({ date }) => days.includes(date))),
      answer: choice && (await withFits(db, actor, week, { choice, slicer: request.slicer })),
    })
  }
  return { kind: 'act', weeks, lengths: lengthsOf(tenant) }
}

/** Returns the next week, about which students are asked, and this one. */
function weeksFrom(today: LocalDate) {
  const monday = mondayOf(today)
  return [
    { name: 'week_next', week_start: daysLater(monday, 7) },
    { name: 'week_this', week_start: monday },
  ] as const
}

function daysOf(week_start: LocalDate, today: LocalDate): readonly LocalDate[] {
  return DAYS_OF_WEEK.map((days) => daysLater(week_start, days)).filter((date) => date >= today)
}

type Act = (form: URLSearchParams) => Promise<FormRefusal | undefined>
type ActInWeek = (week: StudentWeek, form: URLSearchParams) => Promise<FormRefusal | undefined>

function actsOf(
  { db }: Service,
  { tenant, actor, student_id, today }: OpenedWeeks,
): Readonly<Record<string, Act>> {
  const inWeek = (act: ActInWeek) => async (form: URLSearchParams) => {
    const found = weeksFrom(today).find(({ week_start }) => week_start === form.get('week'))
    // The page is older than the week.
    if (!found) return { status: 409, hint: { kind: 'changed' } } as const
    return act({ student_id, week_start: found.week_start }, form)
  }
  return {
    week: inWeek(async (week, form) => {
      const isNone = form.get('answer') === 'none'
      const lessons = isNone ? 0 : lessonsIn(form)
      if (lessons === undefined) return WRONG
      await writeAvailability(db, actor, week, () => ({ lessons, windows: isNone ? [] : null }))
      return undefined
    }),
    times: inWeek(async (week, form) => {
      const added = timesIn(form, { days: daysOf(week.week_start, today), lengths: lengthsOf(tenant) })
      const lessons = lessonsIn(form)
      if (!added || lessons === undefined) return WRONG
      if (availabilityFaultsFor(week.week_start, { lessons, windows: [...added] }).length > 0) return WRONG
      let isFull = false
      await writeAvailability(db, actor, week, (stored) => {
        const known = stored?.windows ?? []
        const keys = new Set(known.map(timeKey))
        const windows = [...known, ...added.filter((time) => !keys.has(timeKey(time)))]
        isFull = windows.length > MAX_AVAILABLE_TIMES
        return isFull ? undefined : { lessons, windows }
      })
      return isFull ? { status: 409, hint: { kind: 'full' } } : undefined
    }),
    remove: inWeek(async (week, form) => {
      await writeAvailability(db, actor, week, (stored) => {
        const windows = stored?.windows?.filter((time) => timeKey(time) !== form.get('time'))
        if (!stored || !windows) return undefined
        return windows.length > 0 ? { lessons: stored.lessons, windows } : null
      })
      return undefined
    }),
  }
}

const WRONG: FormRefusal = { status: 400, hint: { kind: 'times' } }

/** Returns the number of lessons in a form, or undefined if the form cannot have sent it. */
function lessonsIn(form: URLSearchParams): number | undefined {
  const lessons = Number(form.get('lessons'))
  return Number.isInteger(lessons) && lessons >= 1 && lessons <= LESSONS_A_WEEK.max ? lessons : undefined
}

/** Returns the times in a form, on every day without a choice; undefined if the form cannot have sent them. */
function timesIn(
  form: URLSearchParams,
  { days, lengths }: { readonly days: readonly LocalDate[]; readonly lengths: readonly number[] },
): readonly AvailableTime[] | undefined {
  const chosen = form.getAll('date')
  const [time_from, time_to] = [form.get('time_from') || '00:00', form.get('time_to') || '24:00']
  const minutes = Number(form.get('minutes'))
  const areTimes = isTimeOfDay(time_from) && (time_to === '24:00' || isTimeOfDay(time_to))
  const areDays = chosen.every((day) => days.includes(day)) && new Set(chosen).size === chosen.length
  if (!areTimes || !areDays || !lengths.includes(minutes)) return undefined
  return (chosen.length > 0 ? chosen : days).map((date) => ({ date, time_from, time_to, minutes }))
}
