import type { LocalDate } from './local-time.ts'
import type { RecordedInstructor, TrainingFacts } from './record-content.ts'
import { endGapsOf } from './record-end-gaps.ts'
import type { FoundGap, GapFacts, JudgedRecord, Overlap } from './record-facts.ts'
import {
  isPractice,
  isRecorded,
  isTheory,
  minutesOfRow,
  type RecordLesson,
  recordedLessons,
  startOf,
  tookPlace,
} from './record-lessons.ts'
import { isNamedBy } from './requirements.ts'
import { GAP_CODES, type GapCode, type GapSeverity, type RecordGap } from './training-record.ts'
import { actualIntervalOf, isDoubtful } from './worked.ts'

type Find = (about: GapFacts & { readonly rows: readonly RecordLesson[] }) => readonly FoundGap[]

/** Returns the gaps of a record in the order of their codes, then of the lessons. */
export function recordGapsOf(about: GapFacts): readonly RecordGap[] {
  const rows = recordedLessons(about.facts.lessons, about.facts.codes)
  const atEnd = endGapsOf(about)
  return GAP_CODES.flatMap((code) => {
    const { find, severity = 'defect' }: Rule = RULES[code] ?? {}
    const found = find ? find({ ...about, rows }) : atEnd.filter((one) => one.code === code)
    return found.map((one) => ({
      code,
      severity: one.severity ?? severity,
      params: one.params ?? {},
      appointment_id: one.appointment_id ?? null,
    }))
  })
}

type Rule = { readonly find?: Find; readonly severity?: GapSeverity }

const note = (find: Find): Rule => ({ find, severity: 'note' })
const defect = (find: Find): Rule => ({ find })
const once = (isGap: (record: JudgedRecord) => boolean): Rule =>
  defect(({ record }) => (isGap(record) ? [{}] : []))

/** The rule of each code; the others depend on the end of a part. */
const RULES: Readonly<Partial<Record<GapCode, Rule>>> = {
  school_address_missing: once(({ school }) => !school.address),
  responsible_missing: once(({ school }) => !school.responsible),
  address_missing: once(({ student }) => !student.address),
  birth_date_missing: once(({ student }) => student.birth_date === null),
  prior_classes_missing: once(({ prior_classes }) => prior_classes === null),
  instructor_number_missing: defect(unnumbered),
  cooperation_incomplete: once(
    ({ cooperation }) => cooperation !== null && !(cooperation.school && cooperation.address),
  ),
  still_planned: defect(stillPlanned),
  attendance_open: defect(withoutAttendance),
  topic_missing: defect(withoutTopic),
  topic_repeated: note(withRepeatedTopic),
  theory_day_exceeded: note(longTheoryDays),
  code_missing: defect(({ rows, facts, rules }) =>
    rules.form === null
      ? []
      : drivesIn(rows)
          .filter(({ code }) => facts.codes[code] === undefined)
          .map(gapAt),
  ),
  content_missing: note(({ rows, rules }) =>
    drivesIn(rows)
      .filter(({ practised }) => !practised?.trim())
      .map((one) => ({ ...gapAt(one), severity: rules.content })),
  ),
  actual_times_missing: note(({ rows }) =>
    drivesIn(rows)
      .filter((one) => !isTimed(one))
      .map(gapAt),
  ),
  actual_times_doubtful: note(({ rows }) => rows.filter((one) => isTimed(one) && isDoubtful(one)).map(gapAt)),
  overlap: defect(overlapping),
  several_students: defect(({ rows }) =>
    drivesIn(rows)
      .filter(({ students }) => students > 1)
      .map((one) => ({ ...gapAt(one), params: { ...paramsOf(one), students: one.students } })),
  ),
  instructor_not_qualified: defect(unqualified),
  check_drive_by_trainee: defect((about) =>
    checkDrives(about)
      .filter(({ lesson }) => lesson.by_trainee)
      .map(gapOf),
  ),
  check_drive_too_short: defect(shortCheckDrives),
  not_dark: note(({ rows, rules: { darkness } }) =>
    rows
      .filter((one) => one.only_in_the_dark && darkness?.isDark(actualIntervalOf(one)) === false)
      .map(gapAt),
  ),
  special_too_early: defect(earlySpecials),
}

function paramsOf(lesson: RecordLesson): { readonly date: LocalDate } {
  return { date: startOf(lesson).date }
}

function gapAt(lesson: RecordLesson): FoundGap {
  return { appointment_id: lesson.id, params: paramsOf(lesson) }
}

function drivesIn(rows: readonly RecordLesson[]): readonly RecordLesson[] {
  return rows.filter(isPractice)
}

function isTimed({ actual_start_at, actual_end_at }: RecordLesson): boolean {
  return actual_start_at !== null && actual_end_at !== null
}

function unnumbered({ record, facts }: GapFacts): readonly FoundGap[] {
  return record.instructors
    .filter(({ instructor_id }) => !instructorOf(facts, instructor_id)?.number)
    .map(({ instructor_id, name }) => ({ params: { instructor_id, name } }))
}

function instructorOf({ instructors }: TrainingFacts, id: string): RecordedInstructor | undefined {
  return instructors.find((one) => one.id === id)
}

function stillPlanned({ facts, rules }: GapFacts): readonly FoundGap[] {
  return facts.lessons
    .filter((one) => one.is_own && one.status === 'planned' && !tookPlace(one) && one.end_at <= rules.now)
    .filter((one) => isRecorded(one, facts.codes))
    .map(gapAt)
}

function withoutAttendance({ facts }: GapFacts): readonly FoundGap[] {
  return facts.lessons
    .filter((one) => one.is_own && one.status === 'missed' && one.attended === null)
    .filter((one) => isRecorded(one, facts.codes))
    .map(gapAt)
}

function withoutTopic({ rows, rules: { topic_types } }: Parameters<Find>[0]): readonly FoundGap[] {
  return rows
    .filter((one) => isTheory(one) && !one.topic?.trim())
    .filter(({ code }) => topic_types.includes(code))
    .map(gapAt)
}

function withRepeatedTopic({ rows }: Parameters<Find>[0]): readonly FoundGap[] {
  const seen = new Set<string>()
  return rows.filter(isTheory).flatMap((one) => {
    const about = `${one.lesson_type_id} ${one.topic}`
    const isRepeated = Boolean(one.topic) && seen.has(about)
    seen.add(about)
    return isRepeated ? [{ ...gapAt(one), params: { ...paramsOf(one), topic: one.topic } }] : []
  })
}

/** Returns a gap for each day with more theory than the law recommends, at the lesson that exceeds it. */
function longTheoryDays({ rows, facts, rules }: Parameters<Find>[0]): readonly FoundGap[] {
  const { theory_day_units: max_units, theory_unit_minutes } = rules
  if (max_units === null) return []
  const days = Map.groupBy(rows.filter(isTheory), (one) => startOf(one).date)
  return [...days].flatMap(([date, day]) => {
    let minutes = 0
    const exceeding = day.find((one) => {
      minutes += minutesOfRow(one, facts.timezone)
      return minutes > max_units * theory_unit_minutes
    })
    return exceeding ? [{ appointment_id: exceeding.id, params: { date, max_units } }] : []
  })
}

function overlapping({ rows, facts, overlaps: others }: Parameters<Find>[0]): readonly FoundGap[] {
  const besides = Map.groupBy([...overlapsAmong(facts.lessons), ...others], ({ id }) => id)
  return rows.flatMap((row) => {
    const beside = new Set((besides.get(row.id) ?? []).map((one) => one.with))
    return [...beside].map((id) => ({ appointment_id: row.id, params: { ...paramsOf(row), with: id } }))
  })
}

/** Returns the pairs of completed lessons that overlap, each in both orders. Compares each lesson only with those that begin before it ends. */
function overlapsAmong(lessons: readonly RecordLesson[]): readonly Overlap[] {
  const done = lessons
    .filter(({ status }) => status === 'completed')
    .map((one) => ({ id: one.id, ...actualIntervalOf(one) }))
    .toSorted((a, b) => a.start - b.start)
  const found: Overlap[] = []
  for (const [at, { id, end }] of done.entries()) {
    for (let next = at + 1; (done[next]?.start ?? end) < end; next += 1) {
      const other = done[next]?.id ?? ''
      found.push({ id, with: other }, { id: other, with: id })
    }
  }
  return found
}

function unqualified({ rows, facts }: Parameters<Find>[0]): readonly FoundGap[] {
  const { license_class } = facts
  return drivesIn(rows)
    .filter(
      ({ instructor_id }) => !instructorOf(facts, instructor_id)?.license_classes.includes(license_class),
    )
    .map((one) => ({
      ...gapAt(one),
      params: { ...paramsOf(one), instructor_id: one.instructor_id, license_class },
    }))
}

type CheckDrive = { readonly lesson: RecordLesson; readonly min_minutes: number | null }

/** Returns the drives toward requirements that a trainee may not teach. */
function checkDrives({ rows, facts }: Parameters<Find>[0]): readonly CheckDrive[] {
  return facts.requirements
    .filter(({ not_by_trainee }) => not_by_trainee)
    .flatMap((requirement) =>
      rows
        .filter((one) => isNamedBy(requirement, one))
        .map((lesson) => ({ lesson, min_minutes: requirement.min_minutes ?? null })),
    )
}

function gapOf({ lesson }: CheckDrive): FoundGap {
  return gapAt(lesson)
}

function shortCheckDrives(about: Parameters<Find>[0]): readonly FoundGap[] {
  return checkDrives(about).flatMap(({ lesson, min_minutes }) => {
    const minutes = minutesOfRow(lesson, about.facts.timezone)
    if (min_minutes === null || minutes >= min_minutes) return []
    return [{ ...gapAt(lesson), params: { ...paramsOf(lesson), minutes, min_minutes } }]
  })
}

const SPECIAL = 'special'

/** Returns the special drives before the units of practice after which the law allows them. */
function earlySpecials({ rows, facts, rules: { special } }: Parameters<Find>[0]): readonly FoundGap[] {
  if (!special) return []
  const { after_units, must } = special
  let units = 0
  return drivesIn(rows).flatMap((one) => {
    if (one.category !== SPECIAL) {
      units += Math.floor(minutesOfRow(one, facts.timezone) / facts.unit_minutes)
      return []
    }
    if (units >= after_units) return []
    return [
      {
        appointment_id: one.id,
        severity: must ? 'defect' : 'note',
        params: { ...paramsOf(one), done_units: units, after_units },
      } as const,
    ]
  })
}
