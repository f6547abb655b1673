import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let jonas: Row
let ute: Row

beforeAll(async () => {
  school = await aSchool(service())
  ;[jonas, ute] = [await school.instructor(), await school.instructor({ first_name: 'Ute' })]
})

const add = (fields: object = {}) => school.client.post('/vehicles', { name: 'Golf', kind: 'car', ...fields })
const aVehicle = async (fields: object = {}): Promise<Row> => (await add(fields)).body
const at = (day: string, from = '08:00', to = '09:30') => ({
  start_at: `2040-05-${day} ${from}`,
  end_at: `2040-05-${day} ${to}`,
})

describe('a vehicle', () => {
  it('requires a name and a kind, and has defaults for all other fields', async () => {
    const answer = await add()
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Golf',
        kind: 'car',
        gearbox: null,
        license_classes: [],
        plate: null,
        location_id: null,
        notes: null,
        active: true,
        absences: [],
        version: 1,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    expect(answer.headers.get('location')).toBe(`/api/v1/vehicles/${answer.body.id}`)
    expect((await school.client.get(`/vehicles/${answer.body.id}`)).body).toEqual(answer.body)
    expect((await school.client.get('/vehicles')).body).toContainEqual(answer.body)
    expect((await school.client.post('/vehicles', {})).body.errors).toHaveLength(2)
  })

  it('is rejected with an invalid kind, gearbox, plate or absence', async () => {
    const absence = { start_at: '2040-05-02 08:00', end_at: '2040-05-02 08:00' }
    const { status, body } = await add({ kind: 'boat', gearbox: 'none', plate: 'x'.repeat(21) })
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()]).toEqual([
      400,
      ['/gearbox', '/kind', '/plate'],
    ])
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toContain(
      'gearbox must be one of manual, automatic, null.',
    )
    expect((await add({ absences: [absence] })).body.errors).toMatchObject([
      { pointer: '/absences/0/end_at', code: 'wrong_order' },
    ])
    const skipped = { start_at: '2040-03-25 02:30', end_at: '2040-03-25 08:00' }
    expect((await add({ absences: [skipped] })).body.errors).toMatchObject([
      { pointer: '/absences/0/start_at', code: 'skipped_time' },
    ])
  })

  it('can be changed with If-Match, deleted and restored, and has a history', async () => {
    const { id } = await aVehicle()
    const absences = [{ start_at: '2040-06-01 08:00', end_at: '2040-06-20 12:00' }]
    const changed = await school.client.patch(`/vehicles/${id}`, { absences, gearbox: 'manual' })
    expect(changed.body).toMatchObject({ absences: [{ ...absences[0], note: null }], version: 2 })
    const stale = await school.client.patch(`/vehicles/${id}`, { plate: 'B 1' }, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
    expect((await school.client.delete(`/vehicles/${id}`)).status).toBe(204)
    for (const answer of [
      await school.client.get(`/vehicles/${id}`),
      await school.client.delete(`/vehicles/${id}`),
      await school.client.patch(`/vehicles/${id}`, { plate: 'B 1' }),
    ])
      expect(answer.status).toBe(404)
    const restored = await school.client.post(`/vehicles/${id}/restore`)
    expect([restored.status, restored.body.version]).toEqual([200, 4])
    expect((await school.client.post(`/vehicles/${id}/restore`)).body.version).toBe(4)
    const { body: history } = await school.client.get(`/vehicles/${id}/history`)
    expect(history.map(({ action }: { action: string }) => action)).toEqual([
      'restored',
      'deleted',
      'changed',
      'created',
    ])
    expect((await school.client.get(`/changes?resource=vehicle&resource_id=${id}`)).body).toEqual(history)
  })

  it('cannot be deleted while an upcoming appointment has it (409 in_use)', async () => {
    const { id } = await aVehicle()
    const lesson = await school.lesson({ instructor_id: jonas.id, vehicle_ids: [id], ...at('01') })
    const { status, body } = await school.client.delete(`/vehicles/${id}`)
    expect([status, body.code]).toEqual([409, 'in_use'])
    expect(body.detail).toBe(`Appointments stand in the way: 1, the first at ${lesson.start_at}.`)
    await school.client.patch(`/appointments/${lesson.id}`, { status: 'cancelled' })
    expect((await school.client.delete(`/vehicles/${id}`)).status).toBe(204)
    const again = await school.client.patch(`/appointments/${lesson.id}`, { status: 'planned' })
    expect(again.status).toBe(404)
  })

  it('is undone with the set that added, changed or deleted it, and not removed while in use', async () => {
    const made = await add()
    const { id } = made.body
    const changed = await school.client.patch(`/vehicles/${id}`, { name: 'Polo' })
    const undo = (answer: typeof made) =>
      school.client.post(`/changes/sets/${answer.headers.get('x-request-id')}/undo`)
    expect((await undo(changed)).body.undone).toEqual([id])
    expect((await school.client.get(`/vehicles/${id}`)).body.name).toBe('Golf')
    const deleted = await school.client.delete(`/vehicles/${id}`)
    expect((await undo(deleted)).body.undone).toEqual([id])
    expect((await school.client.get(`/vehicles/${id}`)).status).toBe(200)
    const other = await add()
    await school.lesson({ instructor_id: jonas.id, vehicle_ids: [other.body.id], ...at('02') })
    expect((await undo(other)).body.refused).toMatchObject([{ resource: 'vehicle', code: 'in_use' }])
    const unused = await add()
    expect((await undo(unused)).body.undone).toEqual([unused.body.id])
    expect((await school.client.get(`/vehicles/${unused.body.id}`)).status).toBe(404)
  })
})

describe('an appointment with vehicles', () => {
  it('has no vehicles by default, and at most three different ones of the school', async () => {
    const ids = [await aVehicle(), await aVehicle(), await aVehicle(), await aVehicle()].map(({ id }) => id)
    const book = (vehicle_ids: readonly string[]) =>
      school.book({ instructor_id: jonas.id, vehicle_ids, ...at('03') })
    expect((await book([ids[0] ?? '', ids[0] ?? ''])).status).toBe(400)
    const inTwoSpellings = await book([ids[0] ?? '', ids[0]?.toUpperCase() ?? ''])
    expect(inTwoSpellings.body.errors).toMatchObject([{ pointer: '/vehicle_ids', code: 'repeated' }])
    expect((await book(ids)).status).toBe(400)
    for (const id of [randomUUID(), jonas.id, (await (await aSchool(service())).student()).id])
      expect((await book([id])).status).toBe(404)
    const three = await book(ids.slice(0, 3))
    expect([three.status, three.body.vehicle_ids]).toEqual([201, ids.slice(0, 3)])
    expect(
      (await school.lesson({ instructor_id: jonas.id, ...at('03', '10:00', '11:00') })).vehicle_ids,
    ).toEqual([])
  })

  it('has its refusals ordered by rule, and then by vehicle', async () => {
    const [car, trailer, old] = [await aVehicle(), await aVehicle({ kind: 'trailer' }), await aVehicle()]
    const taken = await school.lesson({
      instructor_id: ute.id,
      vehicle_ids: [car.id, trailer.id],
      ...at('04', '09:00', '10:00'),
    })
    const absences = [{ start_at: '2040-05-01 08:00', end_at: '2040-05-30 08:00' }]
    await school.client.patch(`/vehicles/${old.id}`, { active: false, absences })
    await school.client.patch(`/vehicles/${trailer.id}`, { absences })
    const body = { instructor_id: jonas.id, vehicle_ids: [trailer.id, car.id, old.id], ...at('04') }
    const times = { appointment_id: taken.id, ...at('04', '09:00', '10:00') }
    const refusals = [
      { code: 'vehicle_inactive', params: { vehicle_id: old.id } },
      { code: 'vehicle_absent', params: { vehicle_id: trailer.id } },
      { code: 'vehicle_absent', params: { vehicle_id: old.id } },
      { code: 'vehicle_busy', params: { vehicle_id: trailer.id, ...times } },
      { code: 'vehicle_busy', params: { vehicle_id: car.id, ...times } },
    ]
    const lesson_type_id = school.lessonTypes.PRACTICE
    const check = await school.client.post('/appointments/check', { lesson_type_id, ...body })
    expect(check.body).toMatchObject({ allowed: false, refusals, alternatives: [] })
    const answer = await school.book(body)
    expect([answer.status, answer.body.code, answer.body.params]).toEqual([
      409,
      'vehicle_inactive',
      { vehicle_id: old.id },
    ])
  })

  it('occupies its vehicle until it is moved, cancelled or deleted', async () => {
    const { id: car } = await aVehicle()
    const first = await school.lesson({ instructor_id: jonas.id, vehicle_ids: [car], ...at('05') })
    const second = await school.lesson({ instructor_id: ute.id, ...at('05') })
    const give = () => school.client.patch(`/appointments/${second.id}`, { vehicle_ids: [car] })
    expect((await give()).body).toMatchObject({ code: 'vehicle_busy', params: { vehicle_id: car } })
    await school.client.patch(`/appointments/${first.id}`, at('06'))
    expect((await give()).status).toBe(200)
    expect((await school.client.patch(`/appointments/${first.id}`, at('05'))).body.code).toBe('vehicle_busy')
    await school.client.delete(`/appointments/${second.id}`)
    expect((await school.client.patch(`/appointments/${first.id}`, at('05'))).status).toBe(200)
    const restore = () => school.client.post(`/appointments/${second.id}/restore`)
    expect((await restore()).body.code).toBe('vehicle_busy')
    await school.client.patch(`/appointments/${first.id}`, { status: 'cancelled' })
    expect((await restore()).status).toBe(200)
  })

  it('has a warning for a vehicle that does not suit the class of the student', async () => {
    const { body: templates } = await school.client.get('/license-class-templates')
    const { id } = templates.find((one: { license_class: string }) => one.license_class === 'B')
    const student = await school.student({ license_class_template_id: id })
    const [suits, any, bike] = [
      await aVehicle({ license_classes: ['B'] }),
      await aVehicle(),
      await aVehicle({ kind: 'motorcycle', license_classes: ['A'] }),
    ]
    const { body } = await school.client.post('/appointments/check', {
      instructor_id: jonas.id,
      student_id: student.id,
      lesson_type_id: school.lessonTypes.PRACTICE,
      vehicle_ids: [suits.id, any.id, bike.id],
      ...at('07'),
    })
    expect(body.warnings.filter(({ code }: { code: string }) => code === 'vehicle_not_fitting')).toEqual([
      {
        code: 'vehicle_not_fitting',
        params: { vehicle_id: bike.id, license_class: 'B', license_classes: ['A'] },
      },
    ])
  })
})

describe('an instructor', () => {
  it('can have a usual vehicle of the school', async () => {
    const { id } = await aVehicle()
    const given = await school.client.patch(`/instructors/${ute.id}`, { usual_vehicle_id: id })
    expect([given.status, given.body.usual_vehicle_id]).toEqual([200, id])
    const foreign = await school.client.patch(`/instructors/${ute.id}`, { usual_vehicle_id: randomUUID() })
    expect(foreign.status).toBe(404)
    expect((await school.instructor({ usual_vehicle_id: id })).usual_vehicle_id).toBe(id)
    await school.client.delete(`/vehicles/${id}`)
    const again = { usual_vehicle_id: id, color: '#123456' }
    expect((await school.client.patch(`/instructors/${ute.id}`, again)).body).toMatchObject(again)
    expect(jonas.usual_vehicle_id).toBeNull()
  })
})
