import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { type Answer, anAddress, Client, must } from '../support/client.ts'
import { aSchool, aUser, cheapHash, PASSWORD, type School } from '../support/factory.ts'
import { newEmail } from '../support/invitations.ts'
import { times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { bearer } from '../support/session.ts'
import { aPersonAt, enterWith, type Membership, schoolsOf } from '../support/shared-address.ts'

const service = useOwnService({
  loginLimits: { perAccountAndAddress: 3, perAccount: 5, perAddress: 100 },
})
const GUESSES = ['first guess', 'second guess', 'third guess', 'fourth guess', PASSWORD]

const attempt = (email: string, password: string, network: string) =>
  new Client(service(), { 'x-forwarded-for': network }).post('/auth/login', { email, password })

/** Creates the victim's school, and one whose owner sets the password of a user with the victim's address. */
async function aVictim() {
  const [victim, attacker] = (await aPersonAt(service(), [PASSWORD, 'anything'])) as [Membership, Membership]
  const setPassword = async (password: string) => {
    const set = { password_hash: await cheapHash(password) }
    await service().db.updateTable('users').set(set).where('id', '=', attacker.user.id).execute()
  }
  return { victim, attacker, email: victim.user.email, setPassword }
}

describe('an owner with a user whose address is also used in another school', () => {
  it('cannot guess the password there by setting guesses on their own user (S111)', async () => {
    const { attacker, email, setPassword } = await aVictim()
    const network = anAddress()
    const opened: string[][] = []
    for (const guess of GUESSES) {
      await setPassword(guess)
      const answer = await attempt(email, guess, network)
      const client = new Client(service(), bearer(must(200, answer).token))
      expect((await client.get('/auth/me')).body.id).toBe(attacker.user.id)
      opened.push((await schoolsOf(client)).all)
    }
    expect(opened).toEqual(GUESSES.map(() => [attacker.school.tenantId]))
  })

  it('does not lock out the user of the other school by such guesses', async () => {
    const { victim, email, setPassword } = await aVictim()
    for (const guess of [...GUESSES, ...GUESSES].filter((one) => one !== PASSWORD)) {
      await setPassword(guess)
      must(200, await attempt(email, guess, anAddress()))
    }
    const { client } = await enterWith(service(), email)
    expect((await client.get('/auth/me')).body.id).toBe(victim.user.id)
  })

  it('does not make their own network familiar to the other user', async () => {
    const { attacker, victim, email } = await aVictim()
    const network = anAddress()
    must(200, await attempt(email, 'anything', network))
    for (const _ of times(5, Number)) await attempt(email, 'wrong', anAddress())
    expect((await attempt(email, PASSWORD, network)).status).toBe(429)
    const own = must(200, await attempt(email, 'anything', network))
    const me = await new Client(service(), bearer(own.token)).get('/auth/me')
    expect(me.body.id).toBe(attacker.user.id)
    const home = anAddress()
    await sql`insert into login_addresses (user_id, address) values (${victim.user.id}, ${home})`.execute(
      service().db,
    )
    expect((await attempt(email, PASSWORD, home)).status).toBe(200)
  })

  it('can reset, change and disable only their own user (S111)', async () => {
    const { attacker, victim, email } = await aVictim()
    const { client } = await enterWith(service(), email)
    for (const path of ['password-reset', 'email-change', 'invitation'])
      expect(
        (await attacker.school.client.post(`/users/${victim.user.id}/${path}`, bodyOf(path))).status,
      ).toBe(404)
    const own = `/users/${attacker.user.id}`
    must(200, await attacker.school.client.post(`${own}/password-reset`))
    must(200, await attacker.school.client.post(`${own}/email-change`, { email: newEmail() }))
    must(200, await attacker.school.client.patch(own, { disabled: true }))
    expect((await client.get('/auth/me')).status).toBe(200)
    expect((await enterWith(service(), email)).token).toBeDefined()
    const { text } = await attacker.school.client.get('/changes')
    expect(text).not.toContain(victim.user.id)
  })
})

const bodyOf = (path: string) => (path === 'email-change' ? { email: newEmail() } : undefined)

describe('the users of an address', () => {
  it('are limited to five when 32 schools invite it concurrently', { tags: ['embedded'] }, async () => {
    const email = newEmail()
    const schools: School[] = []
    for (const _ of times(32, Number)) schools.push(await aSchool(service()))
    const body = { email, name: 'Ida Invited', role: 'office' }
    // On a busy machine some may wait for a turn in vain, and come again.
    const invited = async (school: School): Promise<Answer> => {
      const answer = await school.client.post('/users', body)
      return answer.status === 503 ? invited(school) : answer
    }
    const answers = await Promise.all(schools.map(invited))
    const codes = answers.map((answer) => answer.body.code ?? answer.status)
    expect(codes.toSorted()).toEqual([...Array(5).fill(201), ...Array(27).fill('email_taken')])
  })
})

describe('a session switch', () => {
  it('succeeds for one of 8 concurrent requests; the others get 401', {
    tags: ['embedded'],
  }, async () => {
    const people = await aPersonAt(
      service(),
      times(5, () => PASSWORD),
    )
    const email = people[0]?.user.email ?? ''
    const { client } = await enterWith(service(), email)
    const targets = people.slice(1).flatMap(({ school }) => [school.tenantId, school.tenantId])
    const answers = await Promise.all(targets.map((id) => client.post(`/auth/schools/${id}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(401)])
  })

  it('does not outlive a concurrent password change at its target', {
    tags: ['embedded'],
  }, async () => {
    for (const _ of times(4, Number)) {
      const [first, second] = (await aPersonAt(service(), [PASSWORD, PASSWORD])) as [Membership, Membership]
      const { client } = await enterWith(service(), first.user.email)
      const other = await enterWith(service(), first.user.email)
      const there = must(200, await other.client.post(`/auth/schools/${second.school.tenantId}`))
      const change = { current_password: PASSWORD, new_password: 'staple, correct horse' }
      const owner = new Client(service(), bearer(there.token))
      const [switched, changed] = await Promise.all([
        client.post(`/auth/schools/${second.school.tenantId}`),
        owner.post('/auth/password', change),
      ])
      expect(changed.status).toBe(204)
      expect([200, 401, 404]).toContain(switched.status)
      if (switched.status === 200) {
        const late = new Client(service(), bearer(switched.body.token))
        expect((await late.get('/auth/me')).status).toBe(401)
      } else {
        expect((await schoolsOf(client)).all).toEqual([first.school.tenantId])
      }
    }
  })
})

const PASSWORDS = ['correct horse battery', 'staple, correct horse', 'another one of them'] as const
const index = fc.nat({ max: 2 })

const command = fc.oneof(
  fc.record({ kind: fc.constant('login' as const), password: index }),
  fc.record({ kind: fc.constant('switch' as const), session: fc.nat({ max: 5 }), school: index }),
  fc.record({ kind: fc.constant('set' as const), school: index, password: index }),
  fc.record({ kind: fc.constant('disable' as const), school: index, disabled: fc.boolean() }),
)

it('a session reaches only schools that its password opened (S111)', {
  tags: ['rounds'],
}, async () => {
  const people = await aPersonAt(service(), [PASSWORDS[0], PASSWORDS[0], PASSWORDS[1]])
  const email = people[0]?.user.email ?? ''
  const passwords: number[] = [0, 0, 1]
  const disabled: boolean[] = [false, false, false]
  const schoolAt = (tenantId: string) => people.findIndex(({ school }) => school.tenantId === tenantId)
  /** A session's current school and all schools that it may reach. A session that has ended is removed. */
  type Modelled = { client: Client; at: number; may: Set<number> }

  const property = fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
    let sessions: Modelled[] = []
    const forget = (school: number) => {
      sessions = sessions.filter(({ at }) => at !== school)
      for (const { may } of sessions) may.delete(school)
    }
    for (const one of commands) {
      if (one.kind === 'login') {
        // The sixth failure of an account would be rejected whatever the password.
        await sql`delete from login_failures`.execute(service().db)
        const answer = await attempt(email, PASSWORDS[one.password] ?? '', anAddress())
        const may = new Set([0, 1, 2].filter((at) => passwords[at] === one.password && !disabled[at]))
        expect(answer.status).toBe(may.size > 0 ? 200 : 401)
        if (answer.status !== 200) continue
        const client = new Client(service(), bearer(answer.body.token))
        const at = schoolAt((await client.get('/auth/me')).body.tenant_id)
        expect(may).toContain(at)
        sessions.push({ client, at, may })
      } else if (one.kind === 'switch') {
        const session = sessions[one.session]
        if (!session) continue
        const target = people[one.school]?.school.tenantId
        const answer = await session.client.post(`/auth/schools/${target}`)
        const isAllowed = session.may.has(one.school) && one.school !== session.at
        expect(answer.status).toBe(isAllowed ? 200 : 404)
        if (!isAllowed) continue
        const client = new Client(service(), bearer(answer.body.token))
        sessions = sessions.with(one.session, { client, at: one.school, may: session.may })
      } else {
        const { school, user } = people[one.school] as Membership
        if (one.kind === 'disable') {
          must(200, await school.client.patch(`/users/${user.id}`, { disabled: one.disabled }))
          disabled[one.school] = one.disabled
          if (one.disabled) forget(one.school)
        } else if (!disabled[one.school]) {
          const { url } = must(200, await school.client.post(`/users/${user.id}/password-reset`))
          const reset = { password: PASSWORDS[one.password] }
          const token = new URL(url).hash.slice(1)
          must(204, await new Client(service()).post(`/auth/password-resets/${token}`, reset))
          passwords[one.school] = one.password
          forget(one.school)
        }
      }
      for (const { client, at, may } of sessions) {
        const { all, current } = await schoolsOf(client)
        expect(schoolAt(current ?? '')).toBe(at)
        expect(new Set(all.map(schoolAt))).toEqual(may)
      }
    }
  })
  await fc.assert(property, { numRuns: rounds(16) })
})

it('a user with another address sees only their own school', async () => {
  const [first] = (await aPersonAt(service(), [PASSWORD, PASSWORD])) as [Membership, Membership]
  const colleague = await aUser(service(), first.school.tenantId)
  const { client } = await enterWith(service(), colleague.email)
  expect((await schoolsOf(client)).all).toEqual([first.school.tenantId])
})
