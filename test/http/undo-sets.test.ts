import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf } from '../support/changes.ts'
import type { Answer } from '../support/client.ts'
import type { Row, School } from '../support/factory.ts'
import type { SeriesOffice } from '../support/series-office.ts'
import { anUndoOffice, doneBy, idsOf, setOf, took, type UndoOffice } from '../support/undo-office.ts'

const service = useService()
let office: SeriesOffice
let school: School
let undo: UndoOffice['undo']
let lessonAt: UndoOffice['lessonAt']
let lesson: UndoOffice['lesson']
let statuses: UndoOffice['statuses']

beforeEach(async () => {
  const scene = await anUndoOffice(service())
  ;({ office, school, undo, lessonAt, lesson, statuses } = scene)
})

describe('the undo of a set', () => {
  it('deletes the lessons of a series as a new set, whose undo restores them', async () => {
    const series = await office.series({ every_weeks: 1, count: 3 })
    const booked = await office.all()
    const undone = await undo(series)
    took(undone, idsOf(booked))
    expect(undone.body.set_id).toBe(setOf(undone))
    expect(await office.all()).toEqual([])
    const changes = await changesOf(school.client, '?resource=appointment')
    expect(changes.slice(0, 3).map(({ action, set_id, undoes }) => [action, set_id, undoes])).toEqual(
      Array(3).fill(['deleted', setOf(undone), setOf(series)]),
    )
    expect(changes.slice(3).map(({ undoes }) => undoes)).toEqual([null, null, null])
    took(await undo(undone), idsOf(booked))
    expect(idsOf(await office.all())).toEqual(idsOf(booked))
  })

  it('returns 409 already_undone the second time, and its redo can be undone', async () => {
    const series = await office.series({ every_weeks: 1, count: 2 })
    const undone = await undo(series)
    const again = await undo(series)
    expect([again.status, again.body.code]).toEqual([409, 'already_undone'])
    const redone = await undo(undone)
    expect((await undo(series)).body.code).toBe('already_undone')
    const back = idsOf(await office.all())
    took(await undo(redone), back)
    expect([back.length, await office.all()]).toEqual([2, []])
  })

  it('plans the lessons of a cancelled series again', async () => {
    const { body } = await office.series({ every_weeks: 1, count: 3 })
    const path = `/appointments/series/${body.series_id}/cancel`
    const cancelled = await doneBy(school.client.post(path, { from: '2099-03-09' }))
    took(await undo(cancelled), idsOf(cancelled.body))
    expect(await statuses()).toEqual(['planned', 'planned', 'planned'])
  })

  it('restores only the fields that the set changed, and is subject to the rules', async () => {
    const { id } = await lessonAt('08', { notes: 'parking' })
    const moved = await doneBy(
      school.client.patch(`/appointments/${id}`, {
        start_at: '2099-03-05 10:00',
        end_at: '2099-03-05 10:45',
      }),
    )
    took(await undo(moved), [id])
    expect((await lesson(id)).body).toMatchObject({ start_at: '2099-03-05 08:00', notes: 'parking' })
    const again = await doneBy(
      school.client.patch(`/appointments/${id}`, {
        start_at: '2099-03-05 12:00',
        end_at: '2099-03-05 12:45',
      }),
    )
    await lessonAt('08', { student_id: null })
    took(await undo(again), [], { [id]: 'instructor_busy' })
    expect((await lesson(id)).body.start_at).toBe('2099-03-05 12:00')
  })

  // An undo is one transaction of many statements.
  it('reports each lesson that the rules refuse, and undoes the others', {
    tags: 'embedded_later',
  }, async () => {
    const series = await office.series({ every_weeks: 1, count: 3 })
    const [first, second, third] = idsOf(await office.all()) as [string, string, string]
    const deleted = await undo(series)
    const times = { start_at: '2099-03-09 08:30', end_at: '2099-03-09 09:00' }
    const rival = await school.lesson({ instructor_id: office.instructor, ...times })
    const redone = await undo(deleted)
    took(redone, [first, third], { [second]: 'instructor_busy' })
    expect(redone.body.refused).toEqual([
      {
        ...{ resource: 'appointment', resource_id: second, code: 'instructor_busy' },
        params: { appointment_id: rival.id, ...times },
      },
    ])
  })

  it('predicts its result in a dry run, and writes nothing', async () => {
    const series = await office.series({ every_weeks: 1, count: 2 })
    const [first, second] = idsOf(await office.all()) as [string, string]
    await school.client.patch(`/appointments/${first}`, { notes: 'parking' })
    const before = await office.all()
    const path = `/changes/sets/${setOf(series)}/undo?dry_run=true`
    const key = { 'idempotency-key': 'tried' }
    for (const headers of [{}, key, key]) {
      const tried = await school.client.post(path, undefined, headers)
      took(tried, [second], { [first]: 'changed_since' })
    }
    expect(await office.all()).toEqual(before)
    took(await undo(series), [second], { [first]: 'changed_since' })
    expect((await school.client.post(path)).body.code).toBe('already_undone')
  })

  it('can be repeated if it could not undo anything', async () => {
    const { id } = await lessonAt('08')
    const deleted = await doneBy(school.client.delete(`/appointments/${id}`))
    const rival = await lessonAt('08')
    took(await undo(deleted), [], { [id]: 'instructor_busy' })
    await school.client.delete(`/appointments/${rival.id}`)
    took(await undo(deleted), [id])
  })

  it('skips a lesson that has changed since, and reports changed_since', async () => {
    const series = await office.series({ every_weeks: 1, count: 2 })
    const [first, second] = idsOf(await office.all()) as [string, string]
    await school.client.patch(`/appointments/${first}`, { notes: 'parking' })
    took(await undo(series), [second], { [first]: 'changed_since' })
    expect(idsOf(await office.all())).toEqual([first])
  })
})

describe('the undo of a set that others have changed since', () => {
  const patched = (path: string, fields: object) => doneBy(school.client.patch(path, fields))
  const at = (hour: string) => ({ start_at: `2099-03-05 ${hour}:00`, end_at: `2099-03-05 ${hour}:45` })
  const fieldsOf = ({ body }: Answer) => body.refused.map(({ fields }: Row) => fields)

  it('moves a lesson back that a colleague has noted on, and keeps the note; its undo redoes the move', async () => {
    const { id } = await lessonAt('08')
    const moved = await patched(`/appointments/${id}`, at('10'))
    await patched(`/appointments/${id}`, { notes: 'parking' })
    const undone = await undo(moved)
    took(undone, [id])
    expect((await lesson(id)).body).toMatchObject({ ...at('08'), notes: 'parking' })
    took(await undo(undone), [id])
    expect((await lesson(id)).body).toMatchObject({ ...at('10'), notes: 'parking' })
  })

  it('leaves a lesson where a colleague has moved it, names the fields, and takes the others back', async () => {
    const { id } = await lessonAt('08')
    const changed = await patched(`/appointments/${id}`, { ...at('10'), pickup_place: 'station' })
    await patched(`/appointments/${id}`, { end_at: '2099-03-05 11:30' })
    const undone = await undo(changed)
    took(undone, [id], { [id]: 'changed_since' })
    expect(fieldsOf(undone)).toEqual([['end_at']])
    const stays = { start_at: '2099-03-05 10:00', end_at: '2099-03-05 11:30', pickup_place: null }
    expect((await lesson(id)).body).toMatchObject(stays)
  })

  it('leaves a lesson that a colleague has cancelled, or deleted, since it was moved', async () => {
    const cancelled = await lessonAt('08')
    const first = await patched(`/appointments/${cancelled.id}`, at('10'))
    await doneBy(school.client.post(`/appointments/${cancelled.id}/cancel`, { by: 'student' }))
    const undone = await undo(first)
    took(undone, [], { [cancelled.id]: 'changed_since' })
    expect(fieldsOf(undone)).toEqual([['status', 'cancellation']])
    const deleted = await lessonAt('12')
    const second = await patched(`/appointments/${deleted.id}`, at('14'))
    await doneBy(school.client.delete(`/appointments/${deleted.id}`))
    took(await undo(second), [], { [deleted.id]: 'changed_since' })
  })

  it('plans a cancelled lesson again that a colleague has noted on, if its time is still free', async () => {
    const { id } = await lessonAt('08')
    const cancelled = await doneBy(school.client.post(`/appointments/${id}/cancel`, { by: 'student' }))
    await patched(`/appointments/${id}`, { notes: 'called' })
    const rival = await lessonAt('08', { student_id: null })
    took(await undo(cancelled), [], { [id]: 'instructor_busy' })
    await doneBy(school.client.delete(`/appointments/${rival.id}`))
    took(await undo(cancelled), [id])
    expect((await lesson(id)).body).toMatchObject({ status: 'planned', cancellation: null, notes: 'called' })
  })

  it('takes back steps in turn, and does them again in turn, across a deletion and a restoration', async () => {
    const booked = await doneBy(
      school.client.post('/appointments', {
        ...{ instructor_id: office.instructor, lesson_type_id: school.lessonTypes.PRACTICE, ...at('08') },
      }),
    )
    const { id } = booked.body
    const moved = await patched(`/appointments/${id}`, at('10'))
    const movedBack = await undo(moved)
    const removed = await undo(booked)
    took(movedBack, [id])
    took(removed, [id])
    took(await undo(removed), [id])
    took(await undo(movedBack), [id])
    expect((await lesson(id)).body).toMatchObject(at('10'))
  })

  it('restores a lesson after its restoration was undone', async () => {
    const { id } = await lessonAt('08')
    const removed = await doneBy(school.client.delete(`/appointments/${id}`))
    const restored = await doneBy(school.client.post(`/appointments/${id}/restore`))
    took(await undo(restored), [id])
    const again = await undo(removed)
    took(again, [id])
    took(await undo(again), [id])
  })

  it('does not restore a deleted lesson that was restored, changed and deleted again', async () => {
    const { id } = await lessonAt('08')
    const removed = await doneBy(school.client.delete(`/appointments/${id}`))
    await doneBy(school.client.post(`/appointments/${id}/restore`))
    await patched(`/appointments/${id}`, at('12'))
    await doneBy(school.client.delete(`/appointments/${id}`))
    took(await undo(removed), [], { [id]: 'changed_since' })
  })

  it('leaves a lesson that a colleague has deleted, restored and moved since', async () => {
    const { id } = await lessonAt('08')
    const moved = await patched(`/appointments/${id}`, at('10'))
    await doneBy(school.client.delete(`/appointments/${id}`))
    await doneBy(school.client.post(`/appointments/${id}/restore`))
    await patched(`/appointments/${id}`, at('12'))
    const undone = await undo(moved)
    took(undone, [], { [id]: 'changed_since' })
    expect(fieldsOf(undone)).toEqual([['start_at', 'end_at']])
  })

  it('cancels a lesson that has been planned again as it was cancelled, and changes a fee back', async () => {
    const { id } = await lessonAt('08')
    const given = { by: 'student', reason: 'illness', charge: true }
    const { body } = await doneBy(school.client.post(`/appointments/${id}/cancel`, given))
    const waived = await doneBy(school.client.put(`/appointments/${id}/fee`, { charge: false }))
    took(await undo(waived), [id])
    expect((await lesson(id)).body.cancellation).toEqual(body.cancellation)
    const planned = await patched(`/appointments/${id}`, { status: 'planned' })
    took(await undo(planned), [id])
    expect((await lesson(id)).body).toMatchObject({ status: 'cancelled', cancellation: body.cancellation })
  })

  it('ignores a change that its author has taken back', async () => {
    const booked = await doneBy(
      school.client.post('/appointments', {
        ...{ instructor_id: office.instructor, lesson_type_id: school.lessonTypes.PRACTICE, ...at('08') },
      }),
    )
    const { id } = booked.body
    await patched(`/appointments/${id}`, { notes: 'parking' })
    took(await undo(booked), [], { [id]: 'changed_since' })
    await patched(`/appointments/${id}`, { notes: null })
    took(await undo(booked), [id])
  })

  it('goes by the fields of people, vehicles, locations, lesson types and the school', async () => {
    const { client } = school
    const vehicle = await doneBy(client.post('/vehicles', { name: 'Golf', kind: 'car' }))
    const location = await doneBy(client.post('/locations', { name: 'North' }))
    const [type] = (await client.get('/lesson-types')).body
    const cases: readonly (readonly [string, string, object, string])[] = [
      [`/students/${office.student}`, office.student, { phone: '112', email: 'a@example.com' }, 'phone'],
      [`/instructors/${office.instructor}`, office.instructor, { phone: '112', color: '#112233' }, 'phone'],
      [`/vehicles/${vehicle.body.id}`, vehicle.body.id, { name: 'Polo', plate: 'M-FS 1' }, 'name'],
      [`/locations/${location.body.id}`, location.body.id, { name: 'South', address: 'Way 1' }, 'name'],
      ['/tenant', school.tenantId, { phone: '030', name: 'Nord' }, 'phone'],
      [`/tenant/lesson-types/${type.id}`, type.id, { name: 'Drive', color: '#112233' }, 'name'],
    ]
    for (const [path, id, fields, field] of cases) {
      const own = path.replace('/tenant/lesson-types', '/lesson-types')
      const before = (await client.get(own)).body
      const changed = await patched(path, fields)
      await patched(path, { [field]: '0301234' })
      const undone = await undo(changed)
      took(undone, [id], { [id]: 'changed_since' })
      expect(fieldsOf(undone), path).toEqual([[field]])
      const [other] = Object.keys(fields).filter((name) => name !== field) as [string]
      expect((await client.get(own)).body, path).toMatchObject({
        [field]: '0301234',
        [other]: before[other],
      })
    }
  })

  it('takes out its own absence, and leaves the one that a colleague has added or changed', async () => {
    const path = `/instructors/${office.instructor}`
    const day = (date: string, note: string) => ({ start_date: date, end_date: date, note })
    const [own, others] = [day('2099-03-05', 'dentist'), day('2099-04-05', 'course')]
    const vacations = async () => (await school.client.get(path)).body.vacations
    const added = await patched(path, { vacations: [own] })
    await patched(path, { vacations: [own, others] })
    const undone = await undo(added)
    took(undone, [office.instructor])
    expect(await vacations()).toEqual([others])
    took(await undo(undone), [office.instructor])
    expect(await vacations()).toEqual(expect.arrayContaining([own, others]))
    const again = await patched(path, { vacations: [own] })
    await patched(path, { vacations: [{ ...own, end_date: '2099-03-09' }] })
    took(await undo(again), [office.instructor])
    expect(await vacations()).toEqual([{ ...own, end_date: '2099-03-09' }, others])
    await patched(path, { vacations: [day('2099-05-05', 'flu')] })
    const moved = await patched(path, { vacations: [day('2099-05-06', 'flu')] })
    await patched(path, { vacations: [day('2099-05-07', 'flu')] })
    const refused = await undo(moved)
    took(refused, [], { [office.instructor]: 'changed_since' })
    expect(fieldsOf(refused)).toEqual([['vacations']])
  })

  it('leaves closures and wishes that a colleague has deleted', async () => {
    const { client } = school
    const closure = await doneBy(
      client.post('/closures', { start_date: '2099-03-05', end_date: '2099-03-05' }),
    )
    const wishes = `/students/${office.student}/wishes`
    const wish = await doneBy(client.post(wishes, { minutes: 90 }))
    await doneBy(client.delete(`/closures/${closure.body.id}`))
    await doneBy(client.delete(`${wishes}/${wish.body.id}`))
    took(await undo(closure), [], { [closure.body.id]: 'changed_since' })
    took(await undo(wish), [], { [wish.body.id]: 'changed_since' })
  })
})

describe('the undo of other changes', () => {
  it('restores the earlier values of students, instructors and the school', async () => {
    const { client } = school
    const student = await doneBy(client.patch(`/students/${office.student}`, { phone: '112', notes: 'x' }))
    const vacations = [{ start_date: '2099-03-05', end_date: '2099-03-06' }]
    const instructor = await doneBy(client.patch(`/instructors/${office.instructor}`, { vacations }))
    const tenant = await doneBy(client.patch('/tenant', { phone: '030' }))
    took(await undo(student), [office.student])
    took(await undo(instructor), [office.instructor])
    took(await undo(tenant), [school.tenantId])
    expect((await client.get(`/students/${office.student}`)).body).toMatchObject({ phone: null, notes: null })
    expect((await client.get(`/instructors/${office.instructor}`)).body.vacations).toEqual([])
    expect((await client.get('/tenant')).body.phone).toBe(null)
  })

  it("restores the former class of a student and of the student's lessons", async () => {
    const [template] = (await school.client.get('/license-class-templates')).body
    const { id } = await lessonAt('08')
    const path = `/students/${office.student}`
    const changed = await doneBy(school.client.patch(path, { license_class_template_id: template.id }))
    expect((await lesson(id)).body.license_class).toBe(template.license_class)
    const [enrolment] = (await school.client.get(`${path}/enrolments`)).body
    took(await undo(changed), [office.student, enrolment.id, id])
    expect((await lesson(id)).body).toMatchObject({ license_class: null, enrolment_id: null })
    expect((await school.client.get(`${path}/enrolments`)).body).toEqual([])
  })

  it('deactivates a new instructor, but not one with a booked lesson', async () => {
    const body = { first_name: 'Jonas', last_name: 'Brandt' }
    const hired = await doneBy(school.client.post('/instructors', body))
    const other = await doneBy(school.client.post('/instructors', body))
    await lessonAt('08', { instructor_id: other.body.id })
    const undone = await undo(hired)
    took(undone, [hired.body.id])
    took(await undo(other), [], { [other.body.id]: 'in_use' })
    const active = async () => (await school.client.get(`/instructors/${hired.body.id}`)).body.active
    expect(await active()).toBe(false)
    took(await undo(undone), [hired.body.id])
    expect(await active()).toBe(true)
  })

  it('refuses links and schedule requests with not_undoable', async () => {
    const { client } = school
    const link = await doneBy(client.post(`/students/${office.student}/link`))
    const asked = { instructor_id: office.instructor, start_date: '2099-03-05', end_date: '2099-03-06' }
    const request = await doneBy(client.post('/schedule-requests', asked))
    const address = `/schedule-requests/${request.body.id}`
    const accepted = await doneBy(client.patch(address, { status: 'accepted' }))
    for (const answer of [link, request, accepted]) {
      const { body } = await undo(answer)
      expect([body.undone, new Set(body.refused.map(({ code }: Row) => code))]).toEqual([
        [],
        new Set(['not_undoable']),
      ])
    }
  })
})
