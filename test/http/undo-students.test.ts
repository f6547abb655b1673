import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf } from '../support/changes.ts'
import type { Answer } from '../support/client.ts'
import { erase } from '../support/erasure.ts'
import type { Row, School } from '../support/factory.ts'
import type { SeriesOffice } from '../support/series-office.ts'
import { anUndoOffice, doneBy, idsOf, took, type UndoOffice } from '../support/undo-office.ts'

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

async function imported(...names: readonly string[]): Promise<Answer> {
  const lines = ['Vorname;Nachname', ...names.map((name) => `${name};Vogt-Meier`)].join('\n')
  const file = Buffer.from(lines).toString('base64')
  return doneBy(school.client.post('/student-imports', { file }))
}

async function studentsByName(): Promise<Readonly<Record<string, string>>> {
  const { body } = await school.client.get('/students')
  return Object.fromEntries(body.map(({ first_name, id }: Row) => [first_name, id]))
}

describe('the undo of an import', () => {
  // An undo is one transaction of many statements.
  it('deletes its students, except those changed or booked since, and can itself be undone', {
    tags: 'embedded',
  }, async () => {
    const file = await imported('Ada', 'Ben', 'Cem', 'Dora')
    const { Ada, Ben, Cem, Dora } = (await studentsByName()) as Record<string, string>
    await school.client.patch(`/students/${Ben}`, { phone: '112' })
    await lessonAt('08', { student_id: Cem })
    const undone = await undo(file)
    took(undone, [Ada ?? '', Dora ?? ''], { [Ben ?? '']: 'changed_since', [Cem ?? '']: 'in_use' })
    expect(Object.keys(await studentsByName()).toSorted()).toEqual(['Ben', 'Cem', 'Lena'])
    took(await undo(undone), [Ada ?? '', Dora ?? ''])
    expect(Object.keys(await studentsByName())).toHaveLength(5)
  })

  it('deletes 2,000 students', async () => {
    const file = await imported(...Array.from({ length: 2_000 }, (_, at) => `Ada${at}`))
    const undone = await undo(file)
    expect(undone.status, undone.text).toBe(200)
    expect([undone.body.undone.length, undone.body.refused]).toEqual([2_000, []])
    expect(Object.keys(await studentsByName())).toEqual(['Lena'])
  })
})

describe("the undo of a student's deletion", () => {
  it('restores the student and plans the lessons again that the rules allow', async () => {
    const [one, two] = [await lessonAt('08'), await lessonAt('10')]
    const deleted = await doneBy(school.client.delete(`/students/${office.student}`))
    await lessonAt('10', { student_id: null })
    const undone = await undo(deleted)
    took(undone, [office.student, one.id], { [two.id]: 'instructor_busy' })
    expect((await lesson(one.id)).body.status).toBe('planned')
    took(await undo(undone), [office.student, one.id])
    expect((await school.client.get(`/students/${office.student}`)).status).toBe(404)
    // As after any deletion, a restoration plans the lessons that the deletion cancelled, and no others.
    const restored = await school.client.post(`/students/${office.student}/restore`)
    expect([restored.body.restored, restored.body.refused]).toEqual([[one.id], []])
  })

  it('cannot itself be undone if lessons were booked since', async () => {
    const { id } = await lessonAt('08')
    const deleted = await doneBy(school.client.delete(`/students/${office.student}`))
    const undone = await undo(deleted)
    await lessonAt('12')
    took(await undo(undone), [], { [office.student]: 'in_use', [id]: 'in_use' })
    expect(await statuses()).toEqual(['planned', 'planned'])
  })

  it('is required before lessons of the student can be planned again', async () => {
    const { body } = await office.series({ every_weeks: 1, count: 2 })
    const path = `/appointments/series/${body.series_id}/cancel`
    const cancelled = await doneBy(school.client.post(path, { from: '2099-03-02' }))
    await school.client.delete(`/students/${office.student}`)
    const [one, two] = idsOf(body.booked) as [string, string]
    took(await undo(cancelled), [], { [one]: 'not_found', [two]: 'not_found' })
    expect((await school.client.patch(`/appointments/${one}`, { status: 'planned' })).status).toBe(404)
  })

  it('cannot undo an erasure or changes that an erasure has removed from the log', async () => {
    const { id } = await lessonAt('08')
    const deletedLesson = await doneBy(school.client.delete(`/appointments/${id}`))
    const deleted = await doneBy(school.client.delete(`/students/${office.student}`))
    await erase(service(), school.tenantId, office.student)
    took(await undo(deleted), [], { [office.student]: 'erased' })
    took(await undo(deletedLesson), [], { [id]: 'erased' })
    const [erasure] = await changesOf(school.client, `?resource_id=${office.student}`)
    const answer = await school.client.post(`/changes/sets/${erasure?.set_id}/undo`)
    expect(answer.body.undone).toEqual([])
  })
})
