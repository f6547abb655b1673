import { v7 as uuidv7 } from 'uuid'
import { hashPassword } from '../auth/password.ts'
import { hireInstructor } from '../booking/change-instructor.ts'
import { enrolStudent } from '../booking/change-student.ts'
import type { Appointment } from '../contract/appointment.ts'
import type { Instructor } from '../contract/instructor.ts'
import type { LessonType } from '../contract/lesson-type.ts'
import type { LicenseClassTemplate } from '../contract/license-class-template.ts'
import type { Student } from '../contract/student.ts'
import { insertAppointments, listAppointments } from '../db/appointments.ts'
import { listInstructors } from '../db/instructors.ts'
import { type JsonList, PAGE_SIZE } from '../db/json-list.ts'
import { listLessonTypes } from '../db/lesson-types.ts'
import { listLicenseClassTemplates } from '../db/license-class-templates.ts'
import type { DatabasePool } from '../db/pool.ts'
import { listStudents } from '../db/students.ts'
import type { Database } from '../db/tables.ts'
import { findTenant } from '../db/tenants.ts'
import { insertUser } from '../db/users.ts'
import { type Day, dayOf, localDateFor, weekStartOf } from '../domain/local-time.ts'
import { localNow } from '../domain/time-zone.ts'
import { createTenant } from './create-tenant.ts'
import { type BookedLesson, bookWeek, type DemoSchool } from './demo-lessons.ts'
import { demoInstructors, demoStudents } from './demo-people.ts'
import { randomFrom } from './demo-random.ts'

const TIMEZONE = 'Europe/Berlin'

/** Weeks of lessons before and after the current one. */
const WEEKS_AROUND = 2

export const DEMO_EMAIL = 'office@demo.example'

/** Makes the demo school with its people; the lessons come with `appendWeeks`. Answers the tenant's id. */
export async function createDemoSchool(db: DatabasePool, password: string, now: Date): Promise<string> {
  const tenantId = await createTenant(db, {
    name: 'Fahrschule Sonnenallee',
    country: 'DE',
    timezone: TIMEZONE,
    locale: 'de',
  })
  const password_hash = await hashPassword(password)
  await insertUser(db, { id: uuidv7(), tenant_id: tenantId, email: DEMO_EMAIL, name: 'Büro', password_hash })
  const tenant = await findTenant(db, tenantId)
  if (!tenant) throw new Error('the demo school has vanished')
  const today = dayOf(localNow(now, TIMEZONE))
  for (const instructor of demoInstructors(weekStartOf(today))) await hireInstructor(db, tenant, instructor)
  const templates = await listed<LicenseClassTemplate>(listLicenseClassTemplates(db, tenantId))
  const templateIds = new Map(templates.map(({ code, id }) => [code, id]))
  for (const student of demoStudents(randomFrom(today), today, templateIds)) {
    await enrolStudent(db, tenantId, student)
  }
  return tenantId
}

/**
 * Adds the weeks of lessons that are missing around today and changes no row that is there. `lastWeek` is the Monday of
 * the last week that has been made; the new one is answered.
 */
export async function appendWeeks(
  db: Database,
  tenantId: string,
  { now, lastWeek }: { now: Date; lastWeek: Day | undefined },
): Promise<Day> {
  const clock = localNow(now, TIMEZONE)
  const thisWeek = weekStartOf(dayOf(clock))
  const last = thisWeek + WEEKS_AROUND * 7
  const first = Math.max(thisWeek - WEEKS_AROUND * 7, (lastWeek ?? 0) + 7)
  if (first > last) return lastWeek ?? last
  const school = await readSchool(db, tenantId, first)
  const lessons: BookedLesson[] = []
  for (let monday = first; monday <= last; monday += 7) {
    lessons.push(...bookWeek(school, { monday, now: clock, random: randomFrom(monday) }))
  }
  const rows = lessons.map(({ counts_toward_limits: _, ...lesson }) => lesson)
  await insertAppointments(db, tenantId, rows)
  return last
}

/** The school as it stands now, with the lessons that the new weeks have to respect. */
async function readSchool(db: Database, tenantId: string, firstWeek: Day): Promise<DemoSchool> {
  const tenant = await findTenant(db, tenantId)
  const templates = await listed<LicenseClassTemplate>(listLicenseClassTemplates(db, tenantId))
  const lessonTypes = await listed<LessonType>(listLessonTypes(db, tenantId))
  const students = await listed<Student>(listStudents(db, tenantId))
  const instructors = await listed<Instructor>(listInstructors(db, tenantId))
  const from = `${localDateFor(firstWeek - 14)} 00:00`
  const booked = await listed<Appointment>(listAppointments(db, tenantId, { from }))
  const classes = new Map(templates.map(({ id, license_class }) => [id, license_class]))
  const counting = new Map(lessonTypes.map(({ id, counts_toward_limits }) => [id, counts_toward_limits]))
  return {
    unit_minutes: tenant?.unit_minutes ?? 45,
    instructors,
    learners: students.map(({ id, license_class_template_id }, index) => ({
      id,
      license_class: classes.get(license_class_template_id ?? '') ?? 'B',
      stage: index / students.length,
    })),
    lessonTypes: new Map(lessonTypes.map((lessonType) => [lessonType.code, lessonType])),
    booked: booked.map((lesson) => ({
      ...lesson,
      counts_toward_limits: counting.get(lesson.lesson_type_id) ?? true,
    })),
  }
}

/** The whole of a list that is small enough for one page. */
async function listed<Row>(list: JsonList): Promise<Row[]> {
  const { json } = await list.page({ limit: PAGE_SIZE * 10 })
  return JSON.parse(`[${json}]`)
}
