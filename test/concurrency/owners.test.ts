// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aUser } from '../support/factory.ts'
import { accept, anInvitation } from '../support/invitations.ts'
import { times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { bearer, loginOf } from '../support/session.ts'
import { useRaces } from './use-races.ts'

const { service, school } = useRaces()
const ROUNDS = rounds(8)

/** Creates a school with only two owners, both logged in. Its first user becomes office staff and can still read. */
async function twoOwners() {
  const place = await school()
  const owners = await Promise.all(
    times(2, async () => {
      const user = await aUser(service(), place.tenantId)
      const { token } = await loginOf(service(), user)
      const client = place.client.with(bearer(token))
      await client.get('/auth/me')
      return { id: user.id, client }
    }),
  )
  await owners[0]?.client.patch(`/users/${place.user.id}`, { role: 'office' })
  return { place, owners }
}

describe('two owners who concurrently demote or disable each other', () => {
  it.each([{ role: 'office' }, { disabled: true }])('leave one active owner: %o', async (change) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { place, owners } = await twoOwners()
      const answers = await Promise.all(
        owners.map(({ id }, index) => owners[1 - index]?.client.patch(`/users/${id}`, change)),
      )
      const statuses = answers.map((answer) => answer?.status)
      expect(statuses).toContain(200)
      // The other request is second: no owner would be left, or its user is no longer owner, or is logged out.
      expect([401, 403, 409]).toContain(statuses.find((status) => status !== 200))
      const { rows } = await sql`select from users where tenant_id = ${place.tenantId} and role = 'owner'
        and disabled_at is null`.execute(service().db)
      expect(rows).toHaveLength(1)
    }
  })
})

describe('an invitation (C23)', () => {
  it('is accepted by exactly one of 8 concurrent requests', async () => {
    const place = await school()
    const { token } = await anInvitation(place)
    const answers = await Promise.all(
      times(8, (index) => accept(place.client, token, `staple, correct horse ${index}`)),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect([won.length, new Set(answers.map(({ status }) => status))]).toEqual([1, new Set([200, 404])])
  })

  it('is created by exactly one of 8 concurrent requests for the same address', async () => {
    const place = await school()
    const body = { email: `${crypto.randomUUID()}@school.example`, name: 'Ida', role: 'office' }
    const answers = await Promise.all(times(8, () => place.client.post('/users', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })
})
