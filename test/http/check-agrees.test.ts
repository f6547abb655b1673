import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import type { Check } from '../../src/contract/check.ts'
import { intervalOf, overlaps } from '../../src/domain/interval.ts'
import { type Scene, scenes } from '../../src/web/lessons/random-school.test-support.ts'
import { type LessonDraft, missingFieldIn, type Rules, verdictFor } from '../../src/web/lessons/verdict.ts'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { playFurtherSchools } from '../support/further-schools.ts'
import { storeLessons } from '../support/stored-lessons.ts'

const service = useService()
const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)
const SCHOOLS = 20
const DRAFTS = 12
const EVERYTHING = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }

let school: School
const met = new Map<string, number>()

beforeAll(async () => {
  school = await aSchool(service())
})

/** Ids in the database by the names in the scenes. */
type Ids = ReadonlyMap<string, string>

/** Stores the scene's instructors, students and lessons, except lessons that the database would reject. */
async function settled({ school: rules, all }: Scene): Promise<Ids> {
  const ids = new Map([
    ['counted', school.lessonTypes.PRACTICE ?? ''],
    ['uncounted', school.lessonTypes.CONSULTATION ?? ''],
  ])
  for (const [name, { id: _, version: __, created_at, updated_at, ...rest }] of rules.instructor)
    ids.set(name, (await school.instructor(rest)).id)
  for (const name of ['lena', 'paul']) ids.set(name, (await school.student()).id)
  const taken: Appointment[] = []
  for (const one of all) {
    const isRival = (other: Appointment) =>
      overlaps(intervalOf(one), intervalOf(other)) &&
      (one.instructor_id === other.instructor_id ||
        (one.student_id !== null && one.student_id === other.student_id))
    if (one.status === 'cancelled' || !taken.some((other) => other.status !== 'cancelled' && isRival(other)))
      taken.push(one)
  }
  await storeLessons(
    service(),
    school,
    taken.map((one) => ({ ...one, ...named(one, ids) })),
  )
  return ids
}

/** Replaces the names in a lesson by ids. Its school has no vehicles, and only types with one seat. */
function named<T extends Pick<LessonDraft, 'instructor_id' | 'student_id' | 'lesson_type_id'>>(
  one: T,
  ids: Ids,
) {
  return {
    vehicle_ids: [],
    attendees: [],
    instructor_id: ids.get(one.instructor_id) ?? '',
    student_id: one.student_id === null ? null : (ids.get(one.student_id) ?? ''),
    lesson_type_id: ids.get(one.lesson_type_id) ?? '',
  }
}

/** Returns the browser's data after it has loaded everything. */
async function readBy(
  ids: Ids,
): Promise<{ readonly rules: Rules; readonly lessons: readonly Appointment[] }> {
  const { body } = await school.client.get('/bootstrap')
  const lessons: readonly Appointment[] = (await school.client.get('/appointments')).body
  const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((one) => [one.id, one]))
  const ours = new Set(ids.values())
  return {
    rules: { tenant: body.tenant, instructor: byId(body.instructors), lessonType: byId(body.lessonTypes) },
    lessons: lessons.filter(({ instructor_id }) => ours.has(instructor_id)),
  }
}

/** Returns the part that a check and a verdict share. */
function verdictIn({ refusals, overrides_used, load }: Check) {
  const asRefusals = refusals.map(({ code, params: { first_start_at: _, ...params } }) => ({ code, params }))
  return { refusals: asRefusals, overrides_used, load }
}

const worlds = fc.sample(scenes, { numRuns: SCHOOLS, seed: SEED })
const WANTED = ['allowed', 'instructor_busy', 'daily_limit_exceeded', 'continuous_minutes_exceeded']
const isCovered = () => WANTED.every((outcome) => met.has(outcome))

async function expectAgreement(scene: Scene, index: number): Promise<void> {
  const ids = await settled(scene)
  const { rules, lessons } = await readBy(ids)
  const movable = lessons.filter(({ status }) => status !== 'cancelled')
  const others = fc.sample(scenes, { numRuns: DRAFTS - 1, seed: SEED + index })
  for (const { id, ...wanted } of [scene, ...others].map(({ draft }) => draft)) {
    const moved = id === undefined ? undefined : movable[Number(id) % movable.length]
    const draft = { ...wanted, ...named(wanted, ids), ...(moved && { id: moved.id }) }
    const { id: appointment_id, ...body } = draft
    const answer = await school.client.post('/appointments/check', {
      ...body,
      ...(appointment_id && { appointment_id }),
    })
    const fault = missingFieldIn(draft, rules)
    const verdict = verdictFor(draft, { lessons, range: EVERYTHING }, rules)
    if (fault) expect([answer.status, answer.body.errors[0].code]).toEqual([400, fault])
    else {
      expect(answer.status, answer.text).toBe(200)
      expect({ ...verdictIn(answer.body), allowed: answer.body.allowed }).toEqual({
        refusals: verdict?.refusals,
        overrides_used: verdict?.overrides_used,
        load: verdict?.load,
        allowed: verdict?.refusals.length === 0,
      })
    }
    const outcome = fault ?? verdict?.refusals[0]?.code ?? 'allowed'
    met.set(outcome, (met.get(outcome) ?? 0) + 1)
  }
}

describe(`the verdict computed in the browser (RACE_SEED=${SEED})`, { timeout: 300_000 }, () => {
  it.each(worlds.map((scene, index) => ({ scene, index })))(
    'equals the result of the check route, in school $index',
    async ({ scene, index }) => await expectAgreement(scene, index),
  )

  it('is compared for allowed lessons and for three kinds of broken rules', async () => {
    await playFurtherSchools({ beyond: SCHOOLS, until: isCovered }, async (index) => {
      const [scene] = fc.sample(scenes, { numRuns: 1, seed: SEED + index })
      if (scene) await expectAgreement(scene, index)
    })
    expect([...met.keys()]).toEqual(expect.arrayContaining(WANTED))
  })
})
