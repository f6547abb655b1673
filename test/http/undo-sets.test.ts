// @module-tag embedded: an undo is one transaction of many statements

import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf } from '../support/changes.ts'
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

  it('reports each lesson that the rules refuse, and undoes the others', async () => {
    const series = await office.series({ every_weeks: 1, count: 3 })
    const [first, second, third] = idsOf(await office.all()) as [string, string, string]
    const deleted = await undo(series)
    await school.lesson({
      ...{ instructor_id: office.instructor, start_at: '2099-03-09 08:30', end_at: '2099-03-09 09:00' },
    })
    const redone = await undo(deleted)
    took(redone, [first, third], { [second]: 'instructor_busy' })
    expect(redone.body.refused).toEqual([
      { resource: 'appointment', resource_id: second, code: 'instructor_busy' },
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
    took(await undo(changed), [office.student])
    expect((await lesson(id)).body.license_class).toBe(null)
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
