import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import type { AcceptedOffer } from '../../contract/offer.ts'
import { Problem } from '../../contract/problem.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { findStoredAppointment, type StoredAppointment } from '../../db/appointments/appointments.ts'
import { readFleet, type SchoolFleet } from '../../db/appointments/fleet.ts'
import { insertAppointment } from '../../db/appointments/write-appointment.ts'
import { type AgendaAppointment, requireAgenda } from '../../db/calendars/agendas.ts'
import { lockCalendars, lockUnchanged } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import { findOffer, lockOffer, type StoredOffer, updateOffer } from '../../db/offers/offers.ts'
import { type FoundOffer, type ListedOffer, listOpenOffersTo } from '../../db/offers/offers-of-student.ts'
import type { Database } from '../../db/schema/tables.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import { findLessonType } from '../../db/school/lesson-types.ts'
import type { Agenda } from '../../domain/agenda.ts'
import { refusalFor } from '../../domain/booking.ts'
import { isCounted } from '../../domain/counted.ts'
import { calendarIdsOf, OCCUPANTS, type Occupying } from '../../domain/occupants.ts'
import { bookingOf } from '../lessons/book-appointment.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { isLiveFor, isOfferedTo, isOpenTo, lessonWithoutStudent, statesOf } from './offer-states.ts'

const MAX_LISTED_OFFERS = 20

type Request = { readonly tenant: Tenant; readonly now: Date; readonly set_id: string }

/** Returns an actor for a student who has opened a secret link. Its role is unrestricted: each use case checks what a student may do. */
export function studentActor(
  { student_id: id, first_name, last_name }: Pick<FoundOffer, 'student_id' | 'first_name' | 'last_name'>,
  request: Request,
): Actor {
  const name = `${first_name} ${last_name}`.trim()
  return { ...request, kind: 'student', id, name, role: 'operator', instructor_id: null }
}

type Accepting = Pick<FoundOffer, 'offer_id' | 'student_id' | 'pickup_place'>

/** Books an offered lesson for the first student to accept it; a retry returns it. Throws `offer_gone` or the first broken rule. */
export async function acceptOffer(
  database: DatabasePool,
  actor: Actor,
  { offer_id, student_id, pickup_place }: Accepting,
): Promise<AcceptedOffer> {
  const seen = await findOffer(database, actor.tenant.id, offer_id)
  if (!seen) throw gone()
  if (seen.state !== 'open') return requireAcceptedLesson(database, actor, seen, student_id)
  const fleet = await readFleet(database, actor.tenant.id, [student_id])
  const decide = (db: Database, offer: StoredOffer) =>
    bookingFor(db, actor, { offer, student_id, pickup_place, fleet })
  // A refusal needs no locks. Unless the offer is still open, its acceptance may have caused the refusal.
  const first = await unlessRefused(decide(database, seen))
  if (first instanceof Problem) {
    const next = await findOffer(database, actor.tenant.id, offer_id)
    if (!next || next.state === 'open') throw first
    return requireAcceptedLesson(database, actor, next, student_id)
  }
  const locked = first.seen.map(({ id }) => id)
  let decided: Booking | undefined = first
  return inTransaction(database, async (db) => {
    const booking = decided
    decided = undefined
    if (!booking) await lockCalendars(db, actor.tenant.id, locked)
    else if (!(await lockUnchanged(db, actor.tenant.id, booking.seen))) throw new Outdated()
    const offer = await lockOffer(db, actor.tenant.id, offer_id)
    if (!offer) throw gone()
    if (offer.state !== 'open') return requireAcceptedLesson(db, actor, offer, student_id)
    if (!isOfferedTo(actor, offer, student_id)) throw gone()
    const { row } = booking ?? (await decide(db, offer))
    if (!(await insertAppointment(db, actor, row, { seen: [], key: undefined }))) throw new Outdated()
    const taken = { state: 'taken', appointment_id: row.id, taken_by: student_id } as const
    return requireAcceptedLesson(db, actor, await updateOffer(db, actor, offer, taken), student_id)
  })
}

async function unlessRefused<T>(decision: Promise<T>): Promise<T | Problem> {
  try {
    return await decision
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
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

export async function listOffersTo(
  db: Database,
  actor: Actor,
  student_id: string,
  slicer: TimeSlicer,
): Promise<readonly ListedOffer[]> {
  const offers = await listOpenOffersTo(db, actor, student_id)
  const live = offers.filter((offer) => isLiveFor(offer, student_id))
  const states = await statesOf(db, actor, live, slicer)
  return live.filter(({ id }) => states.get(id) === 'open').slice(0, MAX_LISTED_OFFERS)
}

type Booking = Awaited<ReturnType<typeof bookingOf>>

type BookedOffer = Pick<Accepting, 'student_id' | 'pickup_place'> & {
  readonly offer: StoredOffer
  readonly fleet: SchoolFleet
}

/** Decides the booking of an offer. Throws `offer_gone` if the rules refuse it to everybody, or the first broken rule. */
async function bookingFor(
  db: Database,
  actor: Actor,
  { offer, fleet, student_id, pickup_place }: BookedOffer,
): Promise<Booking> {
  if (!isOfferedTo(actor, offer, student_id)) throw gone()
  const { instructor_id, lesson_type_id, start_at, end_at } = offer
  const whom = { instructor_id, lesson_type_id, student_id }
  const vehicle_ids = fleet.vehiclesFor(whom)
  const anyones = lessonWithoutStudent(offer, fleet)
  const requireBoth = async (lesson: AgendaAppointment) => {
    const all = { ...lesson, vehicle_ids: [...new Set([...vehicle_ids, ...anyones.vehicle_ids])] }
    const loaded = await requireAgenda(db, actor, all)
    if (refusalFor(loaded.proposal, agendaOnly(anyones, loaded.agenda))) throw gone()
    const ids = new Set(calendarIdsOf([lesson]))
    return {
      ...loaded,
      agenda: agendaOnly(lesson, loaded.agenda),
      deleted: loaded.deleted.filter(({ id }) => ids.has(id)),
      seen: loaded.seen.filter(({ id }) => ids.has(id)),
    }
  }
  const wanted = { ...whom, vehicle_ids, start_at, end_at, pickup_place, id: newId() }
  return bookingOf(db, actor, wanted, requireBoth)
}

function agendaOnly(lesson: Occupying, agenda: Agenda): Agenda {
  const occupied = agenda.occupied.filter(({ kind, id }) => OCCUPANTS[kind].isIn(lesson, id))
  const { student_open, former } = lesson.student_id ? agenda : {}
  return { ...agenda, occupied, student_open, former }
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
