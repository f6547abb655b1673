import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, type Row, type School } from '../support/factory.ts'
import { feedOf } from '../support/links.ts'

const service = useService()
let school: School
let instructor: Row
let student: Row

beforeAll(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  student = await school.student()
})

const anonymous = () => new Client(service())

describe('a calendar feed', () => {
  const gone = async (path: string) => {
    const { status, body } = await anonymous().get(path)
    return [status, body.code, Object.keys(body).sort().join()]
  }
  const same = [404, 'not_found', 'code,detail,params,request_id,status,title,type']

  it('returns the same 404 once replaced, deleted, or without an active instructor or login', async () => {
    const old = await feedOf(school, instructor, 'busy')
    const next = await feedOf(school, instructor, 'busy')
    expect(await gone(old)).toEqual(same)
    expect((await anonymous().get(next)).status).toBe(200)
    const leaver = await school.instructor()
    const left = await feedOf(school, leaver, 'busy')
    await school.client.patch(`/instructors/${leaver.id}`, { active: false })
    expect(await gone(left)).toEqual(same)
    const disabled = await school.instructor()
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: disabled.id })
    const theirs = await feedOf(school, disabled, 'busy')
    expect((await anonymous().get(theirs)).status).toBe(200)
    await service()
      .db.updateTable('users')
      .set({ disabled_at: new Date() })
      .where('id', '=', user.id)
      .execute()
    expect(await gone(theirs)).toEqual(same)
    await school.client.delete(`/instructors/${instructor.id}/calendar-feed`)
    expect(await gone(next)).toEqual(same)
  })

  it.each([
    ['a guess', 'A'.repeat(65)],
    ['a malformed token', 'x'],
    ['a token that is one letter too long', 'B'.repeat(66)],
    ['a path traversal', '..%2f..%2fstudents'],
  ])('returns the same 404 for %s', async (_, token) => {
    expect(await gone(`/calendars/${token}.ics`)).toEqual(same)
  })

  it("returns 404 for a secret with another school's id, and for the token of a student's page", async () => {
    const path = await feedOf(school, instructor, 'busy')
    const page = (await school.client.post(`/students/${student.id}/link`)).body.url.split('/').at(-1)
    const other = await aSchool(service())
    const foreign = await feedOf(other, await other.instructor(), 'busy')
    const [own, theirs] = [path.slice(11, 33), foreign.slice(11, 33)]
    expect(own).not.toBe(theirs)
    expect(await gone(path.replace(own, theirs))).toEqual(same)
    expect(await gone(`/calendars/${page}.ics`)).toEqual(same)
  })

  it('is logged without its secret (S96)', async () => {
    const path = await feedOf(school, instructor, 'busy')
    const secret = path.slice(33, -4)
    await anonymous().get(path)
    for (const address of [`${path}x`, path.slice(0, -4), `${path}/`, path.replace('.ics', '.ICS')])
      await anonymous().get(address)
    await anonymous().get(`//s/${path.slice(11, -4)}/more`)
    const log = JSON.stringify(service().log())
    expect(log).toContain('/api/v1/calendars/:token.ics')
    expect(log).not.toContain(secret)
    expect(log).not.toContain(secret.slice(0, 40))
  })
})

describe('a client that guesses tokens of calendar feeds', () => {
  it('does not shut the right links of its network', async () => {
    const path = await feedOf(school, await school.instructor(), 'busy')
    const network = anonymous()
    for (let at = 0; at < 61; at += 1) await network.get(`/calendars/${String(at).padStart(65, 'B')}.ics`)
    expect((await network.get(path)).status).toBe(200)
    expect((await network.get(`/calendars/${'C'.repeat(65)}.ics`)).status).toBe(429)
  })

  it('gets 429 after 60 guesses, while other clients do not', async () => {
    const guesser = anonymous()
    const answers: number[] = []
    const guess = (at: number) => `/calendars/${String(at).padStart(65, 'A')}.ics`
    for (let at = 0; at < 61; at += 1) answers.push((await guesser.get(guess(at))).status)
    expect(new Set(answers.slice(0, 60))).toEqual(new Set([404]))
    expect(answers[60]).toBe(429)
    const refused = await guesser.get(guess(61))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await anonymous().get(guess(62))).status).toBe(404)
  })
})
