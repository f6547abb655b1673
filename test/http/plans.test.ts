import { beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { beginPlanning, endPlanning, markApplying } from '../../src/db/school/plans.ts'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
/** Friday, 08:00 in Berlin. */
const NOW = new Date('2026-05-01T06:00:00Z')
const RANGE = { from: '2026-05-04', to: '2026-05-08' }
const MONDAY = '2026-05-04'
let school: School
let kaya: Row

beforeEach(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
  kaya = await school.instructor({
    availability_windows: [{ weekday: 1, start: '08:00', end: '12:00' }],
    license_classes: ['B'],
  })
})

async function student(first_name: string, wish: object = {}): Promise<Row> {
  const made = await school.student({ first_name, license_class_template_id: await templateOf(school, 'B') })
  must(201, await school.client.post(`/students/${made.id}/wishes`, { minutes: 90, weekdays: [1], ...wish }))
  return made
}

const plan = (fields: object = {}): Promise<Answer> => school.client.post('/plans', { ...RANGE, ...fields })
const read = (id: string): Promise<Answer> => school.client.get(`/plans/${id}`)
const reasonsIn = ({ left_out }: Row) =>
  (left_out as { student_id: string; reason: object }[]).map(({ student_id, reason }) => ({
    student_id,
    ...reason,
  }))

describe('a plan', () => {
  it('proposes lessons and gives a reason for those that are missing, but books nothing', async () => {
    const students = [await student('Ben'), await student('Mia'), await student('Tim')]
    const answer = await plan()
    const made = must(201, answer)
    expect(answer.headers.get('location')).toBe(`/api/v1/plans/${made.id}`)
    expect(made).toMatchObject({
      ...RANGE,
      state: 'draft',
      instructor_ids: null,
      student_ids: null,
      overrides: false,
      weights: { waiting: 1, full_days: 1, own_instructor: 1 },
      effort: 3,
      seed: 1,
      broken: [],
      version: 1,
      actor: { kind: 'user', id: school.user.id },
    })
    expect(made.proposed).toHaveLength(2)
    expect(made.left_out).toHaveLength(1)
    const [missing] = reasonsIn(made)
    const planned = made.proposed.map(({ student_id }: Row) => student_id)
    expect([...planned, missing?.student_id].toSorted()).toEqual(students.map(({ id }) => id).toSorted())
    expect(missing).toMatchObject({ code: 'taken', params: { instructor_id: kaya.id } })
    const inTheWay = made.proposed.map(({ id }: Row) => id)
    expect(inTheWay).toContain((missing as unknown as { params: Row }).params.instead_of)
    expect(made.figures).toMatchObject({
      lessons: 2,
      minutes: 180,
      wished_minutes: 270,
      instructors: [{ instructor_id: kaya.id, minutes: 180, available_minutes: 240 }],
    })
    expect(must(200, await school.client.get('/appointments?from=2026-05-04&to=2026-05-11'))).toEqual([])
    expect(must(200, await read(made.id))).toEqual(made)
    expect(must(200, await school.client.get('/plans'))).toEqual([made])
  })

  it('is the same for the same data, effort and seed', async () => {
    for (const name of ['Ben', 'Mia', 'Tim', 'Zoe']) await student(name)
    const [one, other] = [must(201, await plan()), must(201, await plan())]
    const times = ({ proposed }: Row) =>
      (proposed as Row[]).map(({ student_id, start_at }) => ({ student_id, start_at }))
    expect(times(one)).toEqual(times(other))
  })

  it("stands by a student's answer for the week, the number of lessons, and what is booked", async () => {
    const ben = await student('Ben')
    const window = { date: MONDAY, time_from: '10:00', time_to: '11:30', minutes: 45 }
    const week = `/students/${ben.id}/availability/${MONDAY}`
    must(200, await school.client.put(week, { lessons: 1, windows: [window] }))
    const [lesson] = must(201, await plan()).proposed
    expect(lesson).toMatchObject({ student_id: ben.id, wish_id: null })
    expect([lesson.start_at >= `${MONDAY} 10:00`, lesson.end_at <= `${MONDAY} 11:30`]).toEqual([true, true])
    must(200, await school.client.put(week, { lessons: 0, windows: [] }))
    expect(must(201, await plan())).toMatchObject({ proposed: [], left_out: [] })
    must(204, await school.client.delete(week))
    await school.lesson({
      instructor_id: kaya.id,
      student_id: ben.id,
      start_at: `${MONDAY} 08:00`,
      end_at: `${MONDAY} 09:30`,
    })
    expect(reasonsIn(must(201, await plan()))).toMatchObject([{ student_id: ben.id, code: 'enough_booked' }])
    must(200, await school.client.patch(`/students/${ben.id}`, { lessons_per_week: 2 }))
    const more = must(201, await plan())
    expect(more.proposed).toMatchObject([{ student_id: ben.id }])
  })

  it('proposes the special drives that are open before ordinary practice', async () => {
    await student('Ben', { weekdays: null })
    must(
      200,
      await school.client.patch(`/instructors/${kaya.id}`, {
        availability_windows: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '20:00' })),
      }),
    )
    const [lesson] = must(201, await plan()).proposed
    const special = [school.lessonTypes.RURAL, school.lessonTypes.MOTORWAY]
    expect(special).toContain(lesson.lesson_type_id)
  })

  it('names students without hours only if they were asked for, and those whom nobody teaches', async () => {
    const none = await school.student({ first_name: 'Ida' })
    const away = await student('Ben', { weekdays: [7] })
    const made = must(201, await plan({ student_ids: [none.id, away.id], to: '2026-05-10' }))
    expect(reasonsIn(made)).toMatchObject([
      { student_id: away.id, code: 'no_instructor', params: {} },
      { student_id: none.id, code: 'no_window', params: {} },
    ])
  })

  it('is refused for days that have begun, for too many, and for unknown people', async () => {
    const faults = async (fields: object) =>
      must(400, await plan(fields)).errors.map(({ pointer, code }: Row) => `${pointer} ${code}`)
    expect(await faults({ from: '2026-05-01' })).toEqual(['/from too_early'])
    expect(await faults({ to: '2026-05-03' })).toEqual(['/to wrong_order'])
    expect(await faults({ to: '2026-05-18' })).toEqual(['/to too_long'])
    expect(await faults({ effort: 11, weights: { waiting: 4 } })).toEqual(
      ['/weights/waiting', '/effort'].map((at) => `${at} out_of_range`),
    )
    const unknown = ['0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b99']
    expect((await plan({ student_ids: unknown })).status).toBe(404)
    expect((await plan({ instructor_ids: unknown })).status).toBe(404)
  })

  it('is for the office, not for instructors', async () => {
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: kaya.id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    expect((await client.post('/plans', RANGE)).status).toBe(403)
    expect((await client.get('/plans')).status).toBe(403)
  })
})

describe('a draft', () => {
  let made: Row & { readonly proposed: readonly Row[] }
  const change = (fields: object): Promise<Answer> => school.client.patch(`/plans/${made.id}`, fields)
  const replan = (fields: object = {}): Promise<Answer> =>
    school.client.post(`/plans/${made.id}/replan`, fields)

  beforeEach(async () => {
    for (const name of ['Ben', 'Mia', 'Tim']) await student(name)
    made = must(201, await plan())
  })

  it('keeps locked lessons when it is planned again, and drops stay away until they are forgotten', async () => {
    const [first, second] = made.proposed
    const locked = must(200, await change({ lock: [first?.id] }))
    expect(locked.proposed).toMatchObject([{ is_locked: true }, { is_locked: false }])
    const dropped = must(200, await change({ drop: [second?.id] }))
    expect(dropped.proposed).toMatchObject([{ id: first?.id }])
    const [missing] = reasonsIn(dropped)
    expect(missing).toMatchObject({ code: 'free_now', params: { instructor_id: kaya.id } })
    const again = must(200, await replan({ seed: 5 }))
    expect(again.seed).toBe(5)
    const planned = again.proposed.map(({ student_id }: Row) => student_id)
    expect(planned).toContain(first?.student_id)
    expect(planned).not.toContain(second?.student_id)
    expect(again.proposed).toHaveLength(2)
    const forgotten = must(200, await replan({ forget: true }))
    expect(forgotten.proposed).toHaveLength(2)
    expect(forgotten.left_out).toHaveLength(1)
    must(200, await change({ unlock: [first?.id] }))
  })

  it('moves lessons together where the rules allow it, and names the rule otherwise', async () => {
    const [first, second] = made.proposed as readonly [Row, Row]
    const swapped = must(
      200,
      await change({
        move: [
          { id: first.id, start_at: second.start_at },
          { id: second.id, start_at: first.start_at },
        ],
      }),
    )
    expect(swapped.proposed).toMatchObject([
      { id: second.id, start_at: first.start_at, is_locked: true },
      { id: first.id, start_at: second.start_at, is_locked: true },
    ])
    const refused = await change({ move: [{ id: first.id, start_at: first.start_at }] })
    expect(must(409, refused)).toMatchObject({ code: 'instructor_busy', params: { proposed_id: first.id } })
    const early = await change({ move: [{ id: first.id, start_at: `${MONDAY} 06:00` }] })
    expect(must(409, early)).toMatchObject({ code: 'outside_availability' })
    const elsewhere = await change({ move: [{ id: first.id, start_at: '2026-05-12 08:00' }] })
    expect(must(400, elsewhere).errors).toMatchObject([{ pointer: '/move/0/start_at', code: 'out_of_range' }])
    expect(must(200, await read(made.id)).proposed).toEqual(swapped.proposed)
  })

  it('warns of a lesson that was moved out of its hours', async () => {
    must(200, await school.client.patch(`/instructors/${kaya.id}`, { availability_windows: [] }))
    const [first] = made.proposed
    const moved = must(200, await change({ move: [{ id: first?.id, start_at: '2026-05-05 08:00' }] }))
    const one = moved.proposed.find(({ id }: Row) => id === first?.id)
    expect(one).toMatchObject({ wish_id: null, is_locked: true })
    expect(one.warnings).toContainEqual({ code: 'outside_wish', params: {} })
  })

  it('refuses doubled and unknown changes, and another version', async () => {
    const [first] = made.proposed
    expect(must(200, await change({})).version).toBe(made.version)
    const twice = await change({ lock: [first?.id], drop: [first?.id] })
    expect(must(400, twice).errors).toMatchObject([{ code: 'duplicate' }])
    expect((await change({ lock: [made.id] })).status).toBe(404)
    const nobody = { id: first?.id, start_at: first?.start_at, instructor_id: made.id }
    expect((await change({ move: [nobody] })).status).toBe(404)
    const stale = await school.client.patch(`/plans/${made.id}`, { lock: [first?.id] }, { 'if-match': '"9"' })
    expect(stale.status).toBe(412)
  })

  it('is outdated once a lesson no longer fits, and loses deleted students', async () => {
    const [first, second] = made.proposed as readonly [Row, Row]
    must(
      201,
      await school.client.post('/closures', { start_date: MONDAY, end_date: MONDAY, note: 'Works outing' }),
    )
    const outdated = must(200, await read(made.id))
    expect(outdated).toMatchObject({
      state: 'outdated',
      broken: [
        { id: first.id, refusals: [{ code: 'school_closed' }] },
        { id: second.id, refusals: [{ code: 'school_closed' }] },
      ],
    })
    expect(must(200, await school.client.get('/plans'))).toMatchObject([{ state: 'outdated' }])
    expect(must(409, await school.client.post(`/plans/${made.id}/apply`, { as: 'booked' }))).toMatchObject({
      code: 'plan_outdated',
      params: { broken: outdated.broken },
    })
    must(204, await school.client.delete(`/students/${first.student_id}`))
    expect(must(200, await read(made.id)).proposed).toMatchObject([{ id: second.id }])
  })

  it('is discarded, and ends 14 days after its last day', async () => {
    must(204, await school.client.delete(`/plans/${made.id}`))
    expect((await read(made.id)).status).toBe(404)
    expect((await school.client.delete(`/plans/${made.id}`)).status).toBe(404)
    made = must(201, await plan())
    service().setClock(new Date('2026-05-22T10:00:00Z'))
    school = await enter(service(), school)
    must(200, await read(made.id))
    service().setClock(new Date('2026-05-23T10:00:00Z'))
    school = await enter(service(), school)
    expect((await read(made.id)).status).toBe(404)
    expect(must(200, await school.client.get('/plans'))).toEqual([])
    expect((await replan()).status).toBe(404)
  })
})

describe('applying a plan', () => {
  let made: Row & { readonly proposed: readonly Row[] }
  const apply = (fields: object = { as: 'booked' }): Promise<Answer> =>
    school.client.post(`/plans/${made.id}/apply`, fields)
  const lessons = async () =>
    must(200, await school.client.get('/appointments?from=2026-05-04&to=2026-05-11'))

  beforeEach(async () => {
    for (const name of ['Ben', 'Mia', 'Tim']) await student(name)
    made = must(201, await plan())
  })

  it('books every lesson in one set, once, and an undo makes it a draft again', async () => {
    const answer = must(200, await apply())
    expect(answer.refused).toEqual([])
    expect(answer.booked).toMatchObject(
      made.proposed.map(({ student_id, start_at, end_at }) => ({
        student_id,
        start_at,
        end_at,
        status: 'planned',
      })),
    )
    expect(await lessons()).toHaveLength(2)
    expect(must(200, await read(made.id))).toMatchObject({ state: 'applied', broken: [] })
    expect(must(200, await apply())).toEqual(answer)
    expect(await lessons()).toHaveLength(2)
    for (const other of [
      school.client.delete(`/plans/${made.id}`),
      school.client.post(`/plans/${made.id}/replan`, {}),
      school.client.patch(`/plans/${made.id}`, { lock: [made.proposed[0]?.id] }),
    ])
      expect(must(409, await other).code).toBe('plan_applied')
    const undone = must(200, await school.client.post(`/changes/sets/${answer.set_id}/undo`))
    expect(undone).toMatchObject({ refused: [] })
    expect(await lessons()).toEqual([])
    expect(must(200, await read(made.id))).toMatchObject({ state: 'draft' })
    expect(must(200, await apply()).booked).toHaveLength(2)
    expect(await lessons()).toHaveLength(2)
  })

  it('is applied again if its undo is undone, and a draft after the undo of that', async () => {
    const answer = must(200, await apply())
    const undo = async (set_id: string) => must(200, await school.client.post(`/changes/sets/${set_id}/undo`))
    const undone = await undo(answer.set_id)
    const redone = await undo(undone.set_id)
    expect(redone).toMatchObject({ refused: [] })
    expect(must(200, await read(made.id))).toMatchObject({ state: 'applied', broken: [] })
    const again = must(200, await apply())
    const times = answer.booked.map(({ id, start_at }: Row) => ({ id, start_at }))
    expect(again).toMatchObject({ set_id: answer.set_id, booked: times, refused: [] })
    expect(await undo(redone.set_id)).toMatchObject({ refused: [] })
    expect(must(200, await read(made.id))).toMatchObject({ state: 'draft' })
    expect(await lessons()).toEqual([])
  })

  it('cannot be discarded while it is applied, but after that was interrupted', async () => {
    const { db } = service()
    const { tenantId } = school
    const applied = { as: 'booked' as const, set_id: made.id, refused: [] }
    await beginPlanning(db, { tenantId, id: made.id })
    await inTransaction(db, (within) => markApplying(within, tenantId, { id: made.id, applied }))
    const refused = await school.client.delete(`/plans/${made.id}`)
    expect(must(409, refused).code).toBe('plan_in_progress')
    await endPlanning(db, { tenantId, id: made.id })
    must(204, await school.client.delete(`/plans/${made.id}`))
    expect((await read(made.id)).status).toBe(404)
  })

  it('offers only lessons that have not begun, and repeats that answer', async () => {
    service().setClock(new Date('2026-05-04T06:45:00Z'))
    const { client } = await enter(service(), school)
    const begun = made.proposed.find(({ start_at }: Row) => String(start_at) < `${MONDAY} 08:45`)
    const rest = made.proposed.filter((one: Row) => one !== begun)
    const offer = () => client.post(`/plans/${made.id}/apply`, { as: 'offers', despite_changes: true })
    const answer = must(200, await offer())
    const refusals = [{ code: 'in_the_past', params: {} }]
    expect(answer.refused).toEqual([{ id: begun?.id, refusals }])
    expect(answer.offers).toMatchObject(rest.map(({ start_at }: Row) => ({ start_at })))
    expect(must(200, await offer()).refused).toEqual(answer.refused)
  })

  it('offers each lesson to its student', async () => {
    const answer = must(200, await apply({ as: 'offers' }))
    expect(answer).toMatchObject({ booked: [], refused: [] })
    expect(answer.offers).toMatchObject(
      made.proposed.map(({ student_id, start_at }) => ({ start_at, state: 'open', links: [{ student_id }] })),
    )
    expect(answer.offers[0].links[0].url).toContain('/o/')
    expect(await lessons()).toEqual([])
    must(200, await school.client.post(`/changes/sets/${answer.set_id}/undo`))
    expect(must(200, await school.client.get('/offers'))).toMatchObject([
      { state: 'withdrawn' },
      { state: 'withdrawn' },
    ])
  })

  it('leaves out what no longer fits if it is told so', async () => {
    const [first, second] = made.proposed as readonly [Row, Row]
    await school.lesson({ instructor_id: kaya.id, start_at: first.start_at, end_at: first.end_at })
    const answer = must(200, await apply({ as: 'booked', despite_changes: true }))
    expect(answer.booked).toMatchObject([{ student_id: second.student_id }])
    expect(answer.refused).toMatchObject([{ id: first.id, refusals: [{ code: 'instructor_busy' }] }])
    expect(must(200, await apply())).toEqual(answer)
  })

  it('stands in the history with numbers, but without students', async () => {
    await apply()
    const entries = must(200, await school.client.get('/changes?resource=plan'))
    expect(entries).toMatchObject([
      { action: 'changed', after: { state: 'applied' } },
      { action: 'created', after: { lessons: 2, left_out: 1, state: 'draft' } },
    ])
    expect(JSON.stringify(entries)).not.toContain(made.proposed[0]?.student_id)
  })
})
