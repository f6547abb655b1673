import { NIL } from 'uuid'
import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import { type LoadedAgenda, requireVehicle } from '../db/calendars/agendas.ts'
import type { Calendar } from '../db/calendars/calendar-rows.ts'
import { type Calendars, loadCalendars } from '../db/calendars/calendars.ts'
import { holidayCalendarOf } from '../db/holidays.ts'
import { type CountingLessonType, readCountingLessonTypes } from '../db/lesson-types.ts'
import type { Database } from '../db/schema/tables.ts'
import { type Agenda, type CountedAppointment, type HolidayCalendar, occupiedBy } from '../domain/agenda.ts'
import { contains, type Interval, intervalOf } from '../domain/interval.ts'
import { type LocalDateTime, localDateTimeFor } from '../domain/local-time.ts'
import { containsStretch, readUntilComplete, surroundingsOf } from '../domain/surroundings.ts'
import { localNow } from '../domain/time-zone.ts'

type Lesson = Pick<
  StoredAppointment,
  'id' | 'instructor_id' | 'vehicle_ids' | 'lesson_type_id' | 'start_at' | 'end_at'
>

type Request = { readonly studentId: string; readonly lessons: readonly Lesson[] }

type Read = Pick<Calendars, 'of' | 'closures'> & { readonly range: Interval }

type SharedRules = {
  readonly now: LocalDateTime
  readonly lessonTypes: ReadonlyMap<string, CountingLessonType>
  readonly student: Calendar
  readonly holidayOn: HolidayCalendar | undefined
}

/** The agendas of many lessons of one student, loaded in one statement. The calendars must be locked. */
export class StudentAgendas {
  readonly #db: Database
  readonly #actor: Actor
  readonly #shared: SharedRules
  readonly #accepted: (CountedAppointment & Pick<Lesson, 'instructor_id' | 'vehicle_ids'>)[] = []
  #others: Read

  private constructor(db: Database, actor: Actor, known: SharedRules, others: Read) {
    this.#db = db
    this.#actor = actor
    this.#shared = known
    this.#others = others
  }

  static async load(db: Database, actor: Actor, { studentId, lessons }: Request): Promise<StudentAgendas> {
    const now = localNow(actor.now, actor.tenant.timezone)
    const ranges = lessons.map((lesson) => surroundingsOf(intervalOf(lesson)))
    const range = {
      start: Math.min(...ranges.map(({ start }) => start)),
      end: Math.max(...ranges.map(({ end }) => end)),
    }
    const ids = [...new Set([studentId, ...lessons.map(({ instructor_id }) => instructor_id)])]
    const used = [...new Set(lessons.flatMap(({ vehicle_ids }) => vehicle_ids))]
    const vehicles = used.length > 0 ? { ids: used } : undefined
    const [lessonTypes, holidayOn, { of, closures }] = await Promise.all([
      readCountingLessonTypes(db, actor.tenant.id),
      holidayCalendarOf(actor.tenant, 'refuse'),
      loadCalendars(db, actor.tenant.id, { ids, vehicles, range, lesson_type_id: null, except: NIL, now }),
    ])
    const student = of.get(studentId)
    if (!student) throw notFound()
    return new StudentAgendas(db, actor, { now, lessonTypes, student, holidayOn }, { range, of, closures })
  }

  async requireAgenda(lesson: Lesson): Promise<Pick<LoadedAgenda, 'proposal' | 'agenda' | 'license_class'>> {
    const { lessonTypes, student } = this.#shared
    const { start_at, end_at, lesson_type_id } = lesson
    const type = lessonTypes.get(lesson_type_id)
    if (!type) throw notFound()
    const agenda = await readUntilComplete(
      surroundingsOf(intervalOf(lesson)),
      async (surroundings) => {
        await this.#loadTo(surroundings)
        return this.#agendaIn(lesson, surroundings)
      },
      (found, surroundings) => containsStretch(found, lesson, surroundings),
    )
    return {
      proposal: { start_at, end_at, counts_toward_limits: type.counts_toward_limits },
      agenda,
      license_class: type.category === 'theory' ? null : student.license_class,
    }
  }

  async #loadTo(wanted: Interval): Promise<void> {
    const known = this.#others.range
    if (contains(known, wanted)) return
    const range = { start: Math.min(known.start, wanted.start), end: Math.max(known.end, wanted.end) }
    const calendars = [...this.#others.of.values()]
    const ids = calendars.filter(({ vehicle }) => !vehicle).map(({ id }) => id)
    const used = calendars.filter(({ vehicle }) => vehicle).map(({ id }) => id)
    const vehicles = used.length > 0 ? { ids: used } : undefined
    const request = { ids, vehicles, range, lesson_type_id: null, except: NIL, now: this.#shared.now }
    this.#others = { range, ...(await loadCalendars(this.#db, this.#actor.tenant.id, request)) }
  }

  #agendaIn({ instructor_id, vehicle_ids }: Lesson, surroundings: Interval): Agenda {
    const { student, now, holidayOn } = this.#shared
    const { of, closures } = this.#others
    const [from, to] = [localDateTimeFor(surroundings.start), localDateTimeFor(surroundings.end)]
    const near = (appointments: readonly CountedAppointment[]) =>
      appointments.filter(({ start_at, end_at }) => start_at < to && end_at > from)
    const instructor = of.get(instructor_id)
    if (!instructor?.rules) throw notFound()
    const ofInstructor = this.#accepted.filter((one) => one.instructor_id === instructor_id)
    const vehicles = vehicle_ids.map((id) => {
      const { appointments, ...one } = requireVehicle(of.get(id))
      const using = this.#accepted.filter((other) => other.vehicle_ids.includes(id))
      return { ...one, appointments: [...near(appointments), ...using] }
    })
    const open = student.open_appointments
    return {
      unit_minutes: this.#actor.tenant.unit_minutes,
      instructor: instructor.rules,
      occupied: occupiedBy({
        instructor: [...near(instructor.appointments), ...ofInstructor],
        student: [...student.appointments, ...this.#accepted],
        vehicles,
      }),
      closed: { holidayOn, closures },
      student_open:
        open === undefined ? undefined : open + this.#accepted.filter(({ end_at }) => end_at > now).length,
    }
  }

  accept({ id, instructor_id, vehicle_ids }: Lesson, { proposal }: Pick<LoadedAgenda, 'proposal'>): void {
    this.#accepted.push({ ...proposal, id, instructor_id, vehicle_ids })
  }
}
