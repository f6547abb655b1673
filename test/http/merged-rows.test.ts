import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { anEnquiry, enquiriesOf } from '../support/enquiries.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { setOf } from '../support/undo-office.ts'

const service = useService()
let school: School
let self: Row
let other: Row

beforeEach(async () => {
  school = await aSchool(service())
  const templates = must(200, await school.client.get('/license-class-templates')) as Row[]
  const license_class_template_id = templates.find(({ code }) => code === 'B')?.id
  self = await school.student({ license_class_template_id })
  other = await school.student({ license_class_template_id, phone: '0170 1234567' })
})

const merge = (headers = {}, body: object = {}) =>
  school.client.post(`/students/${self.id}/merge`, { other_id: other.id, ...body }, headers)
const rowsOf = async (path: string): Promise<readonly Row[]> => must(200, await school.client.get(path))
const undo = async (set: unknown) => {
  const { refused } = must(200, await school.client.post(`/changes/sets/${set}/undo`))
  expect(JSON.stringify(refused)).toBe('[]')
}
const undoLast = async () => undo((await rowsOf(`/students/${self.id}/history`))[0]?.set_id)
const findings = async () => JSON.stringify(await findingsInSchool(service().db, school.tenantId))

describe('a merge with an idempotency key', () => {
  it('returns the same response when repeated, although the other student is deleted', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const take = { take: { phone: 'other' } }
    const first = await merge(key, take)
    must(200, await school.client.patch(`/students/${self.id}`, { notes: 'Later.' }))
    const again = await merge(key, take)
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
    const of = ({ headers }: typeof first) =>
      ['etag', 'idempotency-replayed'].map((name) => headers.get(name))
    expect(of(again)).toEqual([of(first)[0], 'true'])
    expect(of(first)).toEqual([`"${first.body.version}"`, null])
    expect((await merge()).status).toBe(404)
  })

  it('is 422 with another body, and may be sent again after a refusal', async () => {
    const key = { 'idempotency-key': randomUUID() }
    must(204, await school.client.delete(`/students/${other.id}`))
    expect((await merge(key)).status).toBe(404)
    must(200, await school.client.post(`/students/${other.id}/restore`))
    must(200, await merge(key))
    const { status, body } = await merge(key, { take: { phone: 'other' } })
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
  })
})

describe('deleted rows of a merged student', () => {
  const tickOf = async (student: Row) => {
    const all = await rowsOf(`/students/${student.id}/enrolments`)
    return `/enrolments/${all.find(({ is_current }) => is_current)?.id}/ticks/contract`
  }
  const dateOf = async (tick: string) =>
    (await rowsOf(tick.replace(/\/contract$/, ''))).find(({ kind }) => kind === 'contract')?.date

  it('move, so that they can be restored, and move back with an undo', async () => {
    const wish = must(201, await school.client.post(`/students/${other.id}/wishes`, { minutes: 90 }))
    const withdrawn = setOf(await school.client.delete(`/students/${other.id}/wishes/${wish.id}`))
    const tick = await tickOf(other)
    must(200, await school.client.put(tick, { date: '2026-01-20' }))
    const unticked = setOf(await school.client.delete(tick))
    const week = `/students/${other.id}/availability/2099-03-02`
    must(200, await school.client.put(week, { lessons: 0, windows: [] }))
    const unanswered = setOf(await school.client.delete(week))
    must(200, await merge())
    expect(await findings()).toBe('[]')
    await undoLast()
    expect(await rowsOf(`/students/${other.id}/wishes`)).toEqual([])
    await undoLast()
    for (const set of [withdrawn, unticked, unanswered]) await undo(set)
    expect(await rowsOf(`/students/${self.id}/wishes`)).toMatchObject([{ id: wish.id }])
    expect(await dateOf(await tickOf(self))).toBe('2026-01-20')
    expect(must(200, await school.client.get(week.replace(other.id, self.id)))).toMatchObject({ lessons: 0 })
    expect(await findings()).toBe('[]')
  })
})

describe('the enquiry of a merged student', () => {
  it('names the kept student, in another version, and again the other after an undo', async () => {
    const enquiry = await anEnquiry(service(), school)
    other = must(201, await school.client.post(`/enquiries/${enquiry.id}/enrol`))
    const studentOf = async () => {
      const [one] = await enquiriesOf(school)
      return [one?.student_id, one?.version]
    }
    expect(await studentOf()).toEqual([other.id, 2])
    must(200, await merge())
    expect(await studentOf()).toEqual([self.id, 3])
    await undoLast()
    expect(await studentOf()).toEqual([other.id, 4])
    await undoLast()
    expect(await studentOf()).toEqual([self.id, 5])
    expect(await findings()).toBe('[]')
  })

  it('stays with a student who had one already, and hinders no undo if it has been deleted', async () => {
    const own = await anEnquiry(service(), school)
    self = must(201, await school.client.post(`/enquiries/${own.id}/enrol`))
    const theirs = await anEnquiry(service(), school, { first_name: 'Emma' })
    other = must(201, await school.client.post(`/enquiries/${theirs.id}/enrol`))
    must(200, await merge())
    await undoLast()
    const students = Object.fromEntries((await enquiriesOf(school)).map((one) => [one.id, one.student_id]))
    expect(students).toEqual({ [own.id]: self.id, [theirs.id]: other.id })
    await undoLast()
    await service().db.deleteFrom('enquiries').where('tenant_id', '=', school.tenantId).execute()
    await undoLast()
    must(200, await school.client.get(`/students/${other.id}`))
  })
})
