import { createUser } from '../auth/users.ts'
import { commandActor } from '../booking/command-actor.ts'
import { examRulesOf } from '../booking/packs/packs.ts'
import { hireInstructor } from '../booking/school/change-instructor.ts'
import { changeTenant } from '../booking/school/change-tenant.ts'
import { closeSchool } from '../booking/school/closures.ts'
import { createTenant } from '../booking/school/create-tenant.ts'
import { addLocation } from '../booking/school/locations.ts'
import { createScheduleRequest } from '../booking/school/schedule-requests.ts'
import { addVehicle } from '../booking/school/vehicles.ts'
import { writeAvailability } from '../booking/students/availability.ts'
import { enrolStudent } from '../booking/students/change-student.ts'
import { sendEnquiry, visitorActor } from '../booking/students/enquiries.ts'
import { addWish } from '../booking/students/wishes.ts'
import { changeOpeningBalance } from '../booking/trainings/credits.ts'
import { writeTick } from '../booking/trainings/ticks.ts'
import type { Actor } from '../contract/actor.ts'
import type { Appointment } from '../contract/appointment.ts'
import type { Closure } from '../contract/closure.ts'
import type { Enrolment } from '../contract/enrolment.ts'
import type { Instructor } from '../contract/instructor.ts'
import type { LessonType } from '../contract/lesson-type.ts'
import type { LicenseClassTemplate } from '../contract/license-class-template.ts'
import { newId } from '../contract/new-id.ts'
import type { ListedStudent, Student } from '../contract/student.ts'
import type { Tenant, TenantChange } from '../contract/tenant.ts'
import type { Vehicle } from '../contract/vehicle.ts'
import { insertAppointments } from '../db/appointments/appointment-sets.ts'
import { listAppointments } from '../db/appointments/appointments.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database } from '../db/schema/tables.ts'
import { listClosures } from '../db/school/closures.ts'
import { holidayCalendarOf } from '../db/school/holidays.ts'
import { listInstructors } from '../db/school/instructors.ts'
import { listLessonTypes } from '../db/school/lesson-types.ts'
import { listLicenseClassTemplates } from '../db/school/license-class-templates.ts'
import { findTenant, requireTenant } from '../db/school/tenants.ts'
import { listVehicles } from '../db/school/vehicles.ts'
import { listEnrolments } from '../db/students/enrolments.ts'
import { listStudents, listStudentsWithEnrolments } from '../db/students/students.ts'
import { darknessFor } from '../domain/daylight.ts'
import {
  type Day,
  dayOf,
  type LocalDate,
  localDateFor,
  localDateTimeFor,
  weekdayOf,
  weekStartOf,
} from '../domain/local-time.ts'
import { NO_MESSAGES } from '../domain/messages.ts'
import { randomFrom } from '../domain/random.ts'
import { surroundingsOfWeek } from '../domain/surroundings.ts'
import { localNow } from '../domain/time-zone.ts'
import { examinedIn, learnersOf, openingBalanceAt } from './learners.ts'
import { bookWeek, type DemoSchool, READY } from './lessons.ts'
import { listed } from './listed.ts'
import type { BookedLesson } from './outcomes.ts'
import { DEMO_ENQUIRIES, demoAnswer, demoInstructors, demoStudents, demoWish } from './people.ts'
import { branchOf, DEMO_LOCATIONS, DEMO_TRAVEL_MINUTES, demoClosure, demoVehicles } from './places.ts'

const AGES = examRulesOf('DE')

const TIMEZONE = 'Europe/Berlin'

const WEEKS_AROUND = 2
/** The share of the drives that the last week has: the rest waits to be planned. */
const SHARE_OF_LAST_WEEK = 0.1

/** The weeks since the last students enrolled; the first ones did twice as many before. */
const WEEKS_BEFORE = 8

export const DEMO_EMAIL = 'office@demo.example'

/** The login of the first instructor, with the same password. */
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
  const monday = weekStartOf(today)
  await changeTenant(db, actor, {
    change: { region: 'DE-BE', holidays: 'refuse', map_url: MAP_URL, ...WITH_STUDENTS },
    isExpected: () => true,
  })
  await closeSchool(db, actor, demoClosure(monday))
  const branches = await addBranches(db, actor)
  const instructors = await hireInstructors(db, actor, { monday, branches })
  await createInstructorLogin(db, actor, instructors[0], password)
  await reportSick(db, actor, { today, instructor_id: instructors[4]?.id ?? '' })
  await enrolStudents(db, actor, { today, instructors })
  await receiveEnquiries(db, tenantId, now)
  return tenantId
}

/** The settings for messages to students, actions on their page, and late cancellations. */
const WITH_STUDENTS: TenantChange = {
  messages: { booked: true, moved: true, cancelled: true, offer: true, link: true },
  student_actions: { confirm: true, cancel: true, wish: true, proof: 'birth_date' },
  students_may_move: true,
  enquiries: { enabled: true, slug: 'fahrschule-sonnenallee', classes: ['B', 'BF17', 'A'] },
  cancellation_policy: [{ categories: null, notice: { hours: 48 }, fee_percent: 50 }],
}

const MAP_URL = 'https://www.openstreetmap.org/search?query={place}'

/** Adds the branches and returns their ids. */
async function addBranches(db: DatabasePool, actor: Actor): Promise<readonly string[]> {
  const ids: string[] = []
  for (const location of DEMO_LOCATIONS) {
    const travel_minutes = Object.fromEntries(ids.map((id) => [id, DEMO_TRAVEL_MINUTES]))
    ids.push((await addLocation(db, actor, { ...location, travel_minutes })).id)
  }
  return ids
}

/** Adds vehicles and instructors; those who teach class B have a usual car. */
async function hireInstructors(
  db: DatabasePool,
  actor: Actor,
  { monday, branches }: { monday: Day; branches: readonly string[] },
): Promise<readonly Instructor[]> {
  const vehicles: Vehicle[] = []
  for (const vehicle of demoVehicles(monday, branches)) vehicles.push(await addVehicle(db, actor, vehicle))
  const cars = vehicles.filter(({ kind }) => kind === 'car')
  const instructors: Instructor[] = []
  for (const [index, instructor] of demoInstructors(monday).entries()) {
    const usual_vehicle_id = instructor.license_classes?.includes('B') ? (cars[index]?.id ?? null) : null
    const location_id = branches[branchOf(index)] ?? null
    instructors.push(await hireInstructor(db, actor, { ...instructor, usual_vehicle_id, location_id }))
  }
  return instructors
}

async function receiveEnquiries(db: DatabasePool, tenantId: string, now: Date): Promise<void> {
  const tenant = await requireTenant(db, tenantId)
  for (const enquiry of DEMO_ENQUIRIES) {
    const sent = { enquiry, language: 'de', form_id: newId(), url: undefined } as const
    await sendEnquiry(db, visitorActor(tenant, { now, set_id: newId() }), sent)
  }
}

/** Requests two days off from the next workday on. The office has not decided yet. */
async function reportSick(
  db: DatabasePool,
  actor: Actor,
  { today, instructor_id }: { today: Day; instructor_id: string },
): Promise<void> {
  const tomorrow = today + 1
  const start = weekdayOf(tomorrow) > 4 ? weekStartOf(tomorrow) + 7 : tomorrow
  await createScheduleRequest(db, actor, {
    instructor_id,
    start_date: localDateFor(start),
    end_date: localDateFor(start + 1),
    note: 'Liege mit Grippe im Bett, Krankschreibung folgt',
  })
}

async function enrolStudents(
  db: DatabasePool,
  actor: Actor,
  { today, instructors }: { today: Day; instructors: readonly Instructor[] },
): Promise<void> {
  const templates = await listed<LicenseClassTemplate>(
    listLicenseClassTemplates(db, actor.tenant.id, AGES, null),
  )
  const staffed = { instructors, templates: new Map(templates.map((one) => [one.code, one])) }
  for (const [index, student] of demoStudents(randomFrom(today), today, staffed).entries()) {
    const days = (WEEKS_BEFORE + (index % WEEKS_BEFORE)) * 7
    await enrolStudent(db, { ...actor, now: new Date(actor.now.getTime() - days * 86_400_000) }, student)
  }
  const before = localDateFor(weekStartOf(today) - WEEKS_AROUND * 7 - 3)
  for (const { id, stage, template } of learnersOf(
    await listed<Student>(listStudents(db, actor.tenant.id)),
    templates,
  )) {
    const balance = openingBalanceAt(stage, template, before)
    if (balance.length > 0) await changeOpeningBalance(db, actor, id, { balance, isExpected: () => true })
  }
  const lastWeek = localDateFor(weekStartOf(today) + WEEKS_AROUND * 7)
  const students = await listed<Student>(listStudents(db, actor.tenant.id))
  for (const learner of learnersOf(students, templates)) await enterPapers(db, actor, { ...learner, before })
  for (const [index, { id }] of students.entries()) {
    const wish = demoWish(index)
    if (wish) await addWish(db, actor, id, { wish })
    const answer = demoAnswer(index, lastWeek)
    if (answer) await writeAvailability(db, actor, { student_id: id, week_start: lastWeek }, () => answer)
  }
}

/** The papers of a student who has begun, in the order in which they come in; the later the stage, the more. */
const PAPERS = [
  'contract',
  'identity',
  'photo',
  'sight_test',
  'first_aid',
  'application',
  'approval',
] as const

/** The stage from which on students may be ready for the exam: papers that the school does not keep are not in the way. */
const WITHOUT_PAPERS = 0.5

async function enterPapers(
  db: DatabasePool,
  actor: Actor,
  { id, stage, before: date }: { id: string; stage: number; before: LocalDate },
): Promise<void> {
  const [enrolment] = await listed<Enrolment>(listEnrolments(db, actor.tenant.id, id))
  if (!enrolment || stage >= WITHOUT_PAPERS) return
  for (const kind of PAPERS.slice(0, Math.ceil(stage * 10)))
    await writeTick(db, actor, { enrolment_id: enrolment.id, kind }, { date })
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
  const school = await readSchool(database, tenant, { firstWeek: first, isNew: lastWeek === undefined })
  const lessons: BookedLesson[] = []
  for (let monday = first; monday <= last; monday += 7) {
    const share = monday === last ? SHARE_OF_LAST_WEEK : 1
    lessons.push(...bookWeek(school, { monday, now: clock, random: randomFrom(monday), share }))
  }
  // Hundreds of lessons at once send no messages.
  const actor = commandActor('demo', { ...tenant, messages: NO_MESSAGES }, now)
  await inTransaction(database, (db) => insertAppointments(db, actor, lessons))
  return last
}

/** Loads the school with the lessons that the new weeks must respect. In a new school the theory tests are still to come. */
async function readSchool(
  db: Database,
  tenant: Tenant,
  { firstWeek, isNew }: { firstWeek: Day; isNew: boolean },
): Promise<DemoSchool> {
  const { id: tenantId, unit_minutes } = tenant
  const templates = await listed<LicenseClassTemplate>(listLicenseClassTemplates(db, tenantId, AGES, null))
  const lessonTypes = await listed<LessonType>(listLessonTypes(db, tenantId))
  const students = await listed<ListedStudent>(
    listStudentsWithEnrolments(db, tenantId, { withEnrolments: true }),
  )
  const instructors = await listed<Instructor>(listInstructors(db, tenantId))
  const vehicles = await listed<Vehicle>(listVehicles(db, tenantId))
  const closures = await listed<Closure>(listClosures(db, tenantId))
  const from = localDateTimeFor(surroundingsOfWeek(firstWeek).start)
  const booked = await listed<Appointment>(listAppointments(db, tenantId, { from }))
  const learners = learnersOf(students, templates)
  const waiting = isNew ? learners.filter(({ stage }) => stage >= READY).map(({ id }) => id) : []
  return {
    unit_minutes,
    darkness: darknessFor(tenant),
    closed: { closures, holidayOn: await holidayCalendarOf(tenant, 'refuse') },
    instructors,
    vehicles: new Map(vehicles.map((vehicle) => [vehicle.id, vehicle])),
    learners,
    lessonTypes,
    untested: new Set(waiting),
    examined: examinedIn(booked, lessonTypes),
    booked,
  }
}
