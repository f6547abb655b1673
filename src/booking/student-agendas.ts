import { NIL } from 'uuid'
import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import type { LoadedAgenda } from '../db/agendas.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import type { Calendar } from '../db/calendar-rows.ts'
import { type Calendars, loadCalendars } from '../db/calendars.ts'
import { holidayCalendarOf } from '../db/holidays.ts'
import { type CountingLessonType, readCountingLessonTypes } from '../db/lesson-types.ts'
import type { Database } from '../db/tables.ts'
import type { Agenda, CountedAppointment } from '../domain/agenda.ts'
import type { HolidayCalendar } from '../domain/closed-days.ts'
import { contains, type Interval, intervalOf } from '../domain/interval.ts'
import { type LocalDateTime, localDateTimeFor } from '../domain/local-time.ts'
import { holdsWholeStretch, reachAround, untilWhole } from '../domain/reach.ts'
import { localNow } from '../domain/time-zone.ts'

type Lesson = Pick<StoredAppointment, 'id' | 'instructor_id' | 'lesson_type_id' | 'start_at' | 'end_at'>

/** The lessons whose agendas are to be loaded; none of them is counted yet. */
type Request = { readonly studentId: string; readonly lessons: readonly Lesson[] }

/** The calendars of people and the closures, and the range that they are complete in. */
type Read = Pick<Calendars, 'of' | 'closures'> & { readonly range: Interval }

type Known = {
  readonly now: LocalDateTime
  readonly lessonTypes: ReadonlyMap<string, CountingLessonType>
  readonly student: Calendar
  readonly holidayOn: HolidayCalendar | undefined
}

/**
 * The agendas of many lessons of one student, loaded in one statement. A lesson that is accepted counts for those that follow. The
 * calendars must be locked.
 */
export class StudentAgendas {
  readonly #db: Database
  readonly #actor: Actor
  readonly #known: Known
  readonly #accepted: (CountedAppointment & { readonly instructor_id: string })[] = []
  #instructors: Read

  private constructor(db: Database, actor: Actor, known: Known, instructors: Read) {
    this.#db = db
    this.#actor = actor
    this.#known = known
    this.#instructors = instructors
  }

  /** Loads the agendas. Throws `not_found` if the tenant has no such student or instructor. */
  static async load(db: Database, actor: Actor, { studentId, lessons }: Request): Promise<StudentAgendas> {
    const now = localNow(actor.now, actor.tenant.timezone)
    const ranges = lessons.map((lesson) => reachAround(intervalOf(lesson)))
    const range = {
      start: Math.min(...ranges.map(({ start }) => start)),
      end: Math.max(...ranges.map(({ end }) => end)),
    }
    const ids = [...new Set([studentId, ...lessons.map(({ instructor_id }) => instructor_id)])]
    const [lessonTypes, holidayOn, { of, closures }] = await Promise.all([
      readCountingLessonTypes(db, actor.tenant.id),
      holidayCalendarOf(actor.tenant, 'refuse'),
      loadCalendars(db, actor.tenant.id, { ids, range, lesson_type_id: null, except: NIL, now }),
    ])
    const student = of.get(studentId)
    if (!student) throw notFound()
    return new StudentAgendas(db, actor, { now, lessonTypes, student, holidayOn }, { range, of, closures })
  }

  /** Returns the agenda of one of the lessons. Loads more of the instructors' calendars if the stretch around it is longer. */
  async requireAgenda(lesson: Lesson): Promise<Pick<LoadedAgenda, 'proposal' | 'agenda' | 'license_class'>> {
    const { lessonTypes, student } = this.#known
    const { start_at, end_at, instructor_id, lesson_type_id } = lesson
    const type = lessonTypes.get(lesson_type_id)
    if (!type) throw notFound()
    const agenda = await untilWhole(
      reachAround(intervalOf(lesson)),
      async (reach) => this.#agendaIn(await this.#calendarOf(instructor_id, reach), reach),
      (found, reach) => holdsWholeStretch(found, lesson, reach),
    )
    return {
      proposal: { start_at, end_at, counts_toward_limits: type.counts_toward_limits },
      agenda,
      license_class: type.category === 'theory' ? null : student.license_class,
    }
  }

  async #calendarOf(id: string, wanted: Interval): Promise<Calendar> {
    const known = this.#instructors.range
    if (!contains(known, wanted)) {
      const range = { start: Math.min(known.start, wanted.start), end: Math.max(known.end, wanted.end) }
      const ids = [...this.#instructors.of.keys()]
      const request = { ids, range, lesson_type_id: null, except: NIL, now: this.#known.now }
      this.#instructors = { range, ...(await loadCalendars(this.#db, this.#actor.tenant.id, request)) }
    }
    const calendar = this.#instructors.of.get(id)
    if (!calendar) throw notFound()
    return calendar
  }

  #agendaIn({ id, rules, appointments }: Calendar, reach: Interval): Agenda {
    if (!rules) throw notFound()
    const { student, now, holidayOn } = this.#known
    const [from, to] = [localDateTimeFor(reach.start), localDateTimeFor(reach.end)]
    const near = appointments.filter(({ start_at, end_at }) => start_at < to && end_at > from)
    const ofInstructor = this.#accepted.filter(({ instructor_id }) => instructor_id === id)
    const open = student.open_appointments
    return {
      unit_minutes: this.#actor.tenant.unit_minutes,
      instructor: rules,
      occupied: [
        { code: 'instructor_busy', appointments: [...near, ...ofInstructor] },
        { code: 'student_busy', appointments: [...student.appointments, ...this.#accepted] },
      ],
      closed: { holidayOn, closures: this.#instructors.closures },
      student_open:
        open === undefined ? undefined : open + this.#accepted.filter(({ end_at }) => end_at > now).length,
    }
  }

  /** Counts the lesson for those that follow. */
  accept({ id, instructor_id }: Lesson, { proposal }: Pick<LoadedAgenda, 'proposal'>): void {
    this.#accepted.push({ ...proposal, id, instructor_id })
  }
}
