import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { AbsenceOffice, MONDAY, on, TUESDAY } from '../support/absence-office.ts'
import { useService } from '../support/app.ts'
import type { Row, School } from '../support/factory.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
let office: AbsenceOffice
let school: School
let ill: Row
let other: Row
let lena: Row
let mia: Row

/** Monday, on which the absence lasts from 8 to 10. */
const MORNING = { end_date: MONDAY, start_time: '08:00', end_time: '10:00' }

beforeEach(async () => {
  office = await AbsenceOffice.open(service())
  school = office.school
  ill = office.ill
  other = office.other
  lena = office.lena
  mia = await school.student({ first_name: 'Mia', phone: '+49 30 2' })
})

const at = (hour: number, day = MONDAY) => ({
  start_at: `${day} ${String(hour).padStart(2, '0')}:00`,
  end_at: `${day} ${String(hour + 1).padStart(2, '0')}:00`,
})

/** Books a lesson of Mia with the other instructor. */
const withOther = (hour: number, more: object = {}) =>
  office.lesson(MONDAY, hour, { instructor_id: other.id, student_id: mia.id, ...more })

const wishes = (student: Row, wish: object) =>
  school.client.post(`/students/${student.id}/wishes`, { minutes: 60, ...wish })

type Step = { moved: number; saved: number; decisions: Row[] }

async function ladder(more: object = {}, may_move = 2): Promise<Step[]> {
  const { status, body, text } = await office.plan({ ...MORNING, may_move, ...more })
  expect(status, text).toBe(200)
  return body.ladder
}

const savedIn = (steps: Step[]) => steps.map(({ moved, saved }) => [moved, saved])

describe('may_move of POST /instructors/{id}/absence-plan', () => {
  it('answers a ladder only if it is given, with a step for each number of moves', async () => {
    await office.lesson(MONDAY, 9)
    expect((await office.plan()).body).not.toHaveProperty('ladder')
    expect(savedIn(await ladder({}, 0))).toEqual([[0, 1]])
    expect(savedIn(await ladder({}, 3))).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    expect(await ladder({ start_date: TUESDAY, end_date: TUESDAY }, 1)).toEqual([
      { moved: 0, saved: 0, decisions: [] },
      { moved: 1, saved: 0, decisions: [] },
    ])
  })

  it('moves the lesson of another student so that a lesson keeps its own', async () => {
    const lesson = await office.lesson(MONDAY, 9)
    await wishes(lena, { weekdays: [1], time_from: '09:00', time_to: '10:00' })
    const inTheWay = await withOther(9)
    const steps = await ladder({}, 1)
    expect(savedIn(steps)).toEqual([
      [0, 0],
      [1, 1],
    ])
    const [nobody, one] = steps as [Step, Step]
    // Without a move, the lesson is moved to another day.
    expect(nobody.decisions).toMatchObject([{ appointment_id: lesson.id, action: 'move' }])
    expect(one.decisions).toEqual([
      on(lesson, 'take_over', { instructor_id: other.id }),
      on(inTheWay, 'move', at(8)),
    ])
    const answer = await office.record(one.decisions, MORNING)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.appointments).toMatchObject([
      { id: lesson.id, instructor_id: other.id, version: 2, ...at(9) },
      { id: inTheWay.id, instructor_id: other.id, version: 2, ...at(8) },
    ])
    const undone = await office.undo(answer.body.set_id)
    expect([undone.body.refused, undone.body.undone.length]).toEqual([[], 3])
    expect(await office.read(inTheWay.id)).toMatchObject(at(9))
    expect(await office.read(lesson.id)).toMatchObject({ instructor_id: ill.id, ...at(9) })
  })

  it('moves two lessons where one has no other place', async () => {
    await office.lesson(MONDAY, 9)
    await wishes(lena, { weekdays: [1], time_from: '09:00', time_to: '10:00' })
    await withOther(9)
    await wishes(mia, { weekdays: [1], time_from: '08:00', time_to: '10:00' })
    const ben = await school.student({ first_name: 'Ben' })
    await withOther(8, { student_id: ben.id })
    const steps = await ladder()
    expect(savedIn(steps)).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ])
    expect((await office.record(steps[2]?.decisions ?? [], MORNING)).status).toBe(200)
  })

  it('moves nobody outside of their wishes, or of their answer for the week', async () => {
    await office.lesson(MONDAY, 9)
    await wishes(lena, { weekdays: [1], time_from: '09:00', time_to: '10:00' })
    await withOther(9)
    const saved = async () => (await ladder({}, 1))[1]?.saved
    expect(await saved()).toBe(1)
    const wish = await wishes(mia, { weekdays: [1], time_from: '09:00', time_to: '10:30' })
    expect(await saved()).toBe(0)
    const week = `/students/${mia.id}/availability/${MONDAY}`
    const answer = {
      lessons: 1,
      windows: [{ date: MONDAY, time_from: '12:00', time_to: '13:00', minutes: 60 }],
    }
    expect((await school.client.put(week, answer)).status).toBe(200)
    expect(await saved()).toBe(1)
    await school.client.put(week, { lessons: 0, windows: [] })
    expect(await saved()).toBe(0)
    await school.client.delete(week)
    await school.client.delete(`/students/${mia.id}/wishes/${wish.body.id}`)
    expect(await saved()).toBe(1)
  })

  it('moves no lesson that begins within 24 hours', async () => {
    for (const { id } of [ill, other])
      await school.client.patch(`/instructors/${id}`, { availability_windows: [] })
    // Exactly 24 hours after the school's clock.
    const saturday = '2030-05-04'
    await office.lesson(saturday, 8)
    await wishes(lena, { weekdays: [6], time_from: '08:00', time_to: '09:00' })
    const lesson = await office.lesson(saturday, 8, { instructor_id: other.id, student_id: mia.id })
    const saved = async () =>
      (await ladder({ start_date: saturday, end_date: saturday, end_time: '12:00' }, 1))[1]?.saved
    expect(await saved()).toBe(1)
    const earlier = { start_at: `${saturday} 07:59`, end_at: `${saturday} 08:59` }
    expect((await school.client.patch(`/appointments/${lesson.id}`, earlier)).status).toBe(200)
    expect(await saved()).toBe(0)
  })

  it('moves no exam, no time without a student, and no signed lesson', async () => {
    await office.lesson(MONDAY, 9)
    await wishes(lena, { weekdays: [1], time_from: '09:00', time_to: '10:00' })
    const lesson = await withOther(9)
    const saved = async () => (await ladder({}, 1))[1]?.saved
    const types: Row[] = (await school.client.get('/lesson-types')).body
    const exam = types.find(({ category }) => category === 'practical_exam') as Row
    const patch = (fields: object) => school.client.patch(`/appointments/${lesson.id}`, fields)
    expect((await patch({ lesson_type_id: exam.id })).status).toBe(200)
    expect(await saved()).toBe(0)
    expect((await patch({ lesson_type_id: lesson.lesson_type_id, student_id: null })).status).toBe(200)
    expect(await saved()).toBe(0)
    expect((await patch({ student_id: mia.id })).status).toBe(200)
    expect(await saved()).toBe(1)
    await service()
      .db.insertInto('signatures')
      .values({
        tenant_id: school.tenantId,
        id: randomUUID(),
        student_id: mia.id,
        enrolment_id: null,
        appointment_id: lesson.id,
        as: 'school',
        name: 'Brandt',
        digest: 'x',
        strokes: null,
        document: '{}',
        actor_kind: 'user',
        actor_id: randomUUID(),
        actor_name: 'Brandt',
        at: new Date('2030-05-03T06:00:00.000Z'),
      })
      .execute()
    expect(await saved()).toBe(0)
    // A school with the same ids has the signature, this one no longer.
    await plantTwin(service(), school.tenantId, 'Krüger')
    await service().db.deleteFrom('signatures').where('tenant_id', '=', school.tenantId).execute()
    expect(await saved()).toBe(1)
  })

  it('rejects other values of may_move with 400, and takes none for a vehicle', async () => {
    for (const may_move of [-1, 4, 1.5, '1', null]) {
      const { status, body } = await office.plan({ ...MORNING, may_move })
      expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/may_move'])
    }
    const car = (await school.client.post('/vehicles', { name: 'Golf', kind: 'car', license_classes: ['B'] }))
      .body
    const { status } = await school.client.post(`/vehicles/${car.id}/absence-plan`, {
      start_date: MONDAY,
      end_date: MONDAY,
      may_move: 1,
    })
    expect(status).toBe(400)
  })
})

describe('decisions on lessons outside of an absence', () => {
  it('are moves only, of planned lessons of the school', async () => {
    const lesson = await office.lesson(MONDAY, 9)
    const further = await withOther(11)
    const decided = (decision: object) => office.record([on(lesson, 'keep'), decision], MORNING)
    const outdated = { code: 'plan_outdated', params: { undecided_ids: [], not_hit_ids: [further.id] } }
    for (const decision of [
      on(further, 'keep'),
      on(further, 'cancel'),
      on(further, 'take_over', { instructor_id: ill.id }),
    ])
      expect((await decided(decision)).body).toMatchObject(outdated)
    expect((await decided({ ...on(further, 'move', at(12)), version: 2 })).status).toBe(412)
    await school.client.post(`/appointments/${further.id}/cancel`, { by: 'school' })
    expect((await decided({ ...on(further, 'move', at(12)), version: 2 })).body).toMatchObject(outdated)
    const foreign = await (await AbsenceOffice.open(service())).lesson(MONDAY, 11)
    for (const id of [foreign.id, randomUUID()]) {
      const { status, body } = await decided({ appointment_id: id, version: 1, action: 'move', ...at(12) })
      expect([status, body.code, body.params.not_hit_ids]).toEqual([409, 'plan_outdated', [id]])
    }
    expect(await office.read(lesson.id)).toMatchObject({ version: 1 })
  })

  it('are refused by the rules like all others, and then nothing is stored', async () => {
    const lesson = await office.lesson(MONDAY, 9)
    const further = await withOther(11)
    await withOther(12, { student_id: null })
    const { status, body } = await office.record(
      [on(lesson, 'take_over', { instructor_id: other.id }), on(further, 'move', at(12))],
      MORNING,
    )
    expect([status, body.code, body.params.decision_appointment_id]).toEqual([
      409,
      'instructor_busy',
      further.id,
    ])
    expect((await office.read(lesson.id)).version).toBe(1)
  })
})
