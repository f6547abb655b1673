import fc from 'fast-check'
import type { Absence, CountedAppointment } from '../../src/domain/agenda.ts'
import { skippedFaultsFor } from '../../src/domain/appointment-times.ts'
import { play, type Script, scripts } from '../../src/domain/booking-script.test-support.ts'
import type { TestService } from './app.ts'
import { aSchool, type School } from './factory.ts'
import { type StoredLesson, storeLessons } from './stored-lessons.ts'

/** A school in which a script has been played for each instructor, all in the same two weeks. */
export type ScriptedSchool = {
  readonly school: School
  readonly monday: string
  readonly instructors: readonly string[]
  /** Two for each instructor. They also have lessons with inactive instructors. */
  readonly students: readonly string[]
}

const TIMEZONE = 'Europe/Berlin'

/** One to three scripts of the same two weeks. */
export const scriptsOfSchool: fc.Arbitrary<readonly Script[]> = fc
  .array(scripts, { minLength: 4, maxLength: 12, size: 'max' })
  .map((all) => all.filter(({ monday }) => monday === all[0]?.monday).slice(0, 3))

/** Makes a school with the units of the first script, and plays all scripts in it. */
export async function playedIn(service: TestService, all: readonly Script[]): Promise<ScriptedSchool> {
  const { unit_minutes = 45, monday = '' } = all[0] ?? {}
  const school = await aSchool(service, { unit_minutes, timezone: TIMEZONE })
  const students: string[] = []
  const instructors: string[] = []
  for (const { instructor: scripted, inherited, elsewhere, ...script } of all) {
    // Busy times come from calendars on other servers, not from a request.
    const { busy_times: _, ...instructor } = scripted
    const { id: __, ...rules } = instructor
    const absences = instructor.absences?.filter(exists)
    const { id } = await school.instructor({ ...rules, absences, license_classes: ['B'] })
    const pair = [(await school.student()).id, (await school.student()).id]
    const ofPair = (student: number | null) => (student === null ? null : (pair[student] ?? null))
    const { booked } = play({ ...script, unit_minutes, instructor, inherited, elsewhere })
    const lessons = [
      ...inherited.map((lesson) => stored(school, lesson, id, null)),
      ...booked.map(({ proposal, student }) => stored(school, proposal, id, ofPair(student))),
    ]
    for (const [student, others] of elsewhere.entries()) {
      const gone = await school.instructor({ active: false })
      lessons.push(...others.map((lesson) => stored(school, lesson, gone.id, ofPair(student))))
    }
    await storeLessons(service, school, lessons)
    students.push(...pair)
    instructors.push(id)
  }
  return { school, monday, instructors, students }
}

/** Returns whether the times exist. The API rejects absences with a time in the hour that is skipped in spring. */
function exists(absence: Absence): boolean {
  return skippedFaultsFor(absence, TIMEZONE).length === 0
}

function stored(
  { lessonTypes }: School,
  { start_at, end_at, counts_toward_limits }: CountedAppointment,
  instructor_id: string,
  student_id: string | null,
): StoredLesson {
  const lesson_type_id = (counts_toward_limits ? lessonTypes.PRACTICE : lessonTypes.CONSULTATION) ?? ''
  return { instructor_id, student_id, lesson_type_id, start_at, end_at, status: 'planned' }
}
