import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Series } from '../../src/contract/series.ts'
import type { Script } from '../../src/domain/booking-script.test-support.ts'
import { minutesLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { playFurtherSchools } from '../support/further-schools.ts'
import { playedIn, type ScriptedSchool, scriptsOfSchool } from '../support/scripted-school.ts'

const service = useService()
const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)
const SCHOOLS = 10
const SERIES = 6

/** A series in a scripted school. People and lesson types are indexes into its lists. */
const askedSeries = fc.record({
  instructor: fc.nat(2),
  student: fc.option(fc.nat(5)),
  counts: fc.boolean(),
  quarter: fc.nat(9 * 96),
  minutes: fc.integer({ min: 1, max: 24 }).map((quarters) => 15 * quarters),
  step: fc.oneof(
    fc.record({ every_days: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ every_weeks: fc.integer({ min: 1, max: 2 }) }),
  ),
  count: fc.integer({ min: 2, max: 12 }),
  on_refusal: fc.constantFrom('skip', 'stop', 'shift'),
})
type AskedSeries = typeof askedSeries extends fc.Arbitrary<infer T> ? T : never

const met = { booked: 0, refused: new Set<string>(), alternatives: 0 }

function bodyOf({ school, monday, instructors, students }: ScriptedSchool, asked: AskedSeries) {
  const start_at = minutesLater(`${monday} 00:00`, 15 * asked.quarter)
  const appointment = {
    instructor_id: instructors[asked.instructor % instructors.length],
    student_id: asked.student === null ? null : students[asked.student % students.length],
    lesson_type_id: asked.counts ? school.lessonTypes.PRACTICE : school.lessonTypes.CONSULTATION,
    start_at,
    end_at: minutesLater(start_at, asked.minutes),
  }
  return { appointment, repeat: { ...asked.step, count: asked.count }, on_refusal: asked.on_refusal }
}

/** Returns the content of a series, without ids and times of the request: the minute may end between two requests. */
function told({ series_id, booked, refused }: Series): unknown {
  let text = JSON.stringify({ booked, refused }).replaceAll(series_id, 'series')
  for (const [index, { id }] of booked.entries()) text = text.replaceAll(id, `lesson ${index}`)
  return JSON.parse(text, (name, value) => (/^(now|created_at|updated_at)$/.test(name) ? 'then' : value))
}

const schools = fc.sample(scriptsOfSchool, { numRuns: SCHOOLS, seed: SEED })
// Chance decides which rules are broken, but they must not always be the same few.
const isCovered = () => met.booked > SCHOOLS && met.alternatives > SCHOOLS && met.refused.size > 3

async function expectAgreement(scripts: readonly Script[], index: number): Promise<void> {
  const scripted = await playedIn(service(), scripts)
  const { client } = scripted.school
  const all = async () => (await client.get('/appointments')).text
  for (const asked of fc.sample(askedSeries, { numRuns: SERIES, seed: SEED + index })) {
    const body = bodyOf(scripted, asked)
    const before = await all()
    const dry = await client.post('/appointments/series', { ...body, dry_run: true })
    expect(await all()).toBe(before)
    const real = await client.post('/appointments/series', body)
    // The first lesson would begin or end in the hour that is skipped in spring.
    if (dry.body.errors?.[0].code === 'skipped_time') {
      expect([dry.status, real.status]).toEqual([400, 400])
      continue
    }
    expect([dry.status, real.status], dry.text).toEqual([200, 200])
    expect(told(dry.body)).toEqual(told(real.body))
    for (const { instructor_id, start_at, end_at } of real.body.refused.at(-1)?.alternatives ?? []) {
      const { body: check } = await client.post('/appointments/check', {
        ...body.appointment,
        instructor_id,
        start_at,
        end_at,
      })
      expect(check.refusals).toEqual([])
      met.alternatives += 1
    }
    met.booked += real.body.booked.length
    for (const { refusals } of (real.body as Series).refused)
      for (const { code } of refusals) met.refused.add(code)
  }
}

describe(`a dry run of a series (RACE_SEED=${SEED})`, { timeout: 300_000 }, () => {
  it.each(schools.map((scripts, index) => ({ scripts, index })))(
    'predicts the result of the series and writes nothing in school $index',
    async ({ scripts, index }) => await expectAgreement(scripts, index),
  )

  it('covers enough bookings, alternatives and refusal codes', async () => {
    await playFurtherSchools({ beyond: SCHOOLS, until: isCovered }, async (index) => {
      const [scripts = []] = fc.sample(scriptsOfSchool, { numRuns: 1, seed: SEED + index })
      await expectAgreement(scripts, index)
    })
    expect(isCovered(), JSON.stringify({ ...met, refused: [...met.refused] })).toBe(true)
  })
})
