import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let own: Row
let others: Row

beforeAll(async () => {
  school = await aSchool(service())
  own = await school.instructor()
  others = await school.instructor()
  await school.lesson({ instructor_id: own.id, start_at: '2027-03-01 08:00', end_at: '2027-03-01 09:30' })
  await school.lesson({ instructor_id: others.id, start_at: '2027-03-01 08:00', end_at: '2027-03-01 09:30' })
})

describe.each(['owner', 'office'] as const)('a user with the role %s who also teaches', (role) => {
  let user: School

  beforeAll(async () => {
    const teaching = await aUser(service(), school.tenantId, { role, instructor_id: own.id })
    user = await enter(service(), { tenantId: school.tenantId, user: teaching })
  })

  it('sees the whole school and their own instructor_id', async () => {
    const { body } = await user.client.get('/bootstrap')
    expect(body.user).toMatchObject({ role, instructor_id: own.id })
    expect(body.instructors).toHaveLength(2)
    const day = '/appointments?from=2027-03-01&to=2027-03-01'
    expect((await user.client.get(day)).body).toHaveLength(2)
    const mine = await user.client.get(`${day}&instructor_id=${own.id}`)
    expect(mine.body.map((lesson: Row) => lesson.instructor_id)).toEqual([own.id])
  })

  it('books and changes lessons of any instructor', async () => {
    const day = role === 'owner' ? '2027-03-02' : '2027-03-03'
    const lesson = await user.lesson({
      instructor_id: others.id,
      start_at: `${day} 08:00`,
      end_at: `${day} 09:30`,
    })
    const moved = await user.client.patch(`/appointments/${lesson.id}`, { instructor_id: own.id })
    expect(moved.status).toBe(200)
  })

  it('requests days off and shares their own calendar', async () => {
    const asked = await user.client.post('/schedule-requests', {
      instructor_id: own.id,
      start_date: '2027-04-01',
      end_date: '2027-04-02',
    })
    expect(asked.status, asked.text).toBe(201)
    const feed = await user.client.post(`/instructors/${own.id}/calendar-feed`, { detail: 'full' })
    expect(feed.status, feed.text).toBe(200)
  })
})

it('a change of role keeps the instructor of the user, and the role instructor requires one', async () => {
  const { id } = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: own.id })
  const promoted = await school.client.patch(`/users/${id}`, { role: 'office' })
  expect(promoted.body).toMatchObject({ role: 'office', instructor_id: own.id })
  expect((await school.client.patch(`/users/${id}`, { instructor_id: null })).status).toBe(200)
  const refused = await school.client.patch(`/users/${id}`, { role: 'instructor' })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/instructor_id'])
})
