import { createUser } from '../auth/users.ts'
import { hireInstructor } from '../booking/change-instructor.ts'
import { enrolStudent } from '../booking/change-student.ts'
import { addVehicle } from '../booking/change-vehicle.ts'
import { commandActor } from '../booking/command-actor.ts'
import { createTenant } from '../booking/create-tenant.ts'
import type { Actor } from '../contract/actor.ts'
import type { Appointment } from '../contract/appointment.ts'
import type { Instructor } from '../contract/instructor.ts'
import type { LessonType } from '../contract/lesson-type.ts'
import type { LicenseClassTemplate } from '../contract/license-class-template.ts'
import type { Student } from '../contract/student.ts'
import type { Tenant } from '../contract/tenant.ts'
import type { Vehicle } from '../contract/vehicle.ts'
import { insertAppointments } from '../db/appointment-sets.ts'
import { listAppointments } from '../db/appointments.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { listInstructors } from '../db/instructors.ts'
import { type JsonList, PAGE_SIZE } from '../db/json-list.ts'
import { listLessonTypes } from '../db/lesson-types.ts'
import { listLicenseClassTemplates } from '../db/license-class-templates.ts'
import type { Database } from '../db/schema/tables.ts'
import { listStudents } from '../db/students.ts'
import { findTenant } from '../db/tenants.ts'
import { readVehicleRules } from '../db/vehicles.ts'
import { skyOf } from '../domain/daylight.ts'
import { type Day, dayOf, localDateTimeFor, weekStartOf } from '../domain/local-time.ts'
import { surroundingsOfWeek } from '../domain/surroundings.ts'
import { localNow } from '../domain/time-zone.ts'
import { type BookedLesson, bookWeek, type DemoSchool } from './lessons.ts'
import { DEMO_VEHICLES, demoInstructors, demoStudents } from './people.ts'
import { randomFrom } from './random.ts'

const TIMEZONE = 'Europe/Berlin'

const WEEKS_AROUND = 2

export const DEMO_EMAIL = 'office@demo.example'

/** The first instructor's login; it has the same password. */
export const DEMO_INSTRUCTOR_EMAIL = 'instructor@demo.example'

/** Creates the demo school and its people, without lessons. Returns the tenant's id. */
export async function createDemoSchool(db: DatabasePool, password: string, now: Date): Promise<string> {
  const actor = await createTenant(
    db,
    { command: 'demo', now },
    {
      name: 'Fahrschule Sonnenallee',
      country: 'DE',
      timezone: TIMEZONE,
      locale: 'de',
      phone: '+49 30 5550100',
      cancellation_terms: 'Bis 48 Stunden vorher kostenlos, danach die Hälfte.',
    },
  )
  const tenantId = actor.tenant.id
  await createUser(db, actor, { email: DEMO_EMAIL, name: 'Büro', password })
  const today = dayOf(localNow(now, TIMEZONE))
  const instructors: Instructor[] = []
  const cars = await addVehicles(db, actor)
  for (const [index, instructor] of demoInstructors(weekStartOf(today)).entries()) {
    const usual_vehicle_id = instructor.license_classes?.includes('B') ? (cars[index]?.id ?? null) : null
    instructors.push(await hireInstructor(db, actor, { ...instructor, usual_vehicle_id }))
  }
  await createInstructorLogin(db, actor, instructors[0], password)
  const templates = await listed<LicenseClassTemplate>(listLicenseClassTemplates(db, tenantId))
  const staffed = { instructors, templates: new Map(templates.map((one) => [one.code, one])) }
  for (const student of demoStudents(randomFrom(today), today, staffed)) {
    await enrolStudent(db, actor, student)
  }
  return tenantId
}

async function addVehicles(db: DatabasePool, actor: Actor): Promise<readonly Vehicle[]> {
  const vehicles: Vehicle[] = []
  for (const vehicle of DEMO_VEHICLES) vehicles.push(await addVehicle(db, actor, vehicle))
  return vehicles.filter(({ kind }) => kind === 'car')
}

async function createInstructorLogin(
  db: DatabasePool,
  actor: Actor,
  instructor: Instructor | undefined,
  password: string,
): Promise<void> {
  if (!instructor) throw new Error('the demo school has no instructors')
  const { id: instructor_id, first_name, last_name } = instructor
  const name = `${first_name} ${last_name}`
  await createUser(db, actor, {
    email: DEMO_INSTRUCTOR_EMAIL,
    name,
    password,
    role: 'instructor',
    instructor_id,
  })
}

/** Adds missing weeks of lessons around today. Takes and returns the Monday of the last week that exists. */
export async function appendWeeks(
  database: DatabasePool,
  tenantId: string,
  { now, lastWeek }: { now: Date; lastWeek: Day | undefined },
): Promise<Day> {
  const clock = localNow(now, TIMEZONE)
  const thisWeek = weekStartOf(dayOf(clock))
  const last = thisWeek + WEEKS_AROUND * 7
  const first = Math.max(thisWeek - WEEKS_AROUND * 7, (lastWeek ?? 0) + 7)
  if (first > last) return lastWeek ?? last
  const tenant = await findTenant(database, tenantId)
  if (!tenant) throw new Error('the demo school has vanished')
  const school = await readSchool(database, tenant, first)
  const lessons: BookedLesson[] = []
  for (let monday = first; monday <= last; monday += 7) {
    lessons.push(...bookWeek(school, { monday, now: clock, random: randomFrom(monday) }))
  }
  await inTransaction(database, (db) => insertAppointments(db, commandActor('demo', tenant, now), lessons))
  return last
}

/** Loads the school with the lessons that the new weeks must respect. */
async function readSchool(db: Database, tenant: Tenant, firstWeek: Day): Promise<DemoSchool> {
  const { id: tenantId, unit_minutes } = tenant
  const templates = await listed<LicenseClassTemplate>(listLicenseClassTemplates(db, tenantId))
  const lessonTypes = await listed<LessonType>(listLessonTypes(db, tenantId))
  const students = await listed<Student>(listStudents(db, tenantId))
  const instructors = await listed<Instructor>(listInstructors(db, tenantId))
  const from = localDateTimeFor(surroundingsOfWeek(firstWeek).start)
  const booked = await listed<Appointment>(listAppointments(db, tenantId, { from }))
  const classes = new Map(templates.map(({ id, license_class }) => [id, license_class]))
  return {
    unit_minutes,
    sky: skyOf(tenant),
    instructors,
    vehicles: new Map((await readVehicleRules(db, tenantId)).map((vehicle) => [vehicle.id, vehicle])),
    learners: students.map(({ id, license_class_template_id, preferred_instructor_id }, index) => ({
      id,
      instructor_id: preferred_instructor_id,
      license_class: classes.get(license_class_template_id ?? '') ?? 'B',
      stage: index / students.length,
    })),
    lessonTypes,
    booked,
  }
}

async function listed<Row>(list: JsonList): Promise<Row[]> {
  const { json } = await list.page({ limit: PAGE_SIZE * 10 })
  return JSON.parse(`[${json}]`)
}
