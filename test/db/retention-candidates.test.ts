// @module-tag rounds: each round has a random school

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { NIL } from 'uuid'
import { expect, it } from 'vitest'
import { readRetentionCandidates, readRetentionFacts } from '../../src/db/students/retention.ts'
import { daysLater, type LocalDate, minutesLater } from '../../src/domain/local-time.ts'
import {
  type RetentionRules,
  recentFrom,
  retentionVerdict,
  unendedEnrolments,
} from '../../src/domain/retention.ts'
import { drawn, pick, type RandomInteger, randomIntegers, SEED } from '../concurrency/random-integers.ts'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { rounds } from '../support/rounds.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const timezone = 'Europe/Berlin'
const STUDENTS = 40
const DAYS = ['2028-02-29', '2029-12-31', '2030-01-01', '2030-05-01', '2031-03-01']
const DE: RetentionRules = { record: { years: 5, from: 'end_of_year' }, other: { years: 5, from: 'day' } }
const RULES: readonly RetentionRules[] = [
  DE,
  { record: { years: 3, from: 'day' }, other: null },
  { record: { years: 2, from: 'day' }, other: { years: 4, from: 'end_of_year' } },
  { record: null, other: null },
]
const CASES = DAYS.flatMap((on) => RULES.map((rules) => ({ on, rules })))
/** The days on which a verdict may change, and those beside them. */
const BOUNDS = CASES.flatMap(({ on, rules }) =>
  Object.values(recentFrom(rules, on)).flatMap((day) => [-1, 0, 1].map((days) => daysLater(day, days))),
).filter((day) => day > '2000-01-02')

it('the students read for a preview include all whom it lists', async () => {
  for (let round = 0; round < rounds(8); round += 1) {
    const seed = SEED + round
    const school = await aSchool(service(), { timezone })
    const { students } = await aRandomSchool(school, randomIntegers(seed))
    for (const { on, rules } of CASES) {
      const candidates = new Set(await candidatesOf(school, rules, on))
      const facts = await readRetentionFacts(service().db, {
        tenantId: school.tenantId,
        timezone,
        on,
        ids: students,
      })
      expect(facts).toHaveLength(STUDENTS)
      const missed = facts.filter(
        (one) =>
          (retentionVerdict(one, rules, on) || unendedEnrolments(one, on).length > 0) &&
          !candidates.has(one.id),
      )
      expect({ seed, on, rules, missed }).toEqual({ seed, on, rules, missed: [] })
    }
  }
})

it('students with a recent lesson, alone or in a group, are not read for a preview', async () => {
  const school = await aSchool(service(), { timezone })
  const write = await writerFor(school)
  const [alone, grouped, idle] = [await write.student(), await write.student(), await write.student()]
  for (const id of [alone, grouped, idle])
    await write.enrolment(id, { id, ends_on: '2026-05-01', outcome: 'passed' })
  await write.lesson(alone, { day: '2026-04-30', enrolment_id: alone })
  await write.lesson(idle, { day: '2025-04-30', enrolment_id: idle })
  await write.group([{ student_id: grouped, attended: true, enrolment_id: grouped }], { day: '2026-04-30' })
  expect(await candidatesOf(school, DE, '2030-05-01')).toEqual([idle])
})

function candidatesOf({ tenantId }: School, rules: RetentionRules, on: LocalDate): Promise<string[]> {
  return readRetentionCandidates(service().db, { tenantId, ...recentFrom(rules, on) })
}

/** Writes students with enrolments and lessons, most of them on days on which a verdict may change. */
async function aRandomSchool(school: School, random: RandomInteger) {
  const write = await writerFor(school)
  const students: string[] = []
  const enrolled = new Map<string, readonly string[]>()
  const day = () => pick(BOUNDS, random) ?? ''
  const isOneIn = (number: number) => random(number) === 0
  for (let number = 0; number < STUDENTS; number += 1) {
    const id = await write.student({
      updated_at: `${day()} 12:00Z`,
      hold_reason: isOneIn(20) ? 'Dispute' : null,
      hold_until: isOneIn(2) ? day() : null,
      restriction: isOneIn(20) ? '{}' : null,
      deleted_at: isOneIn(8) ? '2030-01-01' : null,
    })
    students.push(id)
    const own: string[] = []
    for (const license_class of ['A', 'B', 'C'].slice(0, random(4))) {
      const [ends_on, isOpen] = [day(), isOneIn(3)]
      own.push(
        await write.enrolment(id, {
          license_class,
          begins_on: daysLater(ends_on, -random(400)),
          ...(!isOpen && { ends_on, outcome: 'stopped' }),
          is_current: own.length === 0 && !isOneIn(4),
          deleted_at: isOneIn(8) ? '2030-01-01' : null,
        }),
      )
    }
    enrolled.set(id, own)
    for (let hour = 6 + random(4); hour > 6; hour -= 1)
      await write.lesson(id, {
        ...someLesson(),
        hour,
        enrolment_id: pick([...own, ...own, null, NIL], random) ?? null,
      })
  }
  for (let hour = 6; hour < 18; hour += 1) {
    const attendees = students
      .filter(() => isOneIn(4))
      .map((student_id) => {
        const enrolment_id = pick([...(enrolled.get(student_id) ?? []), null], random) ?? null
        return { student_id, attended: !isOneIn(4), ...(!isOneIn(4) && { enrolment_id }) }
      })
    await write.group(attendees, { ...someLesson(), hour: hour + 6 })
  }
  return { students }

  function someLesson() {
    return {
      day: day(),
      status: drawn<string>(
        [
          [6, 'completed'],
          [1, 'planned'],
          [1, 'cancelled'],
          [1, 'no_show'],
        ],
        random,
      ),
      code: drawn(
        [
          [6, 'PRACTICE'],
          [1, 'PRACTICAL_EXAM'],
          [1, 'THEORY_EXAM'],
        ],
        random,
      ),
      deleted_at: isOneIn(8) ? '2030-01-01' : null,
    }
  }
}

type Given = Readonly<Record<string, unknown>>
type Lesson = { readonly day: LocalDate; readonly hour?: number; readonly code?: string } & Given

/** Returns functions that write rows of a school, each lesson with an instructor of its own, and return ids. */
async function writerFor(school: School) {
  const { tenantId, lessonTypes } = school
  const template_id = await templateOf(school, 'B')
  const insert = async (table: string, row: Given): Promise<string> => {
    const { id } = { id: randomUUID(), ...row }
    const all = Object.entries({ tenant_id: tenantId, ...row, id })
    await sql`insert into ${sql.table(table)} (${sql.join(all.map(([name]) => sql.ref(name)))})
      values (${sql.join(all.map(([, value]) => value))})`.execute(service().db)
    return String(id)
  }
  const person = async (kind: 'instructor' | 'student', row: Given) => {
    const id = await insert('calendars', { kind })
    return insert(`${kind}s`, { id, first_name: 'Lena', last_name: 'Vogt', ...row })
  }
  const book = async (row: Given, { day, hour = 9, code = 'PRACTICE', ...fields }: Lesson) => {
    const instructor_id = await person('instructor', {
      color: '#0072B2',
      license_classes: '{B}',
      required_break_minutes: 0,
      active: true,
    })
    const start_at = `${day} ${String(hour).padStart(2, '0')}:00`
    const times = { start_at, end_at: minutesLater(start_at, 60) }
    const lesson = {
      lesson_type_id: lessonTypes[code],
      title: 'Lesson',
      status: 'completed',
      overrides_used: '{}',
    }
    return insert('appointments', { instructor_id, ...times, ...lesson, ...fields, ...row })
  }
  return {
    student: (row: Given = {}) => person('student', row),
    enrolment: (student_id: string, row: Given) =>
      insert('enrolments', {
        student_id,
        template_id,
        license_class: 'B',
        begins_on: '2000-01-01',
        is_current: true,
        ...row,
      }),
    lesson: (student_id: string, lesson: Lesson) => book({ student_id }, lesson),
    group: (attendees: readonly object[], lesson: Lesson) =>
      book({ attendees: JSON.stringify(attendees), seats: STUDENTS }, lesson),
  }
}
