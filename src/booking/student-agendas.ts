import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import { requireCalendarRanges } from '../db/calendar-ranges.ts'
import type { Calendar } from '../db/calendar-rows.ts'
import type { LoadedAgenda } from '../db/calendars.ts'
import { type CountingLessonType, readCountingLessonTypes } from '../db/lesson-types.ts'
import type { Database } from '../db/tables.ts'
import type { Agenda, CountedAppointment } from '../domain/agenda.ts'
import type { Interval } from '../domain/interval.ts'
import { dayOf, type LocalDateTime, weekStartOf } from '../domain/local-time.ts'
import { holdsWholeStretch, reachOfWeek, widened } from '../domain/reach.ts'
import { localNow } from '../domain/time-zone.ts'

type Lesson = Pick<StoredAppointment, 'id' | 'instructor_id' | 'lesson_type_id' | 'start_at' | 'end_at'>

/** The lessons whose agendas are to be loaded; none of them is counted yet. */
type Request = { readonly studentId: string; readonly lessons: readonly Lesson[] }

/** A week of an instructor, and the range around it that is loaded. */
type Week = { readonly id: string; readonly range: Interval; readonly calendar: Calendar }

type Known = {
  readonly now: LocalDateTime
  readonly lessonTypes: ReadonlyMap<string, CountingLessonType>
  readonly student: Calendar
  readonly weeks: Map<string, Week>
}

/**
 * The agendas of many lessons of one student, loaded by instructor and week in one statement. A lesson that is accepted counts for
 * those that follow. The calendars must be locked.
 */
export class StudentAgendas {
  readonly #db: Database
  readonly #actor: Actor
  readonly #known: Known
  readonly #accepted: (CountedAppointment & { readonly instructor_id: string })[] = []

  private constructor(db: Database, actor: Actor, known: Known) {
    this.#db = db
    this.#actor = actor
    this.#known = known
  }

  /** Loads the agendas. Throws `not_found` if the tenant has no such student or instructor. */
  static async load(db: Database, actor: Actor, { studentId, lessons }: Request): Promise<StudentAgendas> {
    const now = localNow(actor.now, actor.tenant.timezone)
    const wanted = [...new Map(lessons.map((lesson) => [keyOf(lesson), weekOf(lesson)]))]
    const ranges = wanted.map(([, week]) => week)
    const range = {
      start: Math.min(...ranges.map(({ range }) => range.start)),
      end: Math.max(...ranges.map(({ range }) => range.end)),
    }
    const [lessonTypes, [student, ...calendars]] = await Promise.all([
      readCountingLessonTypes(db, actor.tenant.id),
      requireCalendarRanges(db, actor.tenant.id, [{ id: studentId, range }, ...ranges], now),
    ])
    if (!student) throw notFound()
    const weeks = wanted.flatMap(([key, week], index): [string, Week][] => {
      const calendar = calendars[index]
      return calendar ? [[key, { ...week, calendar }]] : []
    })
    return new StudentAgendas(db, actor, { now, lessonTypes, student, weeks: new Map(weeks) })
  }

  /** Returns the agenda of one of the lessons. Loads more of the instructor's calendar if the stretch around it is longer. */
  async requireAgenda(lesson: Lesson): Promise<Pick<LoadedAgenda, 'proposal' | 'agenda' | 'license_class'>> {
    const { lessonTypes, student, weeks } = this.#known
    const { start_at, end_at, lesson_type_id } = lesson
    const type = lessonTypes.get(lesson_type_id)
    let week = weeks.get(keyOf(lesson))
    if (!week || !type) throw notFound()
    let agenda = this.#agendaIn(week.calendar)
    while (!holdsWholeStretch(agenda, lesson, week.range)) {
      week = await this.#widened(week)
      weeks.set(keyOf(lesson), week)
      agenda = this.#agendaIn(week.calendar)
    }
    return {
      proposal: { start_at, end_at, counts_toward_limits: type.counts_toward_limits },
      agenda,
      license_class: type.category === 'theory' ? null : student.license_class,
    }
  }

  async #widened({ id, range }: Week): Promise<Week> {
    const wanted = { id, range: widened(range) }
    const [calendar] = await requireCalendarRanges(this.#db, this.#actor.tenant.id, [wanted], this.#known.now)
    if (!calendar) throw notFound()
    return { ...wanted, calendar }
  }

  #agendaIn({ id, rules, appointments }: Calendar): Agenda {
    if (!rules) throw notFound()
    const { student, now } = this.#known
    const open = student.open_appointments
    return {
      unit_minutes: this.#actor.tenant.unit_minutes,
      instructor: rules,
      instructor_appointments: [
        ...appointments,
        ...this.#accepted.filter(({ instructor_id }) => instructor_id === id),
      ],
      student_appointments: [...student.appointments, ...this.#accepted],
      student_open:
        open === undefined ? undefined : open + this.#accepted.filter(({ end_at }) => end_at > now).length,
    }
  }

  /** Counts the lesson for those that follow. */
  accept({ id, instructor_id }: Lesson, { proposal }: Pick<LoadedAgenda, 'proposal'>): void {
    this.#accepted.push({ ...proposal, id, instructor_id })
  }
}

function keyOf({ instructor_id, start_at }: Lesson): string {
  return `${instructor_id} ${weekStartOf(dayOf(start_at))}`
}

function weekOf({ instructor_id, start_at }: Lesson): Omit<Week, 'calendar'> {
  return { id: instructor_id, range: reachOfWeek(weekStartOf(dayOf(start_at))) }
}
