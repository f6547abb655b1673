import { beforeEach, describe, expect, it } from 'vitest'
import { AbsenceOffice } from '../support/absence-office.ts'
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

const DAY = '2030-05-08'
const at = (start: string, end: string) => ({ start_at: `${DAY} ${start}`, end_at: `${DAY} ${end}` })
const slots = async (parameters: string) =>
  school.client.get(`/slots?minutes=60&step=30&from=${DAY}&to=${DAY}&limit=200&vehicle=usual&${parameters}`)
const ofType = (code: string) => `lesson_type_id=${school.lessonTypes[code]}`
/** Returns a student of class BE. */
const aTrailerStudent = async (fields: object = {}): Promise<Row> => {
  const templates: Row[] = must(200, await school.client.get('/license-class-templates'))
  const license_class_template_id = templates.find(({ code }) => code === 'BE')?.id
  for (const { id } of [office.ill, office.other])
    must(200, await school.client.patch(`/instructors/${id}`, { license_classes: ['B', 'BE'] }))
  return school.student({ license_class_template_id, ...fields })
}

describe('GET /slots?vehicle=usual', () => {
  it('lists exactly the times that booking accepts with the usual vehicles', async () => {
    const trailer = await aVehicle('Trailer', { kind: 'trailer' })
    const be = await aTrailerStudent()
    const away = { absences: [at('14:00', '15:10')] }
    must(200, await school.client.patch(`/vehicles/${trailer.id}`, away))
    must(200, await school.client.patch(`/vehicles/${polo.id}`, { absences: [at('08:10', '09:30')] }))
    const mira = await school.instructor({ last_name: 'Seidel', license_classes: ['B', 'BE'] })
    await school.lesson({ instructor_id: mira.id, vehicle_ids: [golf.id], ...at('10:00', '11:30') })
    const { status, body } = await slots(`${ofType('PRACTICE')}&student_id=${be.id}`)
    expect(status).toBe(200)
    const listed = new Set(body.map((one: Row) => `${one.instructor_id} ${one.start_at} ${one.vehicle_ids}`))
    let refused = 0
    for (const [instructor, vehicle_ids] of [
      [office.ill, [golf.id, trailer.id]],
      [office.other, [polo.id, trailer.id]],
    ] as const)
      for (let minute = 8 * 60; minute <= 15 * 60; minute += 30) {
        const time = (of: number) =>
          `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`
        const times = at(time(minute), time(minute + 60))
        const wanted = { instructor_id: instructor.id, student_id: be.id, vehicle_ids, ...times }
        const lesson = { ...wanted, lesson_type_id: school.lessonTypes.PRACTICE }
        const { allowed } = (await school.client.post('/appointments/check', lesson)).body
        if (!allowed) refused += 1
        expect(listed.has(`${instructor.id} ${times.start_at} ${vehicle_ids}`), JSON.stringify(times)).toBe(
          allowed,
        )
      }
    expect(refused).toBeGreaterThan(4)
  })

  it('lists every free time without a vehicle if lessons of the type are not driven', async () => {
    must(200, await school.client.patch(`/vehicles/${golf.id}`, { active: false }))
    for (const code of ['THEORY_BASIC', 'INTERNAL', 'B96_TRAINING', 'SIMULATOR']) {
      const { body } = await slots(`${ofType(code)}&instructor_id=${office.ill.id}`)
      expect([code, body.length, body[0].vehicle_ids]).toEqual([code, 15, []])
    }
  })

  it('adds other vehicles to the usual ones, and a trailer in place of the usual one', async () => {
    const trailer = await aVehicle('Trailer', { kind: 'trailer' })
    const other = await aVehicle('Other', { kind: 'trailer', license_classes: ['B'] })
    const be = await aTrailerStudent()
    const found = async (more: string) => {
      const { body } = await slots(
        `${ofType('PRACTICE')}&student_id=${be.id}&instructor_id=${office.ill.id}${more}`,
      )
      return body[0].vehicle_ids
    }
    expect(await found('')).toEqual([golf.id, trailer.id])
    expect(await found(`&vehicle_id=${polo.id}`)).toEqual([golf.id, trailer.id, polo.id])
    expect(await found(`&vehicle_id=${other.id}`)).toEqual([golf.id, other.id])
    expect((await slots(`${ofType('PRACTICE')}&vehicle_kind=car`)).status).toBe(400)
    expect((await slots(`${ofType('PRACTICE')}&vehicle_id=${office.ill.id}`)).status).toBe(404)
  })

  it('lists slots without vehicles in a school that has none', async () => {
    for (const { id } of [office.ill, office.other])
      must(200, await school.client.patch(`/instructors/${id}`, { usual_vehicle_id: null }))
    for (const { id } of [golf, polo]) must(204, await school.client.delete(`/vehicles/${id}`))
    const { body } = await slots(`${ofType('PRACTICE')}&instructor_id=${office.ill.id}`)
    expect([body.length, body[0].vehicle_ids]).toEqual([15, []])
  })
})

describe('alternatives of a refused lesson', () => {
  it('have the usual vehicle of another instructor, and none at which it is away', async () => {
    const range = { start_date: '2030-04-20', end_date: '2030-06-01', note: null }
    must(200, await school.client.patch(`/instructors/${office.ill.id}`, { vacations: [range] }))
    must(200, await school.client.patch(`/vehicles/${polo.id}`, { absences: [at('09:30', '12:00')] }))
    const lesson = { instructor_id: office.ill.id, vehicle_ids: [golf.id], ...at('10:00', '11:00') }
    const check = { ...lesson, lesson_type_id: school.lessonTypes.PRACTICE }
    const { body } = await school.client.post('/appointments/check', check)
    const found = body.alternatives.map((one: Row) => [one.instructor_id, one.start_at, one.vehicle_ids])
    expect(found).toEqual(
      ['08:00', '12:00', '08:30'].map((time) => [office.other.id, `${DAY} ${time}`, [polo.id]]),
    )
  })
})

describe('a lesson without the trailer that its class needs', () => {
  it('is allowed with the warning `vehicle_missing`, unless the school has no vehicles', async () => {
    const trailer = await aVehicle('Trailer', { kind: 'trailer', active: false })
    const be = await aTrailerStudent()
    const warnings = async (vehicle_ids: string[], code = 'PRACTICE') => {
      const lesson = { instructor_id: office.ill.id, student_id: be.id, vehicle_ids, ...at('10:00', '11:00') }
      const check = { ...lesson, lesson_type_id: school.lessonTypes[code] }
      const { body } = await school.client.post('/appointments/check', check)
      return body.warnings.filter((one: Row) => one.code === 'vehicle_missing')
    }
    const missing = [{ code: 'vehicle_missing', params: { license_class: 'BE', kind: 'trailer' } }]
    expect(await warnings([golf.id])).toEqual(missing)
    expect(await warnings([])).toEqual(missing)
    expect(await warnings([golf.id, trailer.id])).toEqual([])
    expect(await warnings([golf.id], 'SIMULATOR')).toEqual([])
    const { body } = await slots(`${ofType('PRACTICE')}&student_id=${be.id}`)
    expect(body[0].warnings).toEqual(expect.arrayContaining(missing))
    for (const { id } of [office.ill, office.other])
      must(200, await school.client.patch(`/instructors/${id}`, { usual_vehicle_id: null }))
    for (const { id } of [golf, polo, trailer]) must(204, await school.client.delete(`/vehicles/${id}`))
    expect(await warnings([])).toEqual([])
  })
})

describe('an offered lesson', () => {
  const offer = async () => {
    const { body } = await school.client.post('/offers', {
      instructor_id: office.ill.id,
      lesson_type_id: school.lessonTypes.PRACTICE,
      student_ids: [office.lena.id],
      expires_at: '2030-05-08T06:00:00.000Z',
      ...at('10:00', '11:00'),
    })
    return body
  }
  const state = async (id: string) => (await school.client.get(`/offers/${id}`)).body.state
  const listedState = async () => (await school.client.get('/offers')).body[0].state

  it('is booked with the usual vehicle of its instructor', async () => {
    const { id, links } = await offer()
    const token = links[0].url.split('/').at(-1)
    must(200, await school.client.post(`/offers/accept/${token}`))
    expect(await state(id)).toBe('taken')
    const { body } = await school.client.get(`/appointments?student_id=${office.lena.id}`)
    expect(body).toMatchObject([{ instructor_id: office.ill.id, vehicle_ids: [golf.id] }])
  })

  it('is closed while the vehicle is away', async () => {
    const { id } = await offer()
    expect([await state(id), await listedState()]).toEqual(['open', 'open'])
    must(200, await school.client.patch(`/vehicles/${golf.id}`, { absences: [at('10:30', '12:00')] }))
    expect([await state(id), await listedState()]).toEqual(['closed', 'closed'])
  })

  it('has no candidates while the vehicle is away', async () => {
    must(
      201,
      await school.client.post(`/students/${office.lena.id}/wishes`, {
        weekdays: null,
        time_from: '08:00',
        time_to: '20:00',
        minutes: 60,
      }),
    )
    const gap = `instructor_id=${office.ill.id}&start_at=${DAY} 10:00&end_at=${DAY} 11:00`
    const candidates = async () => (await school.client.get(`/gaps?${gap}`)).body.length
    expect(await candidates()).toBe(1)
    must(200, await school.client.patch(`/vehicles/${golf.id}`, { absences: [at('10:30', '12:00')] }))
    expect(await candidates()).toBe(0)
  })
})
