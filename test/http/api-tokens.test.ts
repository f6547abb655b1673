import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { changesOfUser } from '../support/changes.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School, type User } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'
import { inSession } from '../support/passkeys.ts'
import { aLogin, bearer, type LoggedIn, loginOf, setUserDisabled, statusWith } from '../support/session.ts'

const service = useService()
let school: School
let owner: LoggedIn

type Made = { id: string; token: string; name: string; expires_at: string }
type Wish = { name?: string; role?: string; scope?: string; expires_in_days?: number }

beforeAll(async () => {
  school = await aSchool(service())
  owner = await aLogin(service(), school.tenantId)
})

async function tokenOf(session: LoggedIn, wish: Wish = {}): Promise<Made> {
  return must(201, await ask(session, wish))
}

function ask(session: LoggedIn, wish: Wish = {}) {
  const body = { name: 'Script', role: 'office', scope: 'write', expires_in_days: 30, ...wish }
  return inSession(session).post('/auth/tokens', body)
}

/** Returns a client that acts with an API token. */
async function programOf(session: LoggedIn, wish: Wish = {}): Promise<Client> {
  return session.client.with(bearer((await tokenOf(session, wish)).token))
}

describe('an API token', () => {
  it('is shown once, listed without its text, stored as a hash and logged', async () => {
    const session = await aLogin(service(), school.tenantId)
    const made = await tokenOf(session, { name: ' Invoices ', scope: 'read' })
    expect(made.token).toMatch(/^fahrplan_[\w-]{43}$/)
    const { token, ...shown } = made
    const listed = must(200, await inSession(session).get('/auth/tokens'))
    expect(listed).toEqual([{ ...shown, name: 'Invoices', last_used_at: null }])
    const stored = await sql<{
      text: string
    }>`select token_families::text as text from token_families`.execute(service().db)
    expect(stored.rows.filter(({ text }) => text.includes(token) || text.includes(token.slice(9)))).toEqual(
      [],
    )
    must(204, await inSession(session).delete(`/auth/tokens/${made.id}`))
    expect(must(200, await inSession(session).get('/auth/tokens'))).toEqual([])
    const facts = { api_token_role: 'office', api_token_scope: 'read', api_token_expires_at: made.expires_at }
    expect(await changesOfUser(school.client, session.user.id)).toEqual([
      [{ api_token: null }, { api_token: 'Invoices', ...facts }],
      [{ api_token: 'Invoices' }, { api_token: null }],
    ])
    const lines = JSON.stringify(service().log())
    expect([lines.includes('api_token_made'), lines.includes(token)]).toEqual([true, false])
  })

  it('books as its user, and says when it was last used', async () => {
    const session = await aLogin(service(), school.tenantId)
    const program = await programOf(session)
    expect(must(200, await program.get('/auth/me'))).toMatchObject({ id: session.user.id, role: 'office' })
    const student = must(201, await program.post('/students', { first_name: 'Mia', last_name: 'Sommer' }))
    const [change] = must(200, await school.client.get(`/students/${student.id}/history`))
    expect(change.actor).toMatchObject({ kind: 'user', id: session.user.id })
    await expect
      .poll(async () => must(200, await inSession(session).get('/auth/tokens'))[0].last_used_at)
      .not.toBeNull()
  })

  it('needs a proof that it is the user', async () => {
    const session = await aLogin(service(), school.tenantId)
    await sql`update token_families set proved_at = now() - interval '6 minutes' where user_id = ${session.user.id}`.execute(
      service().db,
    )
    const early = await ask(session)
    expect([early.status, early.body.code]).toEqual([403, 'proof_required'])
    must(204, await inSession(session).post('/auth/proof', { password: PASSWORD }))
    must(201, await ask(session))
  })

  it('has at most the role of its user, and an instructor only where there is one', async () => {
    const clerk = await loginOf(service(), await aUser(service(), school.tenantId, { role: 'office' }))
    const more = await ask(clerk, { role: 'owner' })
    expect([more.status, more.body.errors[0].code]).toEqual([400, 'more_than_own'])
    const none = await ask(clerk, { role: 'instructor' })
    expect([none.status, none.body.errors[0].code]).toEqual([400, 'no_instructor'])
    const program = await programOf(owner, { role: 'office' })
    expect((await program.patch('/tenant', { name: 'Mine' })).body.code).toBe('forbidden')
  })

  it('loses the rights that its user loses', async () => {
    const user = await aUser(service(), school.tenantId, { role: 'owner' })
    const session = await loginOf(service(), user)
    const program = await programOf(session, { role: 'owner' })
    must(200, await program.get('/webhooks'))
    must(200, await school.client.patch(`/users/${user.id}`, { role: 'office' }))
    expect((await program.get('/webhooks')).status).toBe(403)
    await setUserDisabled(service(), school.tenantId, user.id, true)
    await expect.poll(async () => (await program.get('/auth/me')).status).toBe(401)
  })

  it.each([
    ['name', ''],
    ['role', 'operator'],
    ['scope', 'all'],
    ['expires_in_days', 0],
    ['expires_in_days', 367],
    ['expires_in_days', 1.5],
  ])('is refused with %s %j', async (field, value) => {
    const { status, body } = await ask(owner, { [field]: value })
    expect([status, body.errors[0].pointer]).toEqual([400, `/${field}`])
  })

  it('is refused beyond twenty, of which expired ones do not count', async () => {
    const session = await aLogin(service(), school.tenantId)
    for (let count = 0; count < 20; count += 1) await tokenOf(session, { name: `Script ${count}` })
    const more = await ask(session)
    expect([more.status, more.body.errors[0]]).toMatchObject([400, { pointer: '/name', code: 'too_many' }])
    await expire(session.user, 'Script 3')
    must(201, await ask(session))
  })

  it('stops when it expires, and stays listed', async () => {
    const session = await aLogin(service(), school.tenantId)
    const program = await programOf(session, { name: 'Old' })
    await expire(session.user, 'Old')
    expect((await program.get('/auth/me')).status).toBe(401)
    expect(must(200, await inSession(session).get('/auth/tokens'))).toMatchObject([{ name: 'Old' }])
  })

  it('stays when other sessions end, and ends with the password', async () => {
    const session = await aLogin(service(), school.tenantId)
    const program = await programOf(session)
    must(204, await inSession(session).delete('/auth/sessions'))
    expect((await program.get('/auth/me')).status).toBe(200)
    const change = { current_password: PASSWORD, new_password: 'meadow seven lanterns' }
    must(204, await inSession(session).post('/auth/password', change))
    expect((await program.get('/auth/me')).status).toBe(401)
  })

  it('ends at once in this process and soon in others, for a write in progress, too', async () => {
    const replica: TestService = await startService(service().db)
    try {
      const session = await aLogin(service(), school.tenantId)
      const { id, token } = await tokenOf(session, { role: 'owner' })
      const elsewhere = new Client(replica, bearer(token))
      must(200, await elsewhere.get('/auth/me'))
      must(204, await inSession(session).delete(`/auth/tokens/${id}`))
      expect(await statusWith(session.client, token)).toBe(401)
      // The other process has the session cached; the write locks its row and reads it again.
      const late = await elsewhere.patch('/tenant', { phone: '030 1234' })
      expect(late.status).toBe(401)
    } finally {
      await replica.close()
    }
  })

  it('of another user or school cannot be ended, nor a session by this way', async () => {
    const { id } = await tokenOf(owner)
    const colleague = await aLogin(service(), school.tenantId)
    const userOfOtherSchool = await aLogin(service(), (await aSchool(service())).tenantId)
    for (const session of [colleague, userOfOtherSchool])
      expect((await inSession(session).delete(`/auth/tokens/${id}`)).status).toBe(404)
    const [session] = must(200, await inSession(colleague).get('/auth/sessions'))
    expect((await inSession(colleague).delete(`/auth/tokens/${session.id}`)).status).toBe(404)
    expect((await inSession(owner).delete(`/auth/sessions/${id}`)).status).toBe(404)
  })

  it.each(['fahrplan_', `fahrplan_${'a'.repeat(43)}`, `fahrplan_${'a'.repeat(5_000)}`, 'FAHRPLAN_a'])(
    'that is unknown is 401: %s',
    async (token) => {
      expect(await statusWith(owner.client, token)).toBe(401)
    },
  )

  it('is not taken from the cookie of a browser', async () => {
    const { token } = await tokenOf(owner)
    expect((await owner.client.get('/auth/me', { cookie: `svc_jwt=${token}` })).status).toBe(401)
  })
})

describe('the scope of an API token', () => {
  it('refuses each operation that concerns a login, and with `read` each that writes', async () => {
    const [reading, writing] = [
      await programOf(owner, { role: 'owner', scope: 'read' }),
      await programOf(owner, { role: 'owner', scope: 'write' }),
    ]
    const found: Record<string, string[]> = { login: [], reads: [] }
    for (const { method, path, operation } of operationsOf(service())) {
      if (operation.security?.length === 0) continue
      const address = path.replaceAll(/\{[^}]+\}/g, '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b30')
      const body = method === 'GET' ? undefined : {}
      const read = await reading.send(method, address, body)
      const isRefused = read.body?.code === 'insufficient_scope'
      if (isRefused && read.body.params.needs === 'login') {
        const write = await writing.send(method, address, body)
        expect([operation.operationId, write.body.code]).toEqual([
          operation.operationId,
          'insufficient_scope',
        ])
        found.login?.push(operation.operationId)
      } else if (method === 'GET')
        expect([operation.operationId, isRefused]).toEqual([operation.operationId, false])
      else if (!isRefused) found.reads?.push(operation.operationId)
    }
    expect(found.login?.sort()).toEqual(LOGINS)
    expect(found.reads?.sort()).toEqual(READS)
  })
})

/** The operations of logins, which no API token has. */
const LOGINS = [
  'addPasskey',
  'addTotp',
  'beginIdentity',
  'changeOwnEmail',
  'changePassword',
  'changeUser',
  'changeUserEmail',
  'endApiToken',
  'endOtherSessions',
  'endSession',
  'getIdentity',
  'getSecondFactor',
  'getUser',
  'inviteAgain',
  'inviteUser',
  'linkIdentity',
  'linkToReset',
  'listApiTokens',
  'listOwnSchools',
  'listPasskeys',
  'listSessions',
  'listUsers',
  'makeApiToken',
  'makeRecoveryCodes',
  'offerPasskey',
  'offerTotp',
  'proofOptions',
  'prove',
  'removePasskey',
  'removeTotp',
  'renamePasskey',
  'switchSchool',
  'switchSecondFactor',
  'unlinkIdentity',
  'withdrawInvitation',
]

/** The operations other than GET that change nothing. */
const READS = [
  'checkAppointment',
  'checkOpeningBalanceImport',
  'checkStudentImport',
  'checkVehicleImport',
  'planAbsence',
  'planClosure',
  'planInstructorChange',
  'planVehicleAbsence',
  'planVehicleRetirement',
  'searchSlots',
]

async function expire({ id }: User, name: string): Promise<void> {
  await sql`update token_families set expires_at = now() - interval '1 second' where user_id = ${id} and name = ${name}`.execute(
    service().db,
  )
}
