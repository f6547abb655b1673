import type { FastifyReply, FastifyRequest } from 'fastify'
import { listOffersTo, studentActor } from '../../booking/offers/accept-offer.ts'
import { messagesFor } from '../../booking/packs/page-messages.ts'
import { typeNamer } from '../../booking/packs/type-names.ts'
import { type OwnTraining, readOwnTraining } from '../../booking/trainings/own-training.ts'
import { calendarBegin } from '../../calendar/icalendar.ts'
import { studentEntry } from '../../calendar/student-entry.ts'
import { notFound } from '../../contract/problem.ts'
import type { Tenant } from '../../contract/tenant.ts'
import {
  listStudentLessons,
  type MissedLesson,
  readMissedLessons,
  type StudentLesson,
} from '../../db/calendars/shared-lessons.ts'
import type { JsonList } from '../../db/json-list.ts'
import type { ListedOffer } from '../../db/offers/offers-of-student.ts'
import { type LessonTypeName, readLessonTypeNames } from '../../db/school/lesson-types.ts'
import type { FoundPage } from '../../db/students/links.ts'
import { dateOf, daysLater, type LocalDateTime } from '../../domain/local-time.ts'
import { MESSAGE_KINDS } from '../../domain/messages.ts'
import { localNow } from '../../domain/time-zone.ts'
import { cursorOf, readCursor } from '../requests/cursor.ts'
import { sendCalendar } from '../responses/calendar-stream.ts'
import type { Service } from '../service.ts'

const LESSONS_A_PAGE = 100
const MISSED_DAYS = 90
const MAX_MISSED = 10

/** The school of a student's page, with the lesson types that name lessons. */
export type StudentSchool = {
  readonly tenant: Tenant
  readonly types: ReadonlyMap<string, LessonTypeName>
}

/** The content of a student's page, without notes or anything about other students. */
export type StudentData = StudentSchool & {
  readonly first_name: string
  /** Planned or cancelled lessons that are not over, by start. */
  readonly lessons: readonly StudentLesson[]
  /** Missed lessons and late cancellations of the last weeks, with their fees; none on further pages. */
  readonly missed: readonly MissedLesson[]
  readonly next: string | undefined
  /** The current training; undefined on further pages. */
  readonly training: OwnTraining | undefined
  /** The offers that the student can accept now, by start; none on further pages. */
  readonly offers: readonly ListedOffer[]
  readonly now: LocalDateTime
  /** Whether the page offers messages on the device. */
  readonly canGetPush: boolean
  /** Whether the student was put away: the page then only shows. */
  readonly isFormer: boolean
}

type Opened = {
  readonly tenant: Tenant
  readonly page: FoundPage
  readonly at: Date
  readonly list: JsonList
  readonly from: LocalDateTime
}

/** Returns the opened page and its student's coming lessons. Throws `not_found`. */
function openedIn({ linked }: FastifyRequest, { db, now }: Service): Opened {
  const { tenant, page } = linked ?? {}
  if (!tenant || !page) throw notFound()
  const at = now()
  const from = localNow(at, tenant.timezone)
  const list = listStudentLessons(db, { tenantId: tenant.id, student_id: page.student_id, from })
  return { tenant, page, at, list, from }
}

/** Reads the opened page from a cursor on, or from the beginning if the cursor is invalid. Throws `not_found`. */
export async function dataOf(
  request: FastifyRequest,
  service: Service,
  cursor: string | undefined,
): Promise<StudentData> {
  const { db } = service
  const { tenant, page, at, list, from: now } = openedIn(request, service)
  const after = cursor === undefined ? undefined : readCursor(cursor, list.orderedBy)
  const actor = studentActor(page, { tenant, now: at, set_id: request.id })
  const past = {
    tenantId: tenant.id,
    student_id: page.student_id,
    from: daysLater(dateOf(now), -MISSED_DAYS),
  }
  const [{ json, last }, missed, training, offers, types] = await Promise.all([
    list.page({ after, limit: LESSONS_A_PAGE }),
    after ? [] : readMissedLessons(db, past, { now, limit: MAX_MISSED }),
    after ? undefined : readOwnTraining(db, actor, page.student_id),
    after ? [] : listOffersTo(db, actor, page.student_id, request.slicer),
    readLessonTypeNames(db, tenant.id),
  ])
  const next = last && cursorOf(last, list.orderedBy)
  const lessons = JSON.parse(`[${json}]`)
  const { first_name } = page
  return {
    tenant,
    first_name,
    lessons,
    missed,
    next,
    training,
    offers,
    types,
    now,
    canGetPush: canGetPush(service, { tenant, page }),
    isFormer: page.is_former,
  }
}

/** Whether the school can send the student messages on devices. */
export function canGetPush(
  { pushKeys }: Pick<Service, 'pushKeys'>,
  { tenant, page }: { readonly tenant: Tenant; readonly page: FoundPage },
): boolean {
  const isSending = MESSAGE_KINDS.some((kind) => kind !== 'day_plan' && tenant.messages[kind])
  return pushKeys !== undefined && page.agrees && isSending
}

/** Sends all coming lessons as a calendar. Throws `not_found`. */
export async function sendLessons(
  request: FastifyRequest,
  reply: FastifyReply,
  { service, language }: { readonly service: Service; readonly language: string },
): Promise<FastifyReply> {
  const { tenant, list } = openedIn(request, service)
  const types = await readLessonTypeNames(service.db, tenant.id)
  const texts = messagesFor(language)
  const nameOf = typeNamer({ tenant, types }, language)
  const { timezone } = tenant
  const name = `${texts.lessons} · ${tenant.name}`
  return sendCalendar<StudentLesson>(request, reply, {
    list,
    timezone,
    begin: calendarBegin({ name, timezone, locale: language }),
    entryFor: ({ lesson_type_id, status, ...lesson }) => {
      const facts = { isCancelled: status === 'cancelled', lesson_type: nameOf(lesson_type_id) }
      return studentEntry({ ...lesson, ...facts }, texts)
    },
    texts: [texts.with, texts.cancelled, ...[...types.keys()].toSorted().map((id) => `${id} ${nameOf(id)}`)],
  })
}
