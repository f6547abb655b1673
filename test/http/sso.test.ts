import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { changesOfUser } from '../support/changes.ts'
import { type Answer, Client, must } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { newEmail } from '../support/invitations.ts'
import { TestIssuer } from '../support/issuer.ts'
import { aPasskey, aSecondFactor, inSession, logInWith } from '../support/passkeys.ts'
import { aLogin, bearer, type LoggedIn, loginOf } from '../support/session.ts'
import { begin, complete, enterBySso, linkTo, setProvider } from '../support/sso.ts'

const service = useOwnService({ webhookAllowedNetworks: ['127.0.0.1'] })
let issuer: TestIssuer
let school: School
let owner: LoggedIn

beforeAll(async () => {
  issuer = await TestIssuer.start('/realms/nord')
})
afterAll(() => issuer.close())
beforeEach(async () => {
  school = await aSchool(service())
  owner = await loginOf(service(), school.user)
  must(200, await setProvider(owner, issuer))
})
afterEach(() => {
  issuer.forgery = {}
  issuer.metadata = {}
  service().setClock(undefined)
})

const codeOf = ({ status, body }: Answer) => [status, body.code]
const FAILED = [401, 'sso_failed']
const person = () => crypto.randomUUID()

async function linked(session?: LoggedIn) {
  const subject = person()
  const one = session ?? (await aLogin(service(), school.tenantId))
  must(200, await linkTo(one, { issuer, subject }))
  return { session: one, subject }
}

async function invited(role = 'office') {
  const made = must(201, await school.client.post('/users', { email: newEmail(), name: 'Ida', role }))
  return { user: made.user, token: new URL(made.invitation.url).hash.slice(1) }
}

const enter = (subject: string, at: School = school) => enterBySso(service(), at, { issuer, subject })

describe('a login at the issuer of a school (S115)', () => {
  it('logs in the linked user, with the cookies of a login', { tags: ['embedded'] }, async () => {
    const { session, subject } = await linked()
    const answer = await enter(subject)
    const { token } = must(200, answer)
    const names = answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])
    expect(names.toSorted()).toEqual(['svc_jwt', 'svc_refresh', 'svc_sso'])
    const own = new Client(service(), bearer(token))
    expect((await own.get('/auth/me')).body.id).toBe(session.user.id)
    expect((await own.get('/auth/identity')).body.issuer).toBe(issuer.url)
    must(200, await own.post('/auth/recovery-codes'))
  })

  it('asks the issuer with PKCE, state and nonce for its own page alone, whatever the Host', async () => {
    const client = new Client(service(), { host: 'evil.example' })
    const { url } = await begin(client, { school: school.tenantId })
    const asked = Object.fromEntries(new URL(url).searchParams)
    expect(asked).toEqual({
      client_id: 'fahrplan',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${service().url}/sso/callback`,
      response_type: 'code',
      scope: 'openid',
      state: expect.stringMatching(/^login\.[\w-]{43}$/),
    })
    const again = await begin(client, { school: school.tenantId })
    for (const name of ['code_challenge', 'nonce', 'state'])
      expect(new URL(again.url).searchParams.get(name)).not.toBe(asked[name])
  })

  it('never logs in by a matching address', async () => {
    const { user } = await aLogin(service(), school.tenantId)
    issuer.forgery = { claims: (claims) => ({ ...claims, email: user.email, email_verified: true }) }
    expect(codeOf(await enter(person()))).toEqual([403, 'not_linked'])
  })

  it('is of one school alone, though another has the same issuer and person', async () => {
    const { subject } = await linked()
    const other = await aSchool(service())
    must(200, await setProvider(await loginOf(service(), other.user), issuer))
    expect(codeOf(await enter(subject, other))).toEqual([403, 'not_linked'])
    const theirs = await aLogin(service(), other.tenantId)
    must(200, await linkTo(theirs, { issuer, subject }))
    const { token } = must(200, await enter(subject, other))
    expect((await new Client(service(), bearer(token)).get('/auth/me')).body.id).toBe(theirs.user.id)
  })

  it('logs in no disabled user, and nobody once the link or the provider has ended', async () => {
    const { session, subject } = await linked()
    must(200, await school.client.patch(`/users/${session.user.id}`, { disabled: true }))
    expect(codeOf(await enter(subject))).toEqual([401, 'invalid_credentials'])
    const { session: next, subject: left } = await linked()
    must(204, await inSession(next).delete('/auth/identity'))
    expect(codeOf(await enter(left))).toEqual([403, 'not_linked'])
    must(204, await inSession(owner).delete('/auth/identity-provider'))
    const gone = await new Client(service()).post('/auth/sso', { school: school.tenantId })
    expect(gone.status).toBe(404)
  })
})

describe('an invitation', () => {
  it('is accepted at the issuer, and links the invited user', async () => {
    const { user, token } = await invited()
    const client = new Client(service())
    expect((await client.get(`/auth/invitations/${token}`)).body.issuer).toBe(issuer.url)
    const subject = person()
    const way = await begin(client, { invitation: token })
    const session = must(200, await complete(client, way, issuer.answer(way.url, subject)))
    expect((await client.get('/auth/me', bearer(session.token))).body.id).toBe(user.id)
    expect((await client.get(`/auth/invitations/${token}`)).status).toBe(404)
    expect(must(200, await school.client.get(`/users/${user.id}`)).state).toBe('active')
    must(200, await enter(subject))
    const log = await changesOfUser(school.client, user.id)
    expect(log).toContainEqual([{ identity: null }, { identity: issuer.url }])
  })

  it('links nobody twice, and ends with its first use', async () => {
    const { subject } = await linked()
    const { token } = await invited()
    const client = new Client(service())
    const [first, second] = [
      await begin(client, { invitation: token }),
      await begin(client, { invitation: token }),
    ]
    const taken = await complete(client, first, issuer.answer(first.url, subject))
    expect(codeOf(taken)).toEqual([409, 'identity_taken'])
    must(200, await complete(client, second, issuer.answer(second.url, person())))
    const { token: other } = await invited()
    const late = await begin(client, { invitation: other })
    must(200, await client.post(`/auth/invitations/${other}`, { password: 'correct horse battery staple' }))
    expect((await complete(client, late, issuer.answer(late.url, person()))).status).toBe(404)
    expect((await client.post('/auth/sso', { invitation: 'x'.repeat(43) })).status).toBe(404)
  })
})

describe('a link', () => {
  it('needs a proof, and belongs to the session and browser in which it began', async () => {
    const [mine, theirs] = [
      await aLogin(service(), school.tenantId),
      await aLogin(service(), school.tenantId),
    ]
    const [own, other] = [inSession(mine), inSession(theirs)]
    const way = await begin(other, undefined, '/auth/identity/options')
    const parameters = String(issuer.answer(way.url, person()))
    // A browser that somebody else has prepared would link the victim to the attacker.
    expect(codeOf(await own.post('/auth/identity', { parameters }, way.cookie))).toEqual(FAILED)
    const login = await begin(own, { school: school.tenantId })
    const answer = String(issuer.answer(login.url, person()))
    expect(codeOf(await own.post('/auth/identity', { parameters: answer }, login.cookie))).toEqual(FAILED)
    const link = await begin(own, undefined, '/auth/identity/options')
    expect(codeOf(await complete(new Client(service()), link, issuer.answer(link.url, person())))).toEqual(
      FAILED,
    )
    await sql`update token_families set proved_at = null, proved_by = null
      where user_id = ${mine.user.id}`.execute(service().db)
    for (const [method, path] of [
      ['POST', '/auth/identity/options'],
      ['DELETE', '/auth/identity'],
    ] as const) {
      const { session } = { session: mine }
      if (method === 'DELETE') {
        must(204, await own.post('/auth/proof', { password: PASSWORD }))
        must(200, await linkTo(session, { issuer, subject: person() }))
        await sql`update token_families set proved_at = null, proved_by = null
          where user_id = ${mine.user.id}`.execute(service().db)
      }
      expect(codeOf(await own.send(method, path)), path).toEqual([403, 'proof_required'])
    }
  })

  it('needs a login at the issuer that is new', async () => {
    const session = await aLogin(service(), school.tenantId)
    issuer.forgery = { claims: (claims) => ({ ...claims, auth_time: Number(claims.iat) - 301 }) }
    expect(codeOf(await linkTo(session, { issuer, subject: person() }))).toEqual(FAILED)
    const { session: known, subject } = { session, subject: person() }
    issuer.forgery = {}
    must(200, await linkTo(known, { issuer, subject }))
    issuer.forgery = { claims: (claims) => ({ ...claims, auth_time: Number(claims.iat) - 301 }) }
    const { token } = must(200, await enter(subject))
    const old = await new Client(service(), bearer(token)).post('/auth/recovery-codes')
    expect(codeOf(old)).toEqual([403, 'proof_required'])
  })
})

describe('a school that requires its issuer', () => {
  async function demand() {
    await aSecondFactor(service(), owner)
    must(200, await setProvider(owner, issuer, { required: true }))
  }

  it('logs in nobody by password or passkey, except an owner with a second factor', async () => {
    const { session, subject } = await linked()
    const { device } = await aPasskey(service(), session)
    const { token: invitation } = await invited()
    const other = await loginOf(service(), await aUser(service(), school.tenantId, { role: 'owner' }))
    await demand()
    for (const one of [session, other]) expect((await inSession(one).get('/auth/me')).status).toBe(401)
    expect((await inSession(owner).get('/auth/me')).status).toBe(200)
    const client = new Client(service())
    const login = (email: string) => client.post('/auth/login', { email, password: PASSWORD })
    for (const { user } of [session, other]) {
      const refused = await login(user.email)
      expect([...codeOf(refused), refused.body.params]).toEqual([
        403,
        'sso_required',
        { school: school.tenantId },
      ])
    }
    expect(codeOf(await logInWith(device, client))).toEqual([403, 'sso_required'])
    const accepted = await client.post(`/auth/invitations/${invitation}`, {
      password: 'correct horse battery',
    })
    expect(codeOf(accepted)).toEqual([403, 'sso_required'])
    expect((await client.get(`/auth/invitations/${invitation}`)).status).toBe(200)
    expect(codeOf(await login(owner.user.email))).toEqual([401, 'second_factor_required'])
    const { token } = must(200, await enter(subject))
    const own = new Client(service(), bearer(token))
    expect(codeOf(await own.delete('/auth/identity'))).toEqual([409, 'required_by_school'])
    must(200, await setProvider(owner, issuer, { required: true }))
    must(200, await own.get('/auth/me'))
  })

  it('is one by an owner with a second factor', async () => {
    expect(codeOf(await setProvider(owner, issuer, { required: true }))).toEqual([409, 'no_second_factor'])
  })

  it('leaves its second factor to the issuer', async () => {
    const { subject } = await linked()
    await aSecondFactor(service(), owner)
    must(200, await inSession(owner).patch('/tenant', { second_factor: 'required' }))
    const { token } = must(200, await enter(subject))
    must(200, await new Client(service(), bearer(token)).get('/bootstrap'))
  })

  it('treats an API token like the login in which it was made', async () => {
    const { session, subject } = await linked()
    const tokenOf = async (client: Client) => {
      const token = { name: 'Script', role: 'office', scope: 'read', expires_in_days: 30 }
      return new Client(service(), bearer(must(201, await client.post('/auth/tokens', token)).token))
    }
    const byPassword = await tokenOf(inSession(session))
    const { token } = must(200, await enter(subject))
    const bySso = await tokenOf(new Client(service(), bearer(token)))
    await demand()
    must(200, await inSession(owner).patch('/tenant', { second_factor: 'required' }))
    expect((await byPassword.get('/bootstrap')).status).toBe(401)
    must(200, await bySso.get('/bootstrap'))
    must(200, await setProvider(owner, issuer, { required: true }))
    must(200, await bySso.get('/bootstrap'))
  })

  it('ends the sessions of its former issuer', async () => {
    const { subject } = await linked()
    const { token } = must(200, await enter(subject))
    const next = await TestIssuer.start('/realms/sued')
    await aSecondFactor(service(), owner)
    must(200, await setProvider(owner, next, { required: true }))
    expect((await new Client(service(), bearer(token)).get('/auth/me')).status).toBe(401)
    await next.close()
  })
})

describe('the identity provider of a school', () => {
  it('is set and read by owners, without the secret', async () => {
    const own = inSession(owner)
    const read = must(200, await own.get('/auth/identity-provider'))
    expect(read).toEqual({
      ...{ issuer: issuer.url, client_id: 'fahrplan', required: false },
      callback_url: `${service().url}/sso/callback`,
      logout_url: `${service().url}/sso/logout/${school.tenantId}`,
      login_url: `${service().url}/sso?school=${school.tenantId}`,
      updated_at: expect.any(String),
    })
    const stored = ['identity_providers', 'changes'].map(
      async (table) =>
        (
          await sql`select row_to_json(stored)::text as row from ${sql.table(table)} stored
            where tenant_id = ${school.tenantId}`.execute(service().db)
        ).rows,
    )
    const [providers, logged] = await Promise.all(stored)
    expect([providers?.length, (logged?.length ?? 0) > 0]).toEqual([1, true])
    expect(JSON.stringify([providers, logged, service().log()])).not.toContain('a secret/of')
    const kept = await own.put('/auth/identity-provider', {
      issuer: issuer.url,
      client_id: 'fahrplan',
      required: false,
    })
    must(200, kept)
    must(200, await enter((await linked()).subject))
    const page = must(200, await new Client(service()).get(`/auth/sso/${school.tenantId}`))
    expect(page).toEqual({ school: 'Fahrschule Test', issuer: issuer.url })
  })

  it('needs its secret again for another issuer or client, and a proof', async () => {
    const own = inSession(owner)
    const put = (more: object) =>
      own.put('/auth/identity-provider', {
        issuer: issuer.url,
        client_id: 'fahrplan',
        required: false,
        ...more,
      })
    for (const more of [{ client_id: 'other' }, { issuer: `${issuer.url}/x` }]) {
      const answer = await put(more)
      expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/client_secret' }]])
    }
    await sql`update token_families set proved_at = null, proved_by = null
      where user_id = ${owner.user.id}`.execute(service().db)
    expect(codeOf(await put({}))).toEqual([403, 'proof_required'])
    expect(codeOf(await own.delete('/auth/identity-provider'))).toEqual([403, 'proof_required'])
  })

  it.each([
    ['javascript:alert(1)', 'invalid_format'],
    ['https://login.example/?a=1', 'invalid_format'],
    ['https://login.example/#a', 'invalid_format'],
    ['https://user:pass@login.example', 'not_allowed'],
    ['http://login.example', 'unreachable'],
    ['http://10.0.0.1', 'unreachable'],
    ['https://169.254.169.254', 'unreachable'],
    ['https://localhost', 'unreachable'],
  ])('is not %s', async (url, code) => {
    const answer = await setProvider(owner, issuer, { issuer: url })
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/issuer', code }]])
  })

  it('ends all links if its issuer changes', async () => {
    const { session } = await linked()
    const next = await TestIssuer.start()
    must(200, await setProvider(owner, next))
    expect((await inSession(session).get('/auth/identity')).status).toBe(404)
    await next.close()
  })

  it('cannot be changed by undoing', async () => {
    const { set_id } = (await school.client.get('/changes?limit=50')).body.find(
      ({ after }: { after: { identity_provider?: unknown } | null }) => after?.identity_provider,
    )
    const undone = must(200, await school.client.post(`/changes/sets/${set_id}/undo`))
    expect(undone).toMatchObject({ undone: [], refused: [] })
    expect((await school.client.get('/auth/identity-provider')).status).toBe(200)
  })

  it('sends the browser to no script', async () => {
    const hostile = await TestIssuer.start()
    hostile.metadata = { authorization_endpoint: 'javascript:alert(1)//' }
    await setProvider(owner, hostile)
    const answer = await new Client(service()).post('/auth/sso', { school: school.tenantId })
    expect([answer.status, answer.body.code]).toEqual(FAILED)
    await hostile.close()
  })
})
