import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import { policyOfChoices } from '../../domain/absence.ts'
import type { Agenda, CountedAppointment, HolidayCalendar, Proposal } from '../../domain/agenda.ts'
import type { BusyPolicy } from '../../domain/busy-policy.ts'
import type { ListedAppointment } from '../../domain/counted.ts'
import type { LessonEnrolment } from '../../domain/enrolments.ts'
import { type Interval, intervalOf } from '../../domain/interval.ts'
import { agendaIn } from '../../domain/lesson-agenda.ts'
import { OCCUPANTS, type Occupant, type Occupying, occupantsOf } from '../../domain/occupants.ts'
import { isExam } from '../../domain/readiness.ts'
import { type PlacedLesson, SchoolCalendar, type SchoolSource } from '../../domain/school-calendar.ts'
import type { Run } from '../../domain/steps.ts'
import { containsStretch, readUntilComplete, surroundingsOf } from '../../domain/surroundings.ts'
import { localNow } from '../../domain/time-zone.ts'
import { suitsClass } from '../../domain/vehicles.ts'
import type { Database } from '../schema/tables.ts'
import { holidayCalendarOf } from '../school/holidays.ts'
import { readPapers } from '../students/ticks.ts'
import type { CalendarVersion } from './calendar-locks.ts'
import type { Calendar } from './calendar-rows.ts'
import { type Calendars, type CalendarsRequest, loadCalendars, type TaughtLessonType } from './calendars.ts'

export type Moment = Pick<Actor, 'tenant' | 'now'> &
  Partial<Pick<Actor, 'role' | 'kind'>> & {
    /** Whether the times are offered, so that one that the office would be warned of is refused. */
    readonly isOffering?: true
  }

/** Returns the calendars as they would be after a change of rules. */
export type CalendarOverlay = (calendars: Calendars) => Calendars

export type AgendaAppointment = Omit<ListedAppointment, 'status'> & {
  /** Further appointments of the same people and things, counted as if stored. */
  readonly unstored?: readonly CountedAppointment[] | undefined
  readonly overlay?: CalendarOverlay | undefined
}

export type LoadedAgenda = {
  readonly proposal: Proposal
  readonly agenda: Agenda
  readonly lesson_type_name: string
  readonly category: string
  readonly seats: number
  readonly deleted: readonly Occupant[]
  readonly enrolmentsOf: (student_id: string) => readonly LessonEnrolment[]
  readonly seen: readonly CalendarVersion[]
}

export async function requireAgenda(
  db: Database,
  actor: Moment,
  standing: AgendaAppointment,
): Promise<LoadedAgenda> {
  const { tenant } = actor
  const holidayOn = await holidayCalendarOf(tenant, 'refuse')
  const { lesson_type_id, id: except, unstored = [], overlay } = standing
  const others = intervalOf(standing)
  const now = localNow(actor.now, tenant.timezone)
  // A verdict needs busy times only where they are refused. Without them, the statement has a smaller plan.
  const needsBusyTimes = busyPolicyOf(actor) === 'refuse'
  const occupants = occupantsOf(standing)
  const request = { occupants, others, lesson_type_id, except, now, needsBusyTimes }
  const read = async (range: Interval): Promise<LoadedAgenda> => {
    const stored = await loadCalendars(db, tenant, { ...request, range })
    const calendars = overlay ? overlay(stored) : stored
    const { lesson_type } = calendars
    if (!lesson_type) throw notFound()
    const source = sourceOf(calendars, actor, { holidayOn, instructor_id: standing.instructor_id })
    const agenda = unstored.length > 0 ? agendaBeside(standing, unstored, source) : agendaIn(standing, source)
    return loadedAgendaOf(standing, agenda, { of: calendars.of, lesson_type })
  }
  return readUntilComplete(surroundingsOf(others), read, ({ agenda }, surroundings) =>
    containsStretch(agenda, standing, surroundings),
  )
}

function agendaBeside(
  lesson: AgendaAppointment,
  unstored: readonly CountedAppointment[],
  source: SchoolSource,
): Agenda {
  const calendar = new SchoolCalendar(source)
  for (const one of unstored) calendar.place({ ...lesson, ...one })
  return calendar.agendaFor(lesson)
}

type LessonTyped = Pick<Calendars, 'of'> & {
  readonly lesson_type: Pick<TaughtLessonType, 'name' | 'category' | 'counts_toward_limits' | 'seats'>
}

export function loadedAgendaOf(
  lesson: Omit<ListedAppointment, 'id' | 'status'>,
  agenda: Agenda,
  { of, lesson_type }: LessonTyped,
): LoadedAgenda {
  const { start_at, end_at } = lesson
  const { name, category, counts_toward_limits, seats } = lesson_type
  return {
    proposal: { start_at, end_at, counts_toward_limits },
    agenda,
    lesson_type_name: name,
    category,
    seats,
    deleted: occupantsOf(lesson).filter(({ id }) => of.get(id)?.deleted),
    enrolmentsOf: (student_id) => of.get(student_id)?.enrolments ?? [],
    seen: [...of.values()].map(({ id, version }) => ({ id, version })),
  }
}

type SourceOptions = {
  readonly holidayOn: HolidayCalendar | undefined
  /** The instructor whose appointments a user with the role of an instructor may see. */
  readonly instructor_id?: string | undefined
}

/** Returns the calendars for agendas, which throw `not_found` for a missing person or thing. */
export function sourceOf(
  { of, closures, lesson_type }: Pick<Calendars, 'of' | 'closures'> & Partial<Pick<Calendars, 'lesson_type'>>,
  actor: Moment,
  { holidayOn, instructor_id = '' }: SourceOptions,
): SchoolSource {
  const { tenant, now } = actor
  const isHiding = actor.role === 'instructor'
  const own = new Set(isHiding ? of.get(instructor_id)?.appointments.map(({ id }) => id) : [])
  const shown = (one: CountedAppointment) => (own.has(one.id) ? one : { ...one, isHidden: true as const })
  return {
    unit_minutes: tenant.unit_minutes,
    closed: { holidayOn, closures },
    busy_calendars: busyPolicyOf(actor),
    lessonTypes: lesson_type && new Map([[lesson_type.id, lesson_type]]),
    now: localNow(now, tenant.timezone),
    find: (occupant) => {
      const calendar = requireCalendar(of, occupant)
      if (!isHiding || occupant.kind === 'instructor') return calendar
      return { ...calendar, appointments: calendar.appointments.map(shown) }
    },
  }
}

function busyPolicyOf({ tenant: { busy_calendars }, kind, isOffering }: Moment): BusyPolicy {
  return isOffering || kind === 'student' ? policyOfChoices(busy_calendars) : busy_calendars
}

function requireCalendar(of: Calendars['of'], { kind, id }: Occupant): Calendar {
  const calendar = of.get(id)
  if (calendar?.kind !== OCCUPANTS[kind].calendar) throw notFound()
  if (kind === 'instructor' && !calendar.rules) throw notFound()
  return calendar
}

export type AgendasRequest = Pick<CalendarsRequest, 'anyVehicle' | 'lesson_type_id' | 'range'> & {
  /** All active instructors if undefined. */
  readonly instructor_ids: readonly string[] | undefined
  /** The students of the lesson, and all things that it may use. */
  readonly lesson: Omit<Occupying, 'instructor_id'>
  readonly except?: string | undefined
  readonly enrolment_id?: string | undefined
  readonly unstored?: readonly PlacedLesson[]
  readonly overlay?: CalendarOverlay | undefined
}

export type LoadedAgendas = Omit<Calendars, 'closures'> & {
  readonly calendar: SchoolCalendar
  readonly lesson: Omit<Occupying, 'instructor_id'>
  readonly holidayOn: HolidayCalendar | undefined
  readonly instructors: readonly Calendar[]
  /** The things to choose from, if requested: all as one choice, or each vehicle that suits the student's class, by name. */
  readonly choices: readonly (readonly Occupant[])[] | undefined
  /** Whether lessons use things, such as vehicles. */
  readonly usesThings: boolean
  /** Returns the things of a lesson with an instructor; undefined if the choices are those of all. */
  readonly thingsWith?: ((instructor_id: string) => readonly Occupant[]) | undefined
}

/** Loads the calendars of possible lessons from one snapshot. `run` parses the rows. Throws `not_found`. */
export async function requireAgendas(
  db: Database,
  actor: Moment,
  { instructor_ids, lesson, unstored = [], overlay, ...request }: AgendasRequest,
  run?: Run,
): Promise<LoadedAgendas> {
  const { tenant } = actor
  const { anyVehicle, lesson_type_id, range, except = NIL, enrolment_id } = request
  const [refused, holidayOn] = await Promise.all([
    holidayCalendarOf(tenant, 'refuse'),
    holidayCalendarOf(tenant, 'warn'),
  ])
  const used = occupantsOf(lesson)
  const named = instructor_ids?.map((id) => ({ kind: 'instructor' as const, id })) ?? []
  const student_id = lesson.student_id ?? null
  const asked = {
    anyVehicle,
    lesson_type_id,
    range,
    except,
    occupants: [...named, ...used],
    everyInstructor: !instructor_ids,
    now: localNow(actor.now, tenant.timezone),
    search: { student_id, enrolment_id },
  }
  const stored = await loadCalendars(db, tenant, asked, run)
  const loaded = overlay ? overlay(stored) : stored
  const { of } = loaded
  if ((student_id && !loaded.learner) || (lesson_type_id && !loaded.lesson_type)) throw notFound()
  for (const one of [...named, ...used]) requireCalendar(of, one)
  const calendar = new SchoolCalendar(
    sourceOf(loaded, actor, { holidayOn: refused, instructor_id: instructor_ids?.[0] }),
  )
  for (const one of unstored) calendar.place(one)
  const choices = choicesIn(loaded, used, anyVehicle)
  return {
    ...loaded,
    learner: await withPapersForExam(db, tenant.id, loaded, except),
    calendar,
    lesson: { student_id, attendees: lesson.attendees },
    holidayOn,
    instructors: [...of.values()].filter(({ rules }) => rules),
    choices,
    usesThings: choices !== undefined,
  }
}

/** Adds the papers of the enrolment to the learner if the lesson is an exam. */
async function withPapersForExam(
  db: Database,
  tenantId: string,
  { learner, lesson_type }: Pick<Calendars, 'learner' | 'lesson_type'>,
  except: string,
): Promise<Calendars['learner']> {
  if (!learner?.enrolment_id || !lesson_type || !isExam(lesson_type.category)) return learner
  return { ...learner, papers: await readPapers(db, tenantId, learner.enrolment_id, except) }
}

function choicesIn(
  { of, learner }: Pick<Calendars, 'of' | 'learner'>,
  used: readonly Occupant[],
  anyVehicle: AgendasRequest['anyVehicle'],
): LoadedAgendas['choices'] {
  if (!anyVehicle) {
    const things = used.filter(({ kind }) => OCCUPANTS[kind].thing)
    return things.length > 0 ? [things] : undefined
  }
  const license_class = learner?.license_class ?? null
  return [...of.values()]
    .filter(({ thing, license_classes }) => thing && suitsClass(license_classes, license_class))
    .sort((a, b) => ((a.thing?.name ?? '') < (b.thing?.name ?? '') ? -1 : 1))
    .map(({ id }) => [{ kind: 'vehicle', id }])
}
