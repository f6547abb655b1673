import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AvailableTime, DAYS_OF_WEEK } from '../../src/domain/available-times.ts'
import { daysLater, localDateTimeFor, minuteOf } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { playFurtherSchools } from '../support/further-schools.ts'
import { rounds } from '../support/rounds.ts'
import { playedIn, scriptsOfSchool } from '../support/scripted-school.ts'

const service = useService()
const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)
const SCHOOLS = rounds(8)
const STEP = 15

const met = { possible: 0, impossible: 0 }

const windowsIn = (monday: string): fc.Arbitrary<readonly AvailableTime[]> =>
  fc.array(
    fc
      .record({
        days: fc.constantFrom(...DAYS_OF_WEEK),
        from: fc.integer({ min: 24, max: 83 }).map((quarters) => quarters * 15),
        odd: fc.constantFrom(0, 0, 5),
        length: fc.constantFrom(45, 90, 120, 180),
        minutes: fc.constantFrom(45, 90),
      })
      .filter(({ length, minutes }) => length >= minutes)
      .map(({ days, from, odd, length, minutes }) => {
        const timeOf = (minute: number) => localDateTimeFor(minute).slice(11)
        const [time_from, time_to] = [timeOf(from + odd), timeOf(from + odd + length)]
        return { date: daysLater(monday, days), time_from, time_to, minutes }
      }),
    { minLength: 4, maxLength: 4 },
  )

/** Checks each quarter of an hour with each instructor, and books the first time that no rule refuses. */
async function isBookable(
  world: Awaited<ReturnType<typeof playedIn>>,
  window: AvailableTime,
): Promise<boolean> {
  const { client, lessonTypes } = world.school
  const [first, last] = [window.time_from, window.time_to].map((time) => minuteOf(`${window.date} ${time}`))
  const begin = Math.ceil(Number(first) / STEP) * STEP
  for (let start = begin; start + window.minutes <= Number(last); start += STEP)
    for (const instructor_id of world.instructors) {
      const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(start + window.minutes) }
      const lesson = {
        instructor_id,
        student_id: world.students[0],
        lesson_type_id: lessonTypes.PRACTICE,
        ...times,
      }
      const check = must(200, await client.post('/appointments/check', lesson))
      if (!check.allowed || check.overrides_used.length > 0) continue
      const { id } = must(201, await client.post('/appointments', lesson))
      must(204, await client.delete(`/appointments/${id}`))
      return true
    }
  return false
}

async function expectAgreement(index: number): Promise<void> {
  const [scripts = []] = fc.sample(scriptsOfSchool, { numRuns: 1, seed: SEED + index })
  const monday = scripts[0]?.monday ?? ''
  service().setClock(new Date(`${daysLater(monday, -2)}T12:00:00Z`))
  const world = await playedIn(service(), scripts)
  const [windows = []] = fc.sample(windowsIn(monday), { numRuns: 1, seed: SEED + index })
  const path = `/students/${world.students[0]}/availability/${monday}`
  const { fits, windows: stored } = must(200, await world.school.client.put(path, { lessons: 1, windows }))
  for (const [at, window] of (stored as AvailableTime[]).entries()) {
    const isPossible = await isBookable(world, window)
    expect([window, fits[at].possible]).toEqual([window, isPossible])
    met[isPossible ? 'possible' : 'impossible'] += 1
  }
}

const isCovered = () => met.possible > 3 && met.impossible > 3

describe(`the times of a week and booking (RACE_SEED=${SEED})`, { timeout: 300_000, tags: 'rounds' }, () => {
  it('agree on which times are possible', async () => {
    for (let index = 0; index < SCHOOLS; index += 1) await expectAgreement(index)
    await playFurtherSchools({ beyond: SCHOOLS, until: isCovered }, expectAgreement)
    expect(isCovered(), JSON.stringify(met)).toBe(true)
  })
})
