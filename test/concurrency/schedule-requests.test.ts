// @module-tag embedded: the outcome of a race depends on how a database locks

import { describe, expect, it } from 'vitest'
import { usePatientService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'

const service = usePatientService()

describe('a schedule request with four concurrent decisions', () => {
  it('is decided exactly once, and adds a vacation only if it was accepted', async () => {
    const school = await aSchool(service())
    for (let round = 0; round < 10; round += 1) {
      const { id } = await school.instructor()
      const asked = { instructor_id: id, start_date: '2026-08-03', end_date: '2026-08-14' }
      const request = (await school.client.post('/schedule-requests', asked)).body
      const deciding = ['accepted', 'declined', 'withdrawn', 'accepted'].map((status, index) =>
        school.client.patch(`/schedule-requests/${request.id}`, { status, answer: String(index) }),
      )
      const answers = await Promise.all(deciding)
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
      const won = answers.find(({ status }) => status === 200)?.body
      expect((await school.client.get(`/schedule-requests/${request.id}`)).body).toEqual(won)
      const { vacations } = (await school.client.get(`/instructors/${id}`)).body
      expect(vacations).toHaveLength(won.status === 'accepted' ? 1 : 0)
    }
  })
})
