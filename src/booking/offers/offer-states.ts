import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import type { Offer } from '../../contract/offer.ts'
import { readFleet, type SchoolFleet } from '../../db/appointments/fleet.ts'
import { requireAgenda } from '../../db/calendars/agendas.ts'
import type { StoredOffer } from '../../db/offers/offers.ts'
import type { Database } from '../../db/schema/tables.ts'
import { type Verdict, verdictOn } from '../../domain/booking.ts'
import { dayOf, weekStartOf } from '../../domain/local-time.ts'
import { LessonAgendas } from '../lessons/lesson-agendas.ts'
import type { TimeSlicer } from '../time-slicer.ts'

type State = Offer['state']
type AtMoment = Pick<Actor, 'tenant' | 'now'>
type Time = Pick<Offer, 'instructor_id' | 'lesson_type_id' | 'start_at' | 'end_at'>

/** Checks the rules that do not depend on the student for a lesson at the time, with the usual vehicle. */
export async function verdictOnTime(db: Database, actor: AtMoment, time: Time): Promise<Verdict> {
  const { start_at, end_at } = time
  const lesson = lessonWithoutStudent(time, await readFleet(db, actor.tenant.id, []))
  const standing = { id: NIL, ...lesson, start_at, end_at }
  const { proposal, agenda } = await requireAgenda(db, { ...actor, isOffering: true }, standing)
  return verdictOn(proposal, agenda)
}

/** Returns the current state: an open offer may have expired, be closed by a rule, or be withdrawn with the last of its wishes. */
export async function offerStateFor(db: Database, actor: AtMoment, offer: StoredOffer): Promise<State> {
  return endedState(actor, offer) ?? stateBy(await verdictOnTime(db, actor, offer))
}

export async function isOpenTo(
  db: Database,
  actor: AtMoment,
  offer: StoredOffer,
  student_id: string,
): Promise<boolean> {
  return isOfferedTo(actor, offer, student_id) && (await offerStateFor(db, actor, offer)) === 'open'
}

/** Whether an offer stands for a student, if the rules still allow it. */
export function isOfferedTo(actor: AtMoment, offer: StoredOffer, student_id: string): boolean {
  return isLiveFor(offer, student_id) && endedState(actor, offer) === undefined
}

export function isLiveFor({ links }: StoredOffer, student_id: string): boolean {
  return links.some((link) => link.student_id === student_id && link.is_live)
}

export async function statesOf(
  db: Database,
  actor: Actor,
  offers: readonly StoredOffer[],
  slicer: TimeSlicer,
): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>()
  const open: StoredOffer[] = []
  for (const offer of offers) {
    const ended = endedState(actor, offer)
    if (ended) states.set(offer.id, ended)
    else open.push(offer)
  }
  if (open.length === 0) return states
  const fleet = await readFleet(db, actor.tenant.id, [])
  const lessons = open.map((offer) => ({ ...offer, ...lessonWithoutStudent(offer, fleet) }))
  for (const ofWeek of Map.groupBy(lessons, ({ start_at }) => weekStartOf(dayOf(start_at))).values()) {
    const agendas = await LessonAgendas.load(db, { ...actor, isOffering: true }, ofWeek, (steps) =>
      slicer.run(steps),
    )
    for (const lesson of ofWeek) {
      await slicer.pause()
      const { proposal, agenda } = await agendas.requireAgenda(lesson)
      states.set(lesson.id, stateBy(verdictOn(proposal, agenda)))
    }
  }
  return states
}

/** Returns the offered lesson with its vehicles, which are the same for every candidate. */
export function lessonWithoutStudent({ instructor_id, lesson_type_id }: Time, fleet: SchoolFleet) {
  const lesson = { instructor_id, lesson_type_id, student_id: null }
  return { ...lesson, vehicle_ids: fleet.vehiclesFor(lesson) }
}

function endedState({ now }: AtMoment, { state, expires_at, links }: StoredOffer): State | undefined {
  if (state !== 'open') return state
  if (Date.parse(expires_at) <= now.getTime()) return 'expired'
  return links.some(({ is_live }) => is_live) ? undefined : 'withdrawn'
}

function stateBy({ refusals }: Verdict): State {
  return refusals.length > 0 ? 'closed' : 'open'
}
