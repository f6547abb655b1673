import type { CountedAppointment } from './agenda.ts'
import { instructorWith } from './agenda-builder.test-support.ts'
import type { OwnCalendar } from './lesson-agenda.ts'
import { dayOf, localDateTimeFor, midnightOf } from './local-time.ts'
import type { Occupant } from './occupants.ts'
import type { PlanAsk, PlanProblem } from './plan-problem.ts'
import { randomFrom } from './random.ts'

const MONDAY = '2026-05-04'

/** Invents a school of a size and the wishes of its students for five days. */
export function inventedWeek(
  { instructors, students, days = 5 }: { instructors: number; students: number; days?: number },
  seed: number,
): PlanProblem {
  const random = randomFrom(seed)
  const first = dayOf(MONDAY)
  const calendars = new Map<string, OwnCalendar>()
  const ids = Array.from({ length: instructors }, (_, index) => `i${index}`)
  for (const id of ids) {
    const from = random.pick([7, 8, 9, 12])
    const rules = instructorWith({
      id,
      availability_windows: [1, 2, 3, 4, 5].map((weekday) => ({
        weekday,
        start: `${String(from).padStart(2, '0')}:00`,
        end: `${String(from + random.pick([8, 9])).padStart(2, '0')}:00`,
      })),
      max_daily_units: random.pick([null, 8, 9, 10]),
      max_weekly_units: random.pick([null, 36, 40, 44]),
      required_break_minutes: random.pick([0, 5, 10, 15]),
      max_continuous_minutes: random.pick([null, 270, 360]),
    })
    const appointments: CountedAppointment[] = []
    for (let day = 0; day < days; day += 1)
      for (const hour of [9, 13, 15])
        if (random.chance(0.3)) {
          const start = midnightOf(first + day) + hour * 60 + random.pick([0, 15, 30])
          appointments.push({
            id: `${id} ${start}`,
            start_at: localDateTimeFor(start),
            end_at: localDateTimeFor(start + random.pick([45, 90])),
            counts_toward_limits: true,
          })
        }
    calendars.set(id, { rules, appointments })
  }
  const asks = Array.from({ length: students }, (_, index): PlanAsk => {
    const student_id = `s${index}`
    calendars.set(student_id, { appointments: [], open_appointments: 0 })
    const own = random.pick(ids)
    const open = ids.filter((id) => id === own || random.chance(0.4))
    const minutes = random.pick([45, 90, 90, 135])
    const type = {
      lesson_type_id: 'PRACTICE',
      counts_toward_limits: true,
      only_in_the_dark: false,
      instructors: open.map((instructor_id) => ({
        instructor_id,
        is_own: instructor_id === own,
        vehicle_ids: [],
        location_id: null,
      })),
    }
    const windows = Array.from({ length: days }, (_, day) => day)
      .filter(() => random.chance(0.5))
      .map((day) => {
        const start = midnightOf(first + day) + random.pick([7, 8, 10, 13, 15]) * 60
        const end = start + random.pick([3, 4, 6]) * 60
        return { wish_id: `w${index}`, start, end, minutes, types: [type] }
      })
    return {
      student_id,
      lessons: random.chance(0.15) ? 2 : 1,
      booked: 0,
      waited_weeks: random.next() * 5,
      has_exam: random.chance(0.05),
      windows,
    }
  })
  return {
    asks,
    locked: [],
    calendars: { unit_minutes: 45, find: ({ id }: Occupant) => calendars.get(id) },
    timezone: 'Europe/Berlin',
    darkness: undefined,
    shortest_minutes: 45,
    travelTimes: [],
    locations: new Map(),
    weights: { waiting: 1, full_days: 1, own_instructor: 1 },
    with_overrides: false,
  }
}
