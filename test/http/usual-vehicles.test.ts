import { beforeEach, describe, expect, it } from 'vitest'
import { AbsenceOffice, MONDAY, on } from '../support/absence-office.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row, School } from '../support/factory.ts'

const service = useService()
let office: AbsenceOffice
let school: School
let golf: Row
let polo: Row

beforeEach(async () => {
  office = await AbsenceOffice.open(service())
  school = office.school
  golf = await aVehicle('Golf')
  polo = await aVehicle('Polo')
  await drives(office.ill, golf)
  await drives(office.other, polo)
})

const aVehicle = async (name: string, fields: object = {}): Promise<Row> =>
  must(201, await school.client.post('/vehicles', { name, kind: 'car', ...fields }))
const drives = async ({ id }: Row, vehicle: Row) =>
  must(200, await school.client.patch(`/instructors/${id}`, { usual_vehicle_id: vehicle.id }))

describe('a lesson that is handed over', () => {
  it('is planned with the vehicle of the other instructor, who is not free without it', async () => {
    await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] })
    const [free] = (await office.plan()).body.appointments
    expect(free.take_over).toMatchObject([{ instructor_id: office.other.id, vehicle_ids: [polo.id] }])
    expect(new Set(free.move.flatMap((slot: Row) => slot.vehicle_ids))).toEqual(new Set([golf.id]))
    const absences = [{ start_at: `${MONDAY} 09:30`, end_at: `${MONDAY} 12:00` }]
    await school.client.patch(`/vehicles/${polo.id}`, { absences })
    const [away] = (await office.plan()).body.appointments
    expect(away.take_over).toEqual([])
  })

  it('takes the vehicle of the other instructor, keeps one chosen by hand, and gets its own back by undo', async () => {
    const van = await aVehicle('Van')
    const usual = await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] })
    const chosen = await office.lesson(MONDAY, 10, { vehicle_ids: [van.id] })
    const other = { instructor_id: office.other.id }
    const decided = await office.record([on(usual, 'take_over', other), on(chosen, 'take_over', other)])
    expect(decided.status, decided.text).toBe(200)
    expect(decided.body.appointments).toMatchObject([
      { ...other, vehicle_ids: [polo.id] },
      { ...other, vehicle_ids: [van.id] },
    ])
    expect((await office.undo(decided.body.set_id)).body.refused).toEqual([])
    expect(await office.read(usual.id)).toMatchObject({ vehicle_ids: [golf.id] })
  })

  it('is refused while the vehicle of the other instructor is away', async () => {
    const lesson = await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] })
    const absences = [{ start_at: `${MONDAY} 09:30`, end_at: `${MONDAY} 12:00` }]
    await school.client.patch(`/vehicles/${polo.id}`, { absences })
    const { status, body } = await office.record([
      on(lesson, 'take_over', { instructor_id: office.other.id }),
    ])
    expect([status, body.code, body.params.vehicle_id]).toEqual([409, 'vehicle_absent', polo.id])
  })

  it('has no vehicle with an instructor who has none, and none if it is not driven', async () => {
    const theory = {
      lesson_type_id: school.lessonTypes.THEORY_BASIC,
      student_id: null,
      vehicle_ids: [],
    }
    await school.client.patch(`/instructors/${office.other.id}`, { usual_vehicle_id: null })
    const drive = await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] })
    const other = { instructor_id: office.other.id }
    const first = await office.record([on(drive, 'take_over', other)])
    expect(first.body.appointments).toMatchObject([{ ...other, vehicle_ids: [] }])
    await office.undo(first.body.set_id)
    await drives(office.other, polo)
    const unit = await office.lesson(MONDAY, 12, theory)
    const second = await office.record([
      on(await office.read(drive.id), 'take_over', other),
      on(unit, 'take_over', other),
    ])
    expect(second.body.appointments).toMatchObject([
      { vehicle_ids: [polo.id] },
      { ...other, vehicle_ids: [] },
    ])
  })

  it('a change of the instructor alone keeps the vehicles', async () => {
    const lesson = await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] })
    const change = { instructor_id: office.other.id }
    const { body } = await school.client.patch(`/appointments/${lesson.id}`, change)
    expect(body).toMatchObject({ ...change, vehicle_ids: [golf.id] })
  })
})
