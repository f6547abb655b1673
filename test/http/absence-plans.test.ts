import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { AbsenceOffice, away, HOURS, MONDAY, on, TUESDAY, WEDNESDAY } from '../support/absence-office.ts'
import { useService } from '../support/app.ts'
import { aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
let office: AbsenceOffice
let school: School
let ill: Row
let other: Row
let lena: Row

beforeEach(async () => {
  office = await AbsenceOffice.open(service())
  school = office.school
  ill = office.ill
  other = office.other
  lena = office.lena
})

describe('POST /instructors/{id}/absence-plan', () => {
  it('lists the planned lessons in the absence, with phone numbers, substitutes and free times', async () => {
    const monday = await office.lesson(MONDAY, 9)
    const cancelled = await office.lesson(MONDAY, 11)
    await school.client.patch(`/appointments/${cancelled.id}`, { status: 'cancelled' })
    await office.lesson(WEDNESDAY, 9)
    await office.lesson(MONDAY, 9, {
      instructor_id: other.id,
      student_id: null,
      start_at: `${MONDAY} 12:00`,
      end_at: `${MONDAY} 13:00`,
    })
    const { status, body } = await office.plan()
    expect(status).toBe(200)
    expect(body.appointments).toHaveLength(1)
    const [one] = body.appointments
    expect(one.appointment).toEqual(monday)
    expect(one.phones).toEqual(['+49 30 1', '0171 2'])
    expect(one.take_over).toMatchObject([
      { instructor_id: other.id, start_at: `${MONDAY} 09:00`, end_at: `${MONDAY} 10:00`, overrides_used: [] },
    ])
    expect(one.move.map((slot: Row) => [slot.instructor_id, slot.start_at])).toEqual(
      ['08:00', '10:00', '10:15', '10:30', '10:45'].map((time) => [ill.id, `${WEDNESDAY} ${time}`]),
    )
    expect(one.proposal).toEqual(on(monday, 'take_over', { instructor_id: other.id }))
    expect((await office.read(monday.id)).version).toBe(1)
  })

  it('applies start_time to the first day and end_time to the last day', async () => {
    const lessons = [
      await office.lesson(MONDAY, 9),
      await office.lesson(MONDAY, 10),
      await office.lesson(TUESDAY, 9),
    ]
    const affected = async (more: object) =>
      (await office.plan(more)).body.appointments.map(({ appointment }: { appointment: Row }) =>
        lessons.findIndex(({ id }) => id === appointment.id),
      )
    expect(await affected({ start_time: '10:00' })).toEqual([1, 2])
    expect(await affected({ start_time: '09:59', end_time: '09:00' })).toEqual([0, 1])
    expect(await affected({ end_time: '09:01' })).toEqual([0, 1, 2])
    expect(await affected({ end_date: MONDAY, end_time: '09:00' })).toEqual([])
  })

  it("omits instructors who do not teach the class, and lists the student's other instructors first", async () => {
    const templates: Row[] = (await school.client.get('/license-class-templates')).body
    const b = templates.find(({ code }) => code === 'B') as Row
    const ofClass = { license_classes: ['B'], availability_windows: HOURS }
    const third = await school.instructor({ last_name: 'Zorn', ...ofClass })
    const first = await school.instructor({ last_name: 'Adam', ...ofClass })
    await school.client.patch(`/students/${lena.id}`, { license_class_template_id: b.id })
    await office.lesson(WEDNESDAY, 12, { instructor_id: third.id })
    await office.lesson(MONDAY, 9)
    const [{ take_over }] = (await office.plan()).body.appointments
    expect(take_over.map((slot: Row) => slot.instructor_id)).toEqual([third.id, first.id])
  })

  it('proposes compatible changes, and a cancellation if there is no alternative', async () => {
    const mia = await school.student({ first_name: 'Mia' })
    await school.client.patch(`/instructors/${other.id}`, { max_daily_units: 2 })
    // The other instructor has room for one of the three hours. Each move takes account of those before it.
    await office.lesson(MONDAY, 9)
    await office.lesson(MONDAY, 10, { student_id: mia.id })
    await office.lesson(MONDAY, 11, { student_id: null })
    const { body } = await office.plan()
    const proposals = body.appointments.map(({ proposal }: { proposal: Row }) => proposal)
    expect(proposals.map(({ action }: Row) => action)).toEqual(['take_over', 'move', 'move'])
    expect(proposals[1].start_at).not.toBe(proposals[2].start_at)
    expect((await office.record(proposals)).status).toBe(200)
    await office.lesson('2030-05-13', 9)
    await school.client.patch(`/instructors/${ill.id}`, { active: false })
    await school.client.patch(`/instructors/${other.id}`, { active: false })
    const alone = await office.plan({ start_date: '2030-05-13', end_date: '2030-05-13' })
    expect(alone.body.appointments[0].proposal).toMatchObject({
      action: 'cancel',
      cancellation: { by: 'school' },
    })
  })

  it('proposes to keep a lesson that has already begun', async () => {
    service().setClock(new Date('2030-05-03T08:00:00.000Z'))
    const begun = await office.lesson('2030-05-03', 9)
    const { body } = await office.plan({ start_date: '2030-05-03', end_date: '2030-05-03' })
    expect(body.appointments[0]).toMatchObject({ take_over: [], move: [], proposal: on(begun, 'keep') })
  })

  it('rejects invalid periods with 400, and a request by an instructor with 403', async () => {
    const pointers = async (more: object) => {
      const { status, body } = await office.plan(more)
      return [status, body.errors?.map(({ pointer }: { pointer: string }) => pointer)]
    }
    expect(await pointers({ end_date: '2030-05-05' })).toEqual([400, ['/end_date']])
    expect(await pointers({ end_date: '2030-08-07' })).toEqual([400, ['/end_date']])
    expect(await pointers({ end_date: MONDAY, start_time: '10:00', end_time: '10:00' })).toEqual([
      400,
      ['/end_time'],
    ])
    const springDay = { start_date: '2030-03-31', end_date: '2030-03-31' }
    expect(await pointers({ ...springDay, start_time: '02:30' })).toEqual([400, ['/start_time']])
    expect(await pointers({ ...springDay, end_time: '02:30' })).toEqual([400, ['/end_time']])
    expect(await pointers({ start_date: undefined, end_time: '25:00' })).toEqual([
      400,
      expect.arrayContaining(['/start_date', '/end_time']),
    ])
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: ill.id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    expect((await client.post(`/instructors/${ill.id}/absence-plan`, away())).status).toBe(403)
    expect((await school.client.post(`/instructors/${randomUUID()}/absence-plan`, away())).status).toBe(404)
  })
})
