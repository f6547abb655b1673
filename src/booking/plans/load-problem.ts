import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import type { PlannedLesson } from '../../contract/plan.ts'
import { notFound } from '../../contract/problem.ts'
import { readTaughtLessonTypes } from '../../db/appointments/affected-appointments.ts'
import { readFleet, type SchoolFleet } from '../../db/appointments/fleet.ts'
import { loadCalendars, type TaughtLessonType } from '../../db/calendars/calendars.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readInstructors } from '../../db/school/instructors.ts'
import { readTravelTimes } from '../../db/school/locations.ts'
import { listStudentsToPlan, readPlacesOfLessons } from '../../db/school/planned-students.ts'
import type { StoredPlan } from '../../db/school/plans.ts'
import { availabilityIn } from '../../db/students/availability.ts'
import { readTrainings } from '../../db/students/progress.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import { policyOfChoices } from '../../domain/absence.ts'
import { darknessFor } from '../../domain/daylight.ts'
import { dayOf, daysLater, localDateFor, midnightOf, mondayOf } from '../../domain/local-time.ts'
import { weeksIn } from '../../domain/numbers.ts'
import { occupantsOf } from '../../domain/occupants.ts'
import { asksOf, drivesIn, type PlannedStudent, type StudentWindow } from '../../domain/plan-asks.ts'
import type { PlanInput } from '../../domain/plan-input.ts'
import type { PlanAsk, PlanInstructor, PlanLessonType } from '../../domain/plan-problem.ts'
import { progressOf, type RequirementProgress, type Training } from '../../domain/progress.ts'
import { MAX_PLANNED_STUDENTS } from '../../domain/ranges.ts'
import { localNow } from '../../domain/time-zone.ts'
import { teachesClassOf } from '../../domain/warnings.ts'
import { holidaysAround } from '../holidays-around.ts'
import { surroundingsOfRange } from '../lessons/find-slots.ts'
import type { TimeSlicer } from '../time-slicer.ts'

export type PlanQuery = Pick<
  StoredPlan,
  'from' | 'to' | 'instructor_ids' | 'student_ids' | 'weights' | 'overrides'
>

export type LoadedProblem = {
  readonly input: PlanInput
  /** The students who were named and have no hours in the range. */
  readonly withoutHours: readonly string[]
  readonly instructorIds: readonly string[]
  /** Returns the lesson type with an instructor as the plan sees it; undefined if one of them is unknown. */
  readonly lessonWith: (lesson: LessonNames) => PlanLessonType | undefined
  readonly isDeleted: (student_id: string) => boolean
}

type LessonNames = {
  readonly student_id: string
  readonly instructor_id: string
  readonly lesson_type_id: string
}

type Besides = {
  /** Lessons that are proposed already. */
  readonly besides?: readonly PlannedLesson[]
  /** Students who may be deleted since. */
  readonly others?: readonly string[]
}

const EXAM_DAYS = 14

/** Loads what a plan is made from, with the calendars of further people and vehicles. Throws `not_found`. */
export async function loadProblem(
  db: Database,
  actor: Actor,
  { besides = [], others = [], ...query }: PlanQuery & Besides,
  slicer: TimeSlicer,
): Promise<LoadedProblem> {
  const { tenant } = actor
  const range = { from: query.from, to: query.to }
  const { students, trainings } = await studentsOf(db, actor, query)
  const planning = students.map(({ student_id }) => student_id)
  const ids = [...new Set([...planning, ...besides.map((one) => one.student_id), ...others])]
  const [lessonTypes, instructors, fleet, travelTimes] = await Promise.all([
    readTaughtLessonTypes(db, tenant.id),
    readInstructors(db, tenant.id),
    readFleet(db, tenant.id, ids),
    readTravelTimes(db, tenant.id),
  ])
  const known = new Map(instructors.map((one) => [one.id, one]))
  if (query.instructor_ids?.some((id) => !known.has(id))) throw notFound()
  const named = query.instructor_ids && new Set(query.instructor_ids)
  const planned = instructors.filter(({ id, active }) => named?.has(id) ?? active)
  const preferred = new Map(students.map((one) => [one.student_id, one.preferred_instructor_id]))
  const types = new PlannedTypes({ lessonTypes, fleet, instructors: planned, trainings })
  const asks: PlanAsk[] = []
  const withoutHours: string[] = []
  const darkness = darknessFor(tenant)
  for (const student of students) {
    await slicer.pause()
    const open = openOf(trainings.get(student.student_id), tenant.unit_minutes)
    const typesFor = (window: StudentWindow, lessons: number) => {
      const drives = drivesIn(window, open, { lessonTypes, unit_minutes: tenant.unit_minutes, darkness })
      const wished = lessonTypes.get(window.wish?.lesson_type_id ?? '')
      const taught = wished ? [wished] : drives.slice(0, Math.max(1, lessons))
      return taught.map((type) => types.of(type, student, window.wish?.instructor_id ?? null))
    }
    const own = asksOf(student, { range, typesFor })
    asks.push(...own)
    if (own.length === 0 && query.student_ids) withoutHours.push(student.student_id)
  }
  const occupants = [
    ...besides.flatMap(occupantsOf),
    ...occupantsOf({ vehicle_ids: [...types.vehicles] }),
    ...planned.map(({ id }) => ({ kind: 'instructor' as const, id })),
    ...ids.map((id) => ({ kind: 'student' as const, id })),
  ]
  const around = surroundingsOfRange({
    start: midnightOf(dayOf(query.from)),
    end: midnightOf(dayOf(query.to) + 1),
  })
  const request = {
    occupants,
    range: around,
    others: { start: midnightOf(dayOf(query.from) - 1), end: midnightOf(dayOf(query.to) + 2) },
    lesson_type_id: null,
    except: NIL,
    now: localNow(actor.now, tenant.timezone),
    search: { student_id: null },
  }
  const { of, closures, shortest_minutes } = await loadCalendars(db, tenant, request, (steps) =>
    slicer.run(steps),
  )
  const homes = new Map(instructors.map(({ id, location_id }) => [id, location_id]))
  return {
    input: {
      asks,
      locked: [],
      calendars: of,
      unit_minutes: tenant.unit_minutes,
      closures,
      busy_calendars: policyOfChoices(tenant.busy_calendars),
      holidays: await holidaysAround(actor, { first: dayOf(query.from) - 1, last: dayOf(query.to) + 1 }),
      place: { latitude: tenant.latitude, longitude: tenant.longitude, timezone: tenant.timezone },
      shortest_minutes: shortest_minutes ?? tenant.unit_minutes,
      travelTimes,
      locations:
        travelTimes.length > 0 ? await readPlacesOfLessons(db, tenant.id, { ...range, homes }) : new Map(),
      weights: query.weights,
      with_overrides: query.overrides,
    },
    withoutHours,
    instructorIds: planned.map(({ id }) => id),
    lessonWith: ({ student_id, instructor_id, lesson_type_id }) => {
      const type = lessonTypes.get(lesson_type_id)
      const instructor = known.get(instructor_id)
      if (!type || !instructor) return undefined
      const preferred_instructor_id = preferred.get(student_id) ?? null
      return types.with(type, { student_id, preferred_instructor_id }, [instructor])
    },
    isDeleted: (id) => {
      const student = of.get(id)
      return !student || student.deleted || student.archived_at !== undefined
    },
  }
}

type Planned = PlannedStudent & { readonly preferred_instructor_id: string | null }

async function studentsOf(
  db: Database,
  { tenant }: Actor,
  { from, to, student_ids }: PlanQuery,
): Promise<{ readonly students: readonly Planned[]; readonly trainings: ReadonlyMap<string, Training> }> {
  if (student_ids?.length === 0) return { students: [], trainings: new Map() }
  const weeks = weeksIn({ from, to }).map(({ first }) => mondayOf(localDateFor(first)))
  const rows = await listStudentsToPlan(db, {
    tenantId: tenant.id,
    zone: tenant.timezone,
    from,
    first: mondayOf(from),
    end: daysLater(mondayOf(to), 7),
    exams_until: daysLater(from, EXAM_DAYS),
    ids: student_ids,
    limit: MAX_PLANNED_STUDENTS,
  })
  const ids = rows.map(({ student_id }) => student_id)
  const known = new Set(ids)
  if (student_ids?.some((id) => !known.has(id))) throw notFound()
  const [wishes, answers, trainings] = await Promise.all([
    listWishesOf(db, tenant.id, ids),
    availabilityIn(db, tenant.id, weeks),
    readTrainings(db, tenant.id, ids),
  ])
  const wishesOf = Map.groupBy(wishes, ({ student_id }) => student_id)
  const answersOf = Map.groupBy(answers, ({ student_id }) => student_id)
  const students = rows.map((row) => ({
    ...row,
    wishes: wishesOf.get(row.student_id) ?? [],
    availability: answersOf.get(row.student_id) ?? [],
  }))
  return { students, trainings }
}

function openOf(training: Training | undefined, unitMinutes: number): readonly RequirementProgress[] {
  if (!training) return []
  return progressOf(training, unitMinutes).requirements.filter(({ open_units }) => open_units > 0)
}

type Teacher = {
  readonly id: string
  readonly license_classes: readonly string[]
  readonly location_id: string | null
}

type Learner = { readonly student_id: string; readonly preferred_instructor_id: string | null }

type Teaching = {
  readonly lessonTypes: ReadonlyMap<string, TaughtLessonType>
  readonly fleet: SchoolFleet
  readonly instructors: readonly Teacher[]
  readonly trainings: ReadonlyMap<string, Training>
}

/** The lesson types of a plan, one for all students with the same class and preference. */
class PlannedTypes {
  readonly #teaching: Teaching
  readonly #known = new Map<string, PlanLessonType>()
  readonly vehicles = new Set<string>()

  constructor(teaching: Teaching) {
    this.#teaching = teaching
  }

  /** Returns a type with all who teach the student's class, or with the wished instructor alone. */
  of(type: TaughtLessonType, learner: Learner, wished: string | null): PlanLessonType {
    const { instructors } = this.#teaching
    const license_class = this.#classOf(learner)
    const teachers = instructors.filter(
      ({ id, license_classes }) =>
        wished === id || (wished === null && teachesClassOf(license_classes, { license_class })),
    )
    return this.with(type, learner, teachers)
  }

  with(type: TaughtLessonType, learner: Learner, teachers: readonly Teacher[]): PlanLessonType {
    const { fleet } = this.#teaching
    const { student_id, preferred_instructor_id } = learner
    const instructors = teachers.map(({ id: instructor_id, location_id }): PlanInstructor => {
      const vehicle_ids = fleet.vehiclesFor({ instructor_id, lesson_type_id: type.id, student_id })
      for (const id of vehicle_ids) this.vehicles.add(id)
      return { instructor_id, is_own: instructor_id === preferred_instructor_id, vehicle_ids, location_id }
    })
    const key = JSON.stringify([type.id, instructors])
    const made = {
      lesson_type_id: type.id,
      counts_toward_limits: type.counts_toward_limits,
      only_in_the_dark: type.only_in_the_dark,
      instructors,
    }
    const known = this.#known.get(key) ?? made
    this.#known.set(key, known)
    return known
  }

  #classOf({ student_id }: Learner): string | null {
    return this.#teaching.trainings.get(student_id)?.license_class ?? null
  }
}
