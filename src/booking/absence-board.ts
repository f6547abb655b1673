import type { AbsenceDecision } from '../contract/absence-decision.ts'
import type { AbsenceRequest } from '../contract/absence-plan.ts'
import type { Actor } from '../contract/actor.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import type { Calendar } from '../db/calendars/calendar-rows.ts'
import type { Calendars } from '../db/calendars/calendars.ts'
import { listsWith } from '../domain/absence-period.ts'
import type { ClosedDays } from '../domain/agenda.ts'
import { studentIdsOf } from '../domain/counted.ts'
import { type DailyAgenda, type OccupiedTimes, takenBy, withAppointments } from '../domain/daily-agenda.ts'

type Place = Pick<
  StoredAppointment,
  'instructor_id' | 'student_id' | 'attendees' | 'vehicle_ids' | 'start_at' | 'end_at'
> & {
  readonly counts_toward_limits: boolean
}

function occupies({ instructor_id, vehicle_ids, ...place }: Place, id: string): boolean {
  return instructor_id === id || studentIdsOf(place).includes(id) || vehicle_ids.includes(id)
}

type Hit = {
  readonly id: string
  readonly absence: AbsenceRequest
  readonly lessons: readonly StoredAppointment[]
  readonly closed: ClosedDays
}

/** The calendars of an absence plan, and the places of the affected lessons after the decisions so far. */
export class AbsenceBoard {
  readonly #actor: Actor
  readonly #of: Calendars['of']
  readonly #hit: Hit
  readonly #places: Map<string, Place>
  readonly #taken = new Map<string, OccupiedTimes>()

  constructor(actor: Actor, { of }: Pick<Calendars, 'of'>, hit: Hit) {
    this.#actor = actor
    this.#of = of
    this.#hit = hit
    // An undecided lesson keeps its place. Whether it counts toward limits is read from the instructor's calendar.
    const known = new Map(of.get(hit.id)?.appointments.map((one) => [one.id, one]))
    this.#places = new Map(
      hit.lessons.map((lesson) => [
        lesson.id,
        { ...lesson, counts_toward_limits: known.get(lesson.id)?.counts_toward_limits ?? true },
      ]),
    )
  }

  calendar(id: string): Calendar | undefined {
    return this.#of.get(id)
  }

  instructors(): readonly Calendar[] {
    return [...this.#of.values()].filter(({ rules }) => rules !== undefined)
  }

  agendaFor({ id, rules }: Calendar, lesson: StoredAppointment): DailyAgenda {
    if (!rules) throw new Error(`${id} is no instructor`)
    const instructor = id === this.#hit.id ? { ...rules, ...listsWith(rules, this.#hit.absence) } : rules
    const ofInstructor = this.#takenOf(id, 'instructor_busy', lesson.id)
    const open = studentIdsOf(lesson).map((one) => this.#of.get(one)?.open_appointments ?? 0)
    const student_open = Math.max(0, ...open)
    const agenda = {
      unit_minutes: this.#actor.tenant.unit_minutes,
      instructor,
      occupied: [],
      closed: this.#hit.closed,
      // Does not count the lesson itself.
      student_open: student_open && student_open - 1,
    }
    const students = studentIdsOf(lesson).map((one) => this.#takenOf(one, 'student_busy', lesson.id))
    const vehicles = lesson.vehicle_ids.map((one) => this.#takenOf(one, 'vehicle_busy', lesson.id))
    return {
      agenda,
      ofInstructor: ofInstructor.pages,
      occupied: [ofInstructor, ...students],
      choices: vehicles.length > 0 ? [vehicles] : undefined,
    }
  }

  decide(lesson: StoredAppointment, decision: AbsenceDecision, counts_toward_limits: boolean): void {
    const { action, instructor_id = lesson.instructor_id } = decision
    const { start_at = lesson.start_at, end_at = lesson.end_at } = decision
    if (action === 'cancel') this.#places.delete(lesson.id)
    else this.#places.set(lesson.id, { ...lesson, instructor_id, start_at, end_at, counts_toward_limits })
  }

  #takenOf(id: string, code: OccupiedTimes['code'], except: string): OccupiedTimes {
    const others = [...this.#places]
      .filter(([lesson, place]) => lesson !== except && occupies(place, id))
      .map(([lesson, { start_at, end_at, counts_toward_limits }]) => {
        return { id: lesson, start_at, end_at, counts_toward_limits }
      })
    return withAppointments(this.#untouched(id, code), others)
  }

  #untouched(id: string, code: OccupiedTimes['code']): OccupiedTimes {
    const known = this.#taken.get(id)
    if (known) return known
    const calendar = this.#of.get(id)
    const hit = new Set(this.#hit.lessons.map((lesson) => lesson.id))
    const appointments = (calendar?.appointments ?? []).filter((one) => !hit.has(one.id))
    const taken = takenBy({ code, vehicle: calendar?.vehicle, appointments })
    this.#taken.set(id, taken)
    return taken
  }
}
