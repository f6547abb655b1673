import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import type { LeftOutLesson, PlannedLesson } from '../../contract/plan.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { Database } from '../../db/schema/tables.ts'
import type { StoredPlan } from '../../db/school/plans.ts'
import { availableMinutes, closedDaysIn, weeksIn } from '../../domain/numbers.ts'
import { lockedPlan } from '../../domain/plan.ts'
import type { PlanRefusal } from '../../domain/plan-board.ts'
import { problemOf } from '../../domain/plan-input.ts'
import { brokenIn, type MissingLesson, type PlanResult, resultOf } from '../../domain/plan-result.ts'
import { checkAppointment } from '../lessons/check-appointment.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { type LoadedProblem, loadProblem, type PlanQuery } from './load-problem.ts'
import { type StandingLessons, withLocked } from './locked-lessons.ts'
import type { PlanOrder } from './planner.ts'

type Made = Pick<StoredPlan, 'proposed' | 'left_out' | 'figures'>
type Query = PlanQuery & StandingLessons

/** The ways in which a request plans without holding up others of its school. */
export type PlanTurns = {
  readonly slicer: TimeSlicer
  /** Searches beside the requests of the school. */
  readonly search: (order: PlanOrder) => Promise<PlanResult>
  /** Does the rest in a new turn. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

/** Searches for lessons around those that stand. */
export async function lessonsFound(
  db: Database,
  actor: Actor,
  query: Query & { readonly effort: number; readonly seed: number },
  { slicer, search }: Pick<PlanTurns, 'slicer' | 'search'>,
): Promise<Making> {
  const loaded = await loadProblem(db, actor, { ...query, besides: query.lessons }, slicer)
  const lessons = query.lessons.filter(({ student_id }) => !loaded.isDeleted(student_id))
  const { input } = withLocked(loaded, { lessons, dropped: query.dropped })
  const { effort, seed } = query
  return { result: await search({ input, effort, seed }), loaded, lessons, query }
}

type Changed = Query & { readonly moved: ReadonlySet<string> }

/** Judges lessons that were changed by hand. Throws `not_found`, and the refusal of a moved one. */
export async function changedByHand(
  db: Database,
  actor: Actor,
  query: Changed,
  slicer: TimeSlicer,
): Promise<Made> {
  const loaded = await loadProblem(db, actor, { ...query, besides: query.lessons }, slicer)
  const standing = query.lessons.filter(({ student_id }) => !loaded.isDeleted(student_id))
  const lessons = standing.map((one): PlannedLesson => {
    if (!query.moved.has(one.id)) return one
    const [instructor] = loaded.lessonWith(one)?.instructors ?? []
    if (!instructor) throw notFound()
    return { ...one, vehicle_ids: [...instructor.vehicle_ids] }
  })
  const { input, wishOf } = withLocked(loaded, { lessons, dropped: query.dropped })
  const problem = problemOf(input)
  for (const [index, refusals] of brokenIn(problem)) {
    const id = input.locked[index]?.time.id
    if (id !== undefined && query.moved.has(id)) throw refusedMove(id, refusals)
  }
  const result = resultOf(await slicer.run(lockedPlan(problem)), problem)
  const placed = lessons.map((one) =>
    query.moved.has(one.id) ? { ...one, wish_id: wishOf(one)?.wish_id ?? null } : one,
  )
  const isOutside = (one: PlannedLesson) => query.moved.has(one.id) && wishOf(one) === undefined
  return madeFrom(
    db,
    actor,
    { result, loaded, lessons: placed, query, isOutside, moved: query.moved },
    slicer,
  )
}

function refusedMove(id: string, refusals: readonly PlanRefusal[]): Problem {
  const [first] = refusals
  if (!first) throw new Error('a broken lesson has a refusal')
  return new Problem(first.code, {
    params: { ...first.params, proposed_id: id },
    refusals: refusals as never,
  })
}

type Making = {
  readonly result: PlanResult
  readonly loaded: LoadedProblem
  readonly lessons: readonly PlannedLesson[]
  readonly query: Query
  readonly moved?: ReadonlySet<string>
  readonly isOutside?: (lesson: PlannedLesson) => boolean
}

/** Returns a plan as stored: lessons that stood keep their ids, and new ones get warnings. */
export async function madeFrom(
  db: Database,
  actor: Actor,
  { result, loaded, lessons, query, moved = new Set(), isOutside = () => false }: Making,
  slicer: TimeSlicer,
): Promise<Made> {
  const keyOf = ({ student_id, start_at }: Pick<PlannedLesson, 'student_id' | 'start_at'>) =>
    `${student_id} ${start_at}`
  const known = new Map(lessons.map((one) => [keyOf(one), one]))
  const all: PlannedLesson[] = []
  for (const one of result.proposed) {
    await slicer.pause()
    const stood = known.get(keyOf(one))
    const lesson = {
      id: newId(),
      is_locked: false,
      warnings: [],
      ...one,
      vehicle_ids: [...one.vehicle_ids],
      ...stood,
    }
    const isNew = !stood || moved.has(stood.id)
    const warnings = isNew ? await warningsFor(db, actor, lesson, slicer) : lesson.warnings
    const outside = isOutside(lesson) ? [{ code: 'outside_wish' as const, params: {} }] : []
    all.push({ ...lesson, score: one.score, warnings: [...warnings, ...outside] })
  }
  const left_out = [
    ...result.left_out.map((one) => leftOut(one, (position) => all[position]?.id ?? '')),
    ...withoutLesson(loaded),
  ]
  return {
    proposed: all.toSorted((a, b) => compare(a.start_at, b.start_at) || compare(a.id, b.id)),
    left_out,
    figures: await figuresOf(result, { loaded, query, slicer }),
  }
}

function leftOut(
  { instead_of, reason, ...lesson }: MissingLesson,
  idOf: (position: number) => string,
): LeftOutLesson {
  const ids = instead_of.map(idOf)
  const inTheWay = reason.code === 'taken' ? ids[0] : ids
  const params = ids.length > 0 ? { ...reason.params, instead_of: inTheWay } : { ...reason.params }
  return { ...lesson, reason: { code: reason.code as LeftOutLesson['reason']['code'], params } }
}

function withoutLesson({ input, withoutHours }: LoadedProblem): readonly LeftOutLesson[] {
  const unknown = { wish_id: null, lesson_type_id: null, minutes: 0 }
  const enough = input.asks
    .filter(({ lessons, booked }) => lessons === 0 && booked > 0)
    .map(({ student_id, windows: [window] }) => ({
      student_id,
      wish_id: window?.wish_id ?? null,
      lesson_type_id: window?.types[0]?.lesson_type_id ?? null,
      minutes: window?.minutes ?? 0,
      reason: { code: 'enough_booked' as const, params: {} },
    }))
  const without = withoutHours.map((student_id) => {
    return { student_id, ...unknown, reason: { code: 'no_window' as const, params: {} } }
  })
  return [...enough, ...without]
}

async function warningsFor(
  db: Database,
  actor: Actor,
  { id: _, wish_id: __, warnings: ___, is_locked: ____, score: _____, ...lesson }: PlannedLesson,
  slicer: TimeSlicer,
): Promise<PlannedLesson['warnings']> {
  return (await checkAppointment(db, actor, lesson, slicer)).warnings
}

type Figuring = { readonly loaded: LoadedProblem; readonly query: Query; readonly slicer: TimeSlicer }

async function figuresOf(
  { figures: { minutes_of, ...figures } }: PlanResult,
  { loaded: { input, instructorIds }, query: { from, to }, slicer }: Figuring,
): Promise<StoredPlan['figures']> {
  const weeks = weeksIn({ from, to })
  const closed = await slicer.run(
    closedDaysIn({ from, to }, { closures: input.closures, holidayOn: (date) => input.holidays.get(date) }),
  )
  const instructors: StoredPlan['figures']['instructors'] = []
  for (const instructor_id of instructorIds) {
    const rules = input.calendars.get(instructor_id)?.rules
    const available = rules && (await slicer.run(availableMinutes({ rules, closed }, weeks)))
    const available_minutes = available ? [...available.values()].reduce((sum, one) => sum + one, 0) : null
    instructors.push({ instructor_id, minutes: minutes_of[instructor_id] ?? 0, available_minutes })
  }
  return { ...figures, instructors }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
