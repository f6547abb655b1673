import type { AvailableTime } from '../../src/domain/available-times.ts'
import { timesOfWish } from '../../src/domain/available-times.ts'
import { daysLater, localDateTimeFor } from '../../src/domain/local-time.ts'
import { type Random, randomFrom } from '../../src/domain/random.ts'
import type { TestService } from './app.ts'
import { must } from './client.ts'
import { aSchool, type Row, type School } from './factory.ts'
import { templateOf } from './trainer.ts'

/** Hours of a day in which a student can come, with the instructor whom the student wishes. */
export type StudentHours = AvailableTime & {
  readonly wish_id: string | null
  readonly instructor_id: string | null
}

/** A school with a week to plan, and the hours of each student in it. */
export type PlannedSchool = {
  readonly school: School
  readonly from: string
  readonly to: string
  readonly random: Random
  readonly hours: ReadonlyMap<string, readonly StudentHours[]>
}

type Making = { readonly school: School; readonly monday: string; readonly random: Random }

/** Makes a small school that has too few hours, with everything that a plan has to respect. */
export async function aPlannedSchool(
  service: TestService,
  { seed, monday }: { readonly seed: number; readonly monday: string },
): Promise<PlannedSchool> {
  const random = randomFrom(seed)
  const school = await aSchool(service)
  const days = random.pick([1, 2, 3, 5])
  const [from, to] = [monday, daysLater(monday, days - 1)]
  const making = { school, monday, random }
  if (random.chance(0.5)) must(200, await school.client.patch('/tenant', { holidays: 'refuse' }))
  const places = random.chance(0.5) ? await twoPlaces(school) : []
  const cars = await vehicles(making)
  const instructors: Row[] = []
  for (let count = random.pick([1, 2, 3]); count > 0; count -= 1)
    instructors.push(await anInstructor(making, { places, cars }))
  const hours = new Map<string, readonly StudentHours[]>()
  for (let count = random.pick([3, 6, 9]); count > 0; count -= 1) {
    const { id } = await aStudent(making, instructors)
    hours.set(id, await hoursOf(making, { id, instructors }))
  }
  await bookSome(making, { instructors, places, students: [...hours.keys()] })
  if (random.chance(0.3)) {
    const day = daysLater(monday, random.pick([0, 1, 2]))
    must(201, await school.client.post('/closures', { start_date: day, end_date: day }))
  }
  return { school, from, to, random, hours }
}

/** Makes a school in which two students with their own instructor have the hours that a third one needs whole. */
export function aSchoolOfTwoShortLessons(service: TestService, monday: string): Promise<PlannedSchool> {
  const needs = [
    { minutes: 45, time_from: '08:00', time_to: '08:45', isPreferred: true },
    { minutes: 45, time_from: '08:45', time_to: '09:30', isPreferred: true },
    { minutes: 90, time_from: '08:00', time_to: '09:30', isPreferred: false },
  ]
  // None of its lessons is dropped.
  return aSchoolOfOneInstructor(service, { monday, needs, random: { ...randomFrom(0), chance: () => false } })
}

/** Makes a school in which two students can come at the same time only. The lesson of one is dropped. */
export function aSchoolOfOneTime(service: TestService, monday: string): Promise<PlannedSchool> {
  const need = { minutes: 45, time_from: '08:00', time_to: '08:45', isPreferred: true }
  const random = { ...randomFrom(0), chance: () => true }
  return aSchoolOfOneInstructor(service, { monday, needs: [need, need], random })
}

type Need = Pick<StudentHours, 'minutes' | 'time_from' | 'time_to'> & { readonly isPreferred: boolean }

async function aSchoolOfOneInstructor(
  service: TestService,
  { monday, needs, random }: Omit<Making, 'school'> & { readonly needs: readonly Need[] },
): Promise<PlannedSchool> {
  const school = await aSchool(service)
  const { id } = await school.instructor()
  const hours = new Map<string, readonly StudentHours[]>()
  for (const { isPreferred, ...times } of needs) {
    const student = await school.student({ preferred_instructor_id: isPreferred ? id : null })
    const wish = must(201, await school.client.post(`/students/${student.id}/wishes`, times))
    hours.set(student.id, [{ date: monday, ...times, wish_id: wish.id, instructor_id: null }])
  }
  return { school, from: monday, to: monday, random, hours }
}

async function twoPlaces({ client }: School): Promise<readonly string[]> {
  const { id: north } = must(201, await client.post('/locations', { name: 'North' }))
  const travel_minutes = { [north]: 40 }
  const { id: south } = must(201, await client.post('/locations', { name: 'South', travel_minutes }))
  return [north, south]
}

async function vehicles({ school, monday, random }: Making): Promise<readonly string[]> {
  if (random.chance(0.5)) return []
  const ids: string[] = []
  for (const name of ['Golf', 'Polo']) {
    const times = { start_at: `${monday} 09:00`, end_at: `${monday} 11:30` }
    const absences = random.chance(0.3) ? [times] : []
    ids.push(must(201, await school.client.post('/vehicles', { name, kind: 'car', absences })).id)
  }
  return ids
}

type Things = { readonly places: readonly string[]; readonly cars: readonly string[] }

async function anInstructor({ school, monday, random }: Making, { places, cars }: Things): Promise<Row> {
  const max_daily_units = random.pick([null, 4, 6])
  const absence = { start_at: `${monday} 10:00`, end_at: `${monday} 11:00` }
  return school.instructor({
    first_name: random.pick(['Jonas', 'Kaya', 'Ole']),
    license_classes: random.pick([[], ['B'], ['B'], ['B'], ['B'], ['A']]),
    availability_windows: random.chance(0.15)
      ? []
      : [1, 2, 3, 4, 5]
          .filter(() => random.chance(0.85))
          .map((weekday) => ({
            weekday,
            start: random.pick(['08:00', '09:00', '09:10']),
            end: random.pick(['12:00', '14:00', '17:00']),
          })),
    max_daily_units,
    max_daily_override: max_daily_units && random.pick([null, max_daily_units + 1]),
    max_weekly_units: random.pick([null, null, 8]),
    required_break_minutes: random.pick([0, 0, 10, 15]),
    max_continuous_minutes: random.pick([null, 180]),
    absences: random.chance(0.3) ? [absence] : [],
    usual_vehicle_id: cars.length > 0 ? random.pick(cars) : null,
    location_id: places.length > 0 ? random.pick([...places, null]) : null,
  })
}

async function aStudent({ school, random }: Making, instructors: readonly Row[]): Promise<Row> {
  const template = await templateOf(school, 'B')
  const student = await school.student({
    license_class_template_id: random.chance(0.8) ? template : null,
    preferred_instructor_id: random.pick([null, ...instructors.map(({ id }) => id)]),
    lessons_per_week: random.pick([null, 0, 1, 1, 2, 3]),
  })
  const [enrolment] = must(200, await school.client.get(`/students/${student.id}/enrolments`))
  if (enrolment && random.chance(0.15)) {
    const change = { outcome: 'stopped', ends_on: enrolment.begins_on }
    must(200, await school.client.patch(`/enrolments/${enrolment.id}`, change))
  }
  return student
}

type Asking = { readonly id: string; readonly instructors: readonly Row[] }

/** Stores wishes of a student, or an answer for the week, and returns the hours. */
async function hoursOf(making: Making, asking: Asking): Promise<readonly StudentHours[]> {
  const { school, monday, random } = making
  const hours: StudentHours[] = []
  for (let count = random.pick([1, 1, 2]); count > 0; count -= 1) hours.push(...(await aWish(making, asking)))
  const week = `/students/${asking.id}/availability/${monday}`
  const lessons = random.pick([0, 1, 2])
  if (random.chance(0.3)) {
    const windows = [0, 1, 3].slice(0, lessons && random.pick([1, 2, 3])).map((days) => {
      return { date: daysLater(monday, days), ...timesFrom(random) }
    })
    must(200, await school.client.put(week, { lessons, windows }))
    return windows.map((one) => ({ ...one, wish_id: null, instructor_id: null }))
  }
  if (random.chance(0.2)) must(200, await school.client.put(week, { lessons, windows: null }))
  return hours
}

async function aWish(
  { school, monday, random }: Making,
  { id, instructors }: Asking,
): Promise<readonly StudentHours[]> {
  const wish = {
    ...timesFrom(random),
    weekdays: random.pick([null, [1], [1, 2], [2, 4], [3, 5]]),
    instructor_id: random.chance(0.2) ? random.pick(instructors).id : null,
  }
  const stored = must(201, await school.client.post(`/students/${id}/wishes`, wish))
  return timesOfWish(stored, monday).map((time) => {
    return { ...time, wish_id: stored.id, instructor_id: wish.instructor_id }
  })
}

function timesFrom(random: Random) {
  const minutes = random.pick([45, 45, 90, 100, 150])
  const start = random.pick([8 * 60, 9 * 60, 9 * 60, 9 * 60 + 10, 11 * 60])
  const end = start + minutes + random.pick([0, 15, 60, 120])
  const timeOf = (minute: number) => localDateTimeFor(minute).slice(11)
  return { minutes, time_from: timeOf(start), time_to: timeOf(end) }
}

type Booking = Pick<Things, 'places'> & {
  readonly instructors: readonly Row[]
  readonly students: readonly string[]
}

/** Books lessons at random times, as far as the rules allow it. */
async function bookSome(
  { school, monday, random }: Making,
  { instructors, places, students }: Booking,
): Promise<void> {
  for (let count = random.pick([0, 3, 8]); count > 0; count -= 1) {
    const day = daysLater(monday, random.pick([-3, 0, 0, 1, 2, 3]))
    const start = random.pick([32, 34, 37, 40, 44]) * 15
    const timeOf = (minute: number) => `${day} ${localDateTimeFor(minute).slice(11)}`
    const answer = await school.book({
      instructor_id: random.pick(instructors).id,
      student_id: random.pick([null, ...students]),
      start_at: timeOf(start),
      end_at: timeOf(start + random.pick([45, 60, 90])),
      location_id: places.length > 0 && random.chance(0.3) ? random.pick(places) : null,
    })
    if (answer.status !== 409) must(201, answer)
  }
}
