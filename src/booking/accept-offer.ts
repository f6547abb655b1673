import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { AcceptedOffer } from '../contract/offer.ts'
import { Problem } from '../contract/problem.ts'
import type { Tenant } from '../contract/tenant.ts'
import { findStoredAppointment, type StoredAppointment } from '../db/appointments.ts'
import { lockCalendars } from '../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction, Outdated } from '../db/connection/transaction.ts'
import { requireInstructor } from '../db/instructors.ts'
import { findLessonType } from '../db/lesson-types.ts'
import { findOffer, lockOffer, type StoredOffer, updateOffer } from '../db/offers.ts'
import { type FoundOffer, type ListedOffer, listOpenOffersTo } from '../db/offers-of-student.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { insertAppointment } from '../db/write-appointment.ts'
import { isCounted } from '../domain/counted.ts'
import { bookingOf } from './book-appointment.ts'
import { isLiveFor, isOpenTo, statesOf } from './offer-states.ts'
import type { Pieces } from './pieces.ts'

const MAX_LISTED_OFFERS = 20

type Request = { readonly tenant: Tenant; readonly now: Date; readonly set_id: string }

/** Returns an actor for a student who has opened a secret link. Its role is unrestricted: each use case checks what a student may do. */
export function studentActor(
  { student_id: id, first_name, last_name }: Pick<FoundOffer, 'student_id' | 'first_name' | 'last_name'>,
  request: Request,
): Actor {
  const name = `${first_name} ${last_name}`
  return { ...request, kind: 'student', id, name, role: 'operator', instructor_id: null }
}

type Accepting = Pick<FoundOffer, 'offer_id' | 'student_id' | 'pickup_place'>

/** Books an offered lesson for the first student to accept it; a retry returns it. Throws `offer_gone` or the first broken rule. */
export async function acceptOffer(
  database: DatabasePool,
  actor: Actor,
  { offer_id, student_id, pickup_place }: Accepting,
): Promise<AcceptedOffer> {
  const student = { student_id, pickup_place }
  const seen = await findOffer(database, actor.tenant.id, offer_id)
  if (!seen) throw gone()
  if (seen.state !== 'open') return requireAcceptedLesson(database, actor, seen, student_id)
  // A refusal needs no locks. Unless the offer is still open, its acceptance may have caused the refusal.
  const refusal = await refusalOf(bookingFor(database, actor, seen, student))
  if (refusal) {
    const next = await findOffer(database, actor.tenant.id, offer_id)
    if (!next || next.state === 'open') throw refusal
    return requireAcceptedLesson(database, actor, next, student_id)
  }
  return inTransaction(database, async (db) => {
    await lockCalendars(db, actor.tenant.id, [seen.instructor_id, student_id])
    const offer = await lockOffer(db, actor.tenant.id, offer_id)
    if (!offer) throw gone()
    if (offer.state !== 'open') return requireAcceptedLesson(db, actor, offer, student_id)
    const appointment_id = await book(db, actor, await bookingFor(db, actor, offer, student))
    const taken = { state: 'taken', appointment_id, taken_by: student_id } as const
    return requireAcceptedLesson(db, actor, await updateOffer(db, actor, offer, taken), student_id)
  })
}

async function refusalOf(decision: Promise<unknown>): Promise<Problem | undefined> {
  try {
    await decision
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return undefined
}

type SeenOffer = {
  readonly state: 'open' | 'booked' | 'gone'
  readonly lesson: AcceptedOffer
  readonly code: string
  readonly expires_at: string
}

export async function readOfferFor(
  db: Database,
  actor: Actor,
  { offer_id, student_id, pickup_place }: Accepting,
): Promise<SeenOffer> {
  const { tenant } = actor
  const offer = await findOffer(db, tenant.id, offer_id)
  if (!offer) throw gone()
  const [type, { first_name: instructor }] = await Promise.all([
    findLessonType(db, tenant.id, offer.lesson_type_id),
    requireInstructor(db, tenant.id, offer.instructor_id),
  ])
  const { start_at, end_at, expires_at } = offer
  const lesson = { start_at, end_at, lesson_type: type?.name ?? '', instructor, pickup_place }
  const seen = { lesson, code: type?.code ?? '', expires_at }
  if (offer.taken_by === student_id) {
    const booked = await findAcceptedLesson(db, actor, offer, student_id)
    return booked ? { ...seen, lesson: booked, state: 'booked' } : { ...seen, state: 'gone' }
  }
  const isOpen = await isOpenTo(db, actor, offer, student_id)
  return { ...seen, state: isOpen ? 'open' : 'gone' }
}

/** Lists the offers that a student can accept now, by start. */
export async function listOffersTo(
  db: Database,
  actor: Actor,
  student_id: string,
  pieces: Pieces,
): Promise<readonly ListedOffer[]> {
  const offers = await listOpenOffersTo(db, actor, student_id)
  const live = offers.filter((offer) => isLiveFor(offer, student_id))
  const states = await statesOf(db, actor, live, pieces)
  return live.filter(({ id }) => states.get(id) === 'open').slice(0, MAX_LISTED_OFFERS)
}

/** Decides the booking of an offer. Throws `offer_gone` or the first broken rule. */
async function bookingFor(
  db: Database,
  actor: Actor,
  offer: StoredOffer,
  student: Pick<Accepting, 'student_id' | 'pickup_place'>,
) {
  if (!(await isOpenTo(db, actor, offer, student.student_id))) throw gone()
  const { instructor_id, lesson_type_id, start_at, end_at } = offer
  return bookingOf(db, actor, { instructor_id, lesson_type_id, start_at, end_at, ...student, id: newId() })
}

async function book(
  db: Transaction,
  actor: Actor,
  { row, seen }: Awaited<ReturnType<typeof bookingOf>>,
): Promise<string> {
  if (!(await insertAppointment(db, actor, row, { seen, key: undefined }))) throw new Outdated()
  return row.id
}

/** Returns the lesson that the student has from an offer. Throws `offer_gone` if there is none. */
async function requireAcceptedLesson(
  db: Database,
  actor: Actor,
  offer: StoredOffer,
  student_id: string,
): Promise<AcceptedOffer> {
  const lesson = await findAcceptedLesson(db, actor, offer, student_id)
  if (!lesson) throw gone()
  return lesson
}

async function findAcceptedLesson(
  db: Database,
  { tenant }: Actor,
  { taken_by, appointment_id }: StoredOffer,
  student_id: string,
): Promise<AcceptedOffer | undefined> {
  if (taken_by !== student_id || appointment_id === null) return undefined
  const lesson = await findStoredAppointment(db, tenant.id, appointment_id)
  if (!lesson || !isHeldBy(lesson, student_id)) return undefined
  const [type, { first_name: instructor }] = await Promise.all([
    findLessonType(db, tenant.id, lesson.lesson_type_id),
    requireInstructor(db, tenant.id, lesson.instructor_id),
  ])
  const { start_at, end_at, pickup_place } = lesson
  return { start_at, end_at, lesson_type: type?.name ?? '', instructor, pickup_place }
}

export function isHeldBy(
  lesson: Pick<StoredAppointment, 'deleted' | 'status' | 'student_id'>,
  student: string | null,
): boolean {
  return !lesson.deleted && isCounted(lesson) && lesson.student_id === student
}

function gone(): Problem {
  return new Problem('offer_gone')
}
