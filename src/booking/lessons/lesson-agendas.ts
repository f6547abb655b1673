import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import { readTaughtLessonTypes } from '../../db/appointments/affected-appointments.ts'
import { type LoadedAgenda, loadedAgendaOf, type Moment, sourceOf } from '../../db/calendars/agendas.ts'
import { type Calendars, loadCalendars, type TaughtLessonType } from '../../db/calendars/calendars.ts'
import type { Database } from '../../db/schema/tables.ts'
import { holidayCalendarOf } from '../../db/school/holidays.ts'
import type { HolidayCalendar } from '../../domain/agenda.ts'
import type { ListedAppointment } from '../../domain/counted.ts'
import { contains, type Interval, intervalOf } from '../../domain/interval.ts'
import { type Occupant, occupantsOf } from '../../domain/occupants.ts'
import { SchoolCalendar, type SchoolSource } from '../../domain/school-calendar.ts'
import type { Run } from '../../domain/steps.ts'
import { containsStretch, readUntilComplete, surroundingsOf } from '../../domain/surroundings.ts'
import { localNow } from '../../domain/time-zone.ts'

type Lesson = Omit<ListedAppointment, 'status'>

type Shared = {
  readonly occupants: readonly Occupant[]
  readonly lessonTypes: ReadonlyMap<string, TaughtLessonType>
  readonly holidayOn: HolidayCalendar | undefined
  readonly run: Run
}

type LoadedCalendars = {
  readonly range: Interval
  readonly of: Calendars['of']
  readonly source: SchoolSource
}

/** The agendas of many lessons, read in one statement. The calendars must be locked. */
export class LessonAgendas {
  readonly #db: Database
  readonly #actor: Actor & Moment
  readonly #shared: Shared
  readonly #calendar: SchoolCalendar
  #read: LoadedCalendars

  private constructor(db: Database, actor: Actor & Moment, shared: Shared, read: LoadedCalendars) {
    this.#db = db
    this.#actor = actor
    this.#shared = shared
    this.#calendar = new SchoolCalendar(read.source)
    this.#read = read
  }

  /** Reads the calendars of lessons that are not counted yet, each as it would be. */
  static async load(
    db: Database,
    actor: Actor & Moment,
    lessons: readonly Lesson[],
    run: Run,
  ): Promise<LessonAgendas> {
    const [lessonTypes, holidayOn] = await Promise.all([
      readTaughtLessonTypes(db, actor.tenant.id),
      holidayCalendarOf(actor.tenant, 'refuse'),
    ])
    const shared = { occupants: lessons.flatMap(occupantsOf), lessonTypes, holidayOn, run }
    const ranges = lessons.map((lesson) => surroundingsOf(intervalOf(lesson)))
    const range = {
      start: Math.min(...ranges.map(({ start }) => start)),
      end: Math.max(...ranges.map(({ end }) => end)),
    }
    return new LessonAgendas(db, actor, shared, await read(db, actor, shared, range))
  }

  async requireAgenda(lesson: Omit<Lesson, 'id'>): Promise<LoadedAgenda> {
    const lesson_type = this.#shared.lessonTypes.get(lesson.lesson_type_id)
    if (!lesson_type) throw notFound()
    const agenda = await readUntilComplete(
      surroundingsOf(intervalOf(lesson)),
      async (surroundings) => {
        await this.#readTo(surroundings)
        return this.#calendar.agendaFor(lesson, surroundings)
      },
      (found, surroundings) => containsStretch(found, lesson, surroundings),
    )
    // The versions of locked calendars need no comparison.
    return { ...loadedAgendaOf(lesson, agenda, { of: this.#read.of, lesson_type }), seen: [] }
  }

  /** Removes a stored lesson from the calendars. */
  remove(lesson: Lesson): void {
    const { counts_toward_limits = true } = this.#shared.lessonTypes.get(lesson.lesson_type_id) ?? {}
    this.#calendar.remove({ ...lesson, counts_toward_limits })
  }

  place(lesson: Lesson, { proposal }: Pick<LoadedAgenda, 'proposal'>): void {
    this.#calendar.place({ ...lesson, ...proposal })
  }

  async #readTo(wanted: Interval): Promise<void> {
    const known = this.#read.range
    if (contains(known, wanted)) return
    const range = { start: Math.min(known.start, wanted.start), end: Math.max(known.end, wanted.end) }
    this.#read = await read(this.#db, this.#actor, this.#shared, range)
    this.#calendar.reload(this.#read.source)
  }
}

async function read(
  db: Database,
  actor: Actor & Moment,
  { occupants, lessonTypes, holidayOn, run }: Shared,
  range: Interval,
): Promise<LoadedCalendars> {
  const now = localNow(actor.now, actor.tenant.timezone)
  const request = { occupants, range, lesson_type_id: null, except: NIL, now }
  const calendars = await loadCalendars(db, actor.tenant, request, run)
  return { range, of: calendars.of, source: { ...sourceOf(calendars, actor, { holidayOn }), lessonTypes } }
}
