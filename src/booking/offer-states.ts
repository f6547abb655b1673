import { NIL } from 'uuid'
import type { Actor } from '../contract/actor.ts'
import type { Offer } from '../contract/offer.ts'
import { requireAgenda, requireAgendas } from '../db/calendars/agendas.ts'
import { readTaughtLessonTypes } from '../db/hit-appointments.ts'
import type { StoredOffer } from '../db/offers.ts'
import type { Database } from '../db/schema/tables.ts'
import { timed } from '../domain/agenda.ts'
import {
  type TimedAgenda,
  timedAgendaOf,
  type Verdict,
  verdictOn,
  verdictOnTimed,
} from '../domain/booking.ts'
import { type Day, dayOf, weekStartOf } from '../domain/local-time.ts'
import { containsStretch, surroundingsOfWeek } from '../domain/surroundings.ts'
import type { Pieces } from './pieces.ts'

type State = Offer['state']
/** The school and the moment for which a state is computed. */
type AtMoment = Pick<Actor, 'tenant' | 'now'>
type Time = Pick<Offer, 'instructor_id' | 'lesson_type_id' | 'start_at' | 'end_at'>

/** Checks the rules that do not depend on the student for a lesson at the time. */
export async function verdictOnTime(db: Database, actor: AtMoment, time: Time): Promise<Verdict> {
  const { instructor_id, lesson_type_id, start_at, end_at } = time
  const standing = { id: NIL, student_id: null, instructor_id, lesson_type_id, start_at, end_at }
  const { proposal, agenda } = await requireAgenda(db, actor, standing)
  return verdictOn(proposal, agenda)
}

/** Returns the current state: an open offer may have expired, be closed by a rule, or be withdrawn with the last of its wishes. */
export async function offerStateFor(db: Database, actor: AtMoment, offer: StoredOffer): Promise<State> {
  return endedState(actor, offer) ?? stateBy(await verdictOnTime(db, actor, offer))
}

/** Whether a student can accept an offer now. */
export async function isOpenTo(
  db: Database,
  actor: AtMoment,
  offer: StoredOffer,
  student_id: string,
): Promise<boolean> {
  return isLiveFor(offer, student_id) && (await offerStateFor(db, actor, offer)) === 'open'
}

export function isLiveFor({ links }: StoredOffer, student_id: string): boolean {
  return links.some((link) => link.student_id === student_id && link.is_live)
}

export async function statesOf(
  db: Database,
  actor: Actor,
  offers: readonly StoredOffer[],
  pieces: Pieces,
): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>()
  const open: StoredOffer[] = []
  for (const offer of offers) {
    const ended = endedState(actor, offer)
    if (ended) states.set(offer.id, ended)
    else open.push(offer)
  }
  if (open.length === 0) return states
  const lessonTypes = await readTaughtLessonTypes(db, actor.tenant.id)
  const weeks = Map.groupBy(open, ({ start_at }) => weekStartOf(dayOf(start_at)))
  for (const [monday, ofWeek] of weeks) {
    const agendaOf = await agendasOfWeek(db, actor, { monday, offers: ofWeek, pieces })
    for (const offer of ofWeek) {
      await pieces.rest()
      const { id, lesson_type_id, start_at, end_at } = offer
      const counts_toward_limits = lessonTypes.get(lesson_type_id)?.counts_toward_limits ?? true
      const agenda = agendaOf(offer)
      const verdict = agenda
        ? verdictOnTimed(timed({ start_at, end_at, counts_toward_limits }), agenda)
        : await verdictOnTime(db, actor, offer)
      states.set(id, stateBy(verdict))
    }
  }
  return states
}

type OfWeek = { readonly monday: Day; readonly offers: readonly StoredOffer[]; readonly pieces: Pieces }

async function agendasOfWeek(
  db: Database,
  actor: Actor,
  { monday, offers, pieces }: OfWeek,
): Promise<(offer: StoredOffer) => TimedAgenda | undefined> {
  const range = surroundingsOfWeek(monday)
  const instructor_ids = [...new Set(offers.map(({ instructor_id }) => instructor_id))]
  const request = { instructor_ids, student_id: null, lesson_type_id: null, range }
  const { instructors } = await requireAgendas(db, actor, request, (steps) => pieces.run(steps))
  const agendas = new Map(
    instructors.map(({ agenda }) => [agenda.instructor.id, { agenda, timed: timedAgendaOf(agenda) }]),
  )
  return (offer) => {
    const found = agendas.get(offer.instructor_id)
    return found && containsStretch(found.agenda, offer, range) ? found.timed : undefined
  }
}

function endedState({ now }: AtMoment, { state, expires_at, links }: StoredOffer): State | undefined {
  if (state !== 'open') return state
  if (Date.parse(expires_at) <= now.getTime()) return 'expired'
  return links.some(({ is_live }) => is_live) ? undefined : 'withdrawn'
}

function stateBy({ refusals }: Verdict): State {
  return refusals.length > 0 ? 'closed' : 'open'
}
