import type { Database } from '../db/schema/tables.ts'
import { readInstructors } from '../db/school/instructors.ts'
import { readVehicleRules } from '../db/school/vehicles.ts'
import type { InstructorRules, ThingRules } from '../domain/agenda.ts'
import { type Verdict, verdictOn } from '../domain/booking.ts'
import { proposalFor } from '../domain/counted.ts'
import type { Interval } from '../domain/interval.ts'
import { calendarOf } from '../domain/listed-calendar.ts'
import { dayOf, type LocalDateTime, localDateFor, weekStartOf } from '../domain/local-time.ts'
import { calendarIdsOf, OCCUPANTS, occupantsOf } from '../domain/occupants.ts'
import { containsStretch, readUntilComplete, surroundingsOfWeek } from '../domain/surroundings.ts'
import type { Fact, Report } from './finding.ts'
import { nextStart, readRuleTimes, readStanding, type WrittenAppointment } from './week.ts'

const BEGINNING: LocalDateTime = '2000-01-01 00:00'

type School = { readonly id: string; readonly unit_minutes: number }

type Rules = {
  readonly unit_minutes: number
  readonly instructors: ReadonlyMap<string, InstructorRules>
  readonly things: ReadonlyMap<string, ThingRules>
  /** The time at which the rules of an instructor or vehicle were last written, by id. */
  readonly writtenAt: ReadonlyMap<string, number>
  readonly lessonTypes: ReadonlyMap<
    string,
    { readonly counts_toward_limits: boolean; readonly seats: number }
  >
}

type Lessons = {
  readonly surroundings: Interval
  readonly of: ReadonlyMap<string, readonly WrittenAppointment[]>
}

/** Checks every counted lesson of a school against the rules, a week at a time. `onRead` receives the number of lessons checked. */
export async function checkRules(
  db: Database,
  school: School,
  { report, onRead }: { readonly report: Report; readonly onRead: (lessons: number) => void },
): Promise<void> {
  const rules = await rulesOf(db, school)
  for (let start = await nextStart(db, school.id, BEGINNING); start; ) {
    const monday = weekStartOf(dayOf(start))
    const [from, to] = [localDateFor(monday), localDateFor(monday + 7)]
    const lessons = await lessonsIn(db, school.id, surroundingsOfWeek(monday))
    const ofWeek = [...lessons.of.values()].flat().filter(({ start_at }) => from <= start_at && start_at < to)
    const asked = [...new Set(ofWeek)]
    for (const lesson of asked) {
      const around = await withCompleteStretch(db, school.id, { lesson, lessons, rules })
      for (const fact of factsAbout(lesson, around, rules)) report(school.id, fact)
    }
    onRead(asked.length)
    start = await nextStart(db, school.id, `${to} 00:00`)
  }
}

async function rulesOf(db: Database, { id, unit_minutes }: School): Promise<Rules> {
  const instructors = await readInstructors(db, id)
  const lessonTypes = await db
    .selectFrom('lesson_types')
    .select(['id', 'counts_toward_limits', 'seats'])
    .where('tenant_id', '=', id)
    .execute()
  return {
    unit_minutes,
    instructors: new Map(instructors.map((instructor) => [instructor.id, instructor])),
    things: new Map((await readVehicleRules(db, id)).map((vehicle) => [vehicle.id, vehicle])),
    writtenAt: await readRuleTimes(db, id),
    lessonTypes: new Map(lessonTypes.map((lessonType) => [lessonType.id, lessonType])),
  }
}

async function lessonsIn(db: Database, tenantId: string, surroundings: Interval): Promise<Lessons> {
  const of = new Map<string, WrittenAppointment[]>()
  for (const lesson of await readStanding(db, tenantId, surroundings)) {
    for (const id of calendarIdsOf([lesson])) {
      const known = of.get(id)
      if (known) known.push(lesson)
      else of.set(id, [lesson])
    }
  }
  return { surroundings, of }
}

async function withCompleteStretch(
  db: Database,
  tenantId: string,
  { lesson, lessons, rules }: { lesson: WrittenAppointment; lessons: Lessons; rules: Rules },
): Promise<Lessons> {
  const read = async (surroundings: Interval) =>
    surroundings === lessons.surroundings ? lessons : lessonsIn(db, tenantId, surroundings)
  return readUntilComplete(lessons.surroundings, read, (around, surroundings) => {
    const agenda = agendaAround(lesson, lessonsSharingCalendars(lesson, around), rules)
    return !agenda || containsStretch(agenda, lesson, surroundings)
  })
}

function lessonsSharingCalendars(lesson: WrittenAppointment, { of }: Lessons): readonly WrittenAppointment[] {
  return [...new Set(calendarIdsOf([lesson]).flatMap((id) => of.get(id) ?? []))]
}

/** Returns the agenda around a lesson; undefined if its instructor does not exist. */
function agendaAround(
  lesson: WrittenAppointment,
  appointments: readonly WrittenAppointment[],
  { unit_minutes, instructors, things, lessonTypes }: Rules,
) {
  const rules = instructors.get(lesson.instructor_id)
  const listed = { unit_minutes, rulesOf: () => ({ rules }), things, lessonTypes, appointments }
  return rules && calendarOf(listed, lesson.id).agendaFor(lesson)
}

function verdictBeside(
  lesson: WrittenAppointment,
  appointments: readonly WrittenAppointment[],
  rules: Rules,
): Verdict | undefined {
  const agenda = agendaAround(lesson, appointments, rules)
  return agenda && verdictOn(proposalFor(lesson, rules.lessonTypes), agenda)
}

/** Returns overlaps and broken rules; `booked_against_rules` only if the log proves that the rules are older than the lesson. */
function factsAbout(lesson: WrittenAppointment, lessons: Lessons, rules: Rules): readonly Fact[] {
  const around = lessonsSharingCalendars(lesson, lessons)
  const now = verdictBeside(lesson, around, rules)
  if (!now || (now.refusals.length === 0 && isNoted(now, lesson))) return []
  const ruled = occupantsOf(lesson).filter(({ kind }) => OCCUPANTS[kind].calendar !== 'student')
  const isProven = ruled.every(({ id }) => (rules.writtenAt.get(id) ?? 0) < lesson.asked_at)
  const about = { resource: 'appointment', resource_id: lesson.id }
  const conflicts = now.refusals.flatMap((refusal): readonly Fact[] =>
    isConflict(refusal) && isEarlier(refusal.params, lesson) ? [{ ...about, ...refusal }] : [],
  )
  const broken = isProven ? refusalsWhenAsked(lesson, around, rules) : now.refusals
  const code = isProven ? 'booked_against_rules' : 'breaks_rule_now'
  const overrides = isProven ? overridesWhenAsked(lesson, around, rules) : []
  return [
    ...conflicts,
    ...broken
      .filter((refusal) => !isConflict(refusal))
      .map(({ code: rule, params }) => ({ ...about, code, params: { rule, numbers: params } }) as const),
    ...overrides
      .filter((override) => !lesson.overrides_used.includes(override))
      .map((override) => ({ ...about, code: 'override_not_noted', params: { override } }) as const),
  ]
}

/** Returns the refusals at the time of booking. Orders bookings in the same millisecond by id. */
function refusalsWhenAsked(
  lesson: WrittenAppointment,
  around: readonly WrittenAppointment[],
  rules: Rules,
): Verdict['refusals'] {
  const { id, asked_at } = lesson
  const stood = around.filter(
    (other) => other.asked_at < asked_at || (other.asked_at === asked_at && other.id < id),
  )
  return verdictBeside(lesson, stood, rules)?.refusals ?? []
}

function overridesWhenAsked(
  lesson: WrittenAppointment,
  around: readonly WrittenAppointment[],
  rules: Rules,
): Verdict['overrides_used'] {
  const stood = around.filter(({ asked_at }) => asked_at < lesson.asked_at)
  return verdictBeside(lesson, stood, rules)?.overrides_used ?? []
}

function isNoted({ overrides_used }: Verdict, lesson: WrittenAppointment): boolean {
  return overrides_used.every((override) => lesson.overrides_used.includes(override))
}

type Refusal = Verdict['refusals'][number]
type Conflict = Extract<Refusal, { code: `${string}_busy` }>

function isConflict(refusal: Refusal): refusal is Conflict {
  return refusal.code.endsWith('_busy')
}

/** Whether the other of two overlapping lessons is earlier: only the later one is reported. */
function isEarlier(rival: Conflict['params'], { id, start_at }: WrittenAppointment): boolean {
  return rival.start_at < start_at || (rival.start_at === start_at && (rival.appointment_id ?? '') < id)
}
