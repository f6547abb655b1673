import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startService, useOwnService } from '../support/app.ts'
import { type Answer, Client, must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { CLIENT, type Forgery, TestIssuer } from '../support/issuer.ts'
import { inSession } from '../support/passkeys.ts'
import { aLogin, bearer, type LoggedIn, loginOf } from '../support/session.ts'
import { type BegunLogin, begin, complete, enterBySso, linkTo, setProvider } from '../support/sso.ts'

const service = useOwnService({ webhookAllowedNetworks: ['127.0.0.1'] })
let issuer: TestIssuer
let school: School
let owner: LoggedIn
let subject: string

beforeAll(async () => {
  issuer = await TestIssuer.start()
  school = await aSchool(service())
  owner = await loginOf(service(), school.user)
  must(200, await setProvider(owner, issuer))
  subject = crypto.randomUUID()
  must(200, await linkTo(await aLogin(service(), school.tenantId), { issuer, subject }))
})
afterAll(() => issuer.close())
afterEach(() => {
  issuer.forgery = {}
  service().setClock(undefined)
})

const codeOf = ({ status, body }: Answer) => [status, body.code]
const FAILED = [401, 'sso_failed']
const enter = () => enterBySso(service(), school, { issuer, subject })

/** Sends the answer of a way after a change, which must make the login fail. */
async function fails(
  change: (parameters: URLSearchParams, way: BegunLogin) => BegunLogin | undefined,
): Promise<void> {
  const client = new Client(service())
  const way = await begin(client, { school: school.tenantId })
  const parameters = issuer.answer(way.url, subject)
  const sent = change(parameters, way) ?? way
  const asked = issuer.asked.length
  expect(codeOf(await complete(client, sent, parameters))).toEqual(FAILED)
  expect(issuer.asked.length, 'no code is sent').toBe(asked)
}

describe('the answer of an issuer, by RFC 9700 (S116)', () => {
  it('succeeds unforged', async () => {
    must(200, await enter())
  })

  it.each([
    ['without a state (§4.7.1)', (answer: URLSearchParams) => answer.delete('state')],
    [
      'with another state (§4.7.1)',
      (answer: URLSearchParams) => answer.set('state', `login.${'x'.repeat(43)}`),
    ],
    ['with two states', (answer: URLSearchParams) => answer.append('state', answer.get('state') ?? '')],
    [
      'of another issuer (§4.4, RFC 9207)',
      (answer: URLSearchParams) => answer.set('iss', 'https://evil.example'),
    ],
    ['of no issuer (§4.4, RFC 9207)', (answer: URLSearchParams) => answer.delete('iss')],
    ['that is an error', (answer: URLSearchParams) => answer.set('error', 'access_denied')],
    ['without a code', (answer: URLSearchParams) => answer.delete('code')],
    ['with two codes', (answer: URLSearchParams) => answer.append('code', '5')],
    ['with a number for a state', (answer: URLSearchParams) => answer.set('state', '5')],
  ] as const)('is refused %s', async (_, change) =>
    fails((answer) => {
      change(answer)
      return undefined
    }),
  )

  it.each([['code=5&code=6&state=5'], ['code[]=5&state[a]=5'], ['%'], ['#?&&=']])(
    'is refused as the query %s, which the page takes as it is',
    async (query) => {
      const page = await fetch(`${service().url}/sso/callback?${query}`)
      expect(page.status).toBeLessThan(500)
      const client = new Client(service())
      const { cookie } = await begin(client, { school: school.tenantId })
      const send = (parameters: unknown) => client.post('/auth/sso/callback', { parameters }, cookie)
      for (const wrong of [5, [query], { query }]) expect((await send(wrong)).status).toBe(400)
      expect(codeOf(await send(query))).toEqual(FAILED)
    },
  )

  it('is refused, without an error of the service, if the issuer has gone meanwhile', async () => {
    const [gone, other] = [await TestIssuer.start(), await aSchool(service())]
    must(200, await setProvider(await loginOf(service(), other.user), gone))
    const way = await begin(new Client(service()), { school: other.tenantId })
    const answer = gone.answer(way.url, subject)
    await gone.close()
    // Another process has not read the issuer's metadata yet.
    const elsewhere = await startService(service().db, { webhookAllowedNetworks: ['127.0.0.1'] })
    expect(codeOf(await complete(new Client(elsewhere), way, answer))).toEqual(FAILED)
    await elsewhere.close()
  })

  it('with a code of any kind is only passed on, and refused by the issuer', async () => {
    for (const code of ['5', '[object Object]', 'x'.repeat(2_000)]) {
      const client = new Client(service())
      const way = await begin(client, { school: school.tenantId })
      const answer = issuer.answer(way.url, subject)
      answer.set('code', code)
      expect(codeOf(await complete(client, way, answer)), code).toEqual(FAILED)
    }
  })

  it('is refused in another browser (§4.7), and with a forged or foreign cookie', async () => {
    await fails(() => ({ url: '', cookie: {} }))
    await fails((_, { url, cookie }) => ({
      url,
      // Not the last character, of which some bits stand for nothing.
      cookie: { cookie: String(cookie.cookie).replace(/.(?=.$)/, (one) => (one === 'A' ? 'B' : 'A')) },
    }))
    const other = await begin(new Client(service()), { school: school.tenantId })
    await fails(() => other)
    await fails((_, { url, cookie }) => ({
      url,
      cookie: { cookie: `${cookie.cookie}; ${other.cookie.cookie}` },
    }))
    await fails((_, { url, cookie }) => ({ url, cookie: { ...cookie, origin: 'https://evil.example' } }))
  })

  it('is accepted once (§2.1.1, §4.5), also of two that come at once, and within ten minutes', async () => {
    const client = new Client(service())
    const way = await begin(client, { school: school.tenantId })
    const answer = issuer.answer(way.url, subject)
    const asked = issuer.asked.length
    const both = await Promise.all([1, 2].map(() => complete(client, way, answer)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(codeOf(await complete(client, way, issuer.answer(way.url, subject)))).toEqual(FAILED)
    expect(issuer.asked.length).toBe(asked + 1)
    const now = new Date()
    service().setClock(now)
    const late = await begin(client, { school: school.tenantId })
    service().setClock(new Date(now.getTime() + 10 * 60_000))
    expect(codeOf(await complete(client, late, issuer.answer(late.url, subject)))).toEqual(FAILED)
  })

  it('with the code of another browser fails by PKCE and nonce (§4.5.3)', async () => {
    const [mine, theirs] = [new Client(service()), new Client(service())]
    const way = await begin(mine, { school: school.tenantId })
    const other = await begin(theirs, { school: school.tenantId })
    const answer = issuer.answer(way.url, subject)
    answer.set('code', issuer.answer(other.url, subject).get('code') ?? '')
    expect(codeOf(await complete(mine, way, answer))).toEqual(FAILED)
  })

  it('of one school’s issuer never logs in users of another (§4.4)', async () => {
    const hostile = await TestIssuer.start()
    const other = await aSchool(service())
    must(200, await setProvider(await loginOf(service(), other.user), hostile))
    const client = new Client(service())
    const way = await begin(client, { school: other.tenantId })
    hostile.forgery = { claims: (claims) => ({ ...claims, iss: issuer.url }) }
    expect(codeOf(await complete(client, way, hostile.answer(way.url, subject)))).toEqual(FAILED)
    hostile.forgery = {}
    const next = await begin(client, { school: other.tenantId })
    expect(codeOf(await complete(client, next, hostile.answer(next.url, subject)))).toEqual([
      403,
      'not_linked',
    ])
    // The answer of the honest issuer, to which a mixed-up browser has gone.
    const mixed = await begin(client, { school: other.tenantId })
    const honest = issuer.answer(mixed.url, subject)
    const asked = hostile.asked.length
    expect(codeOf(await complete(client, mixed, honest))).toEqual(FAILED)
    expect(hostile.asked.length).toBe(asked)
    await hostile.close()
  })
})

const forged = (change: (claims: JWTPayload) => object): Forgery => ({
  claims: (claims) => change(claims) as JWTPayload,
})
const without = (name: string) => forged((claims) => ({ ...claims, [name]: undefined }))
const withKey = (alg: string, key: Uint8Array) => (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg, kid: 'one' }).sign(key)
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const ID_TOKENS: Readonly<Record<string, Forgery>> = {
  'without a nonce': without('nonce'),
  'with another nonce': forged((claims) => ({ ...claims, nonce: 'x' })),
  'for another client': forged((claims) => ({ ...claims, aud: 'other' })),
  'for several clients without azp': forged((claims) => ({ ...claims, aud: ['fahrplan', 'other'] })),
  'authorized for another client': forged((claims) => ({
    ...claims,
    aud: ['fahrplan', 'other'],
    azp: 'other',
  })),
  'of another issuer': forged((claims) => ({ ...claims, iss: 'https://evil.example' })),
  'that has expired': forged((claims) => ({ ...claims, exp: Number(claims.iat) - 60 })),
  'without an expiry': without('exp'),
  'without a subject': without('sub'),
  'with a subject that is none': forged((claims) => ({ ...claims, sub: 5 })),
  'with an endless subject': forged((claims) => ({ ...claims, sub: 'x'.repeat(256) })),
  'without a signature': { sign: async (claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.` },
  'signed by the client secret': {
    sign: withKey('HS256', Buffer.from(CLIENT.client_secret.padEnd(32, '.'))),
  },
  'signed by another key': {
    sign: async (claims) => {
      const { privateKey } = await generateKeyPair('RS256')
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
    },
  },
  'of another form': { sign: async () => 'x.y.z' },
}

describe('an ID token', () => {
  it.each(Object.keys(ID_TOKENS))('is refused %s', async (name) => {
    issuer.forgery = ID_TOKENS[name] ?? {}
    expect(codeOf(await enter())).toEqual(FAILED)
    issuer.forgery = {}
    must(200, await enter())
  })

  it('is needed, and comes from the address of the metadata alone: redirects are not followed (§4.11)', async () => {
    let followed = 0
    for (const respond of [
      (response) =>
        response.writeHead(307, { location: `${issuer.url}/token?followed` }).end(() => (followed += 1)),
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"access_token":"a","token_type":"Bearer"}'),
      (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(300_000)}"`),
      (response) => response.writeHead(500).end(),
      (response) => response.destroy(),
    ] satisfies Forgery['respond'][]) {
      const asked = issuer.asked.length
      issuer.forgery = { respond }
      expect(codeOf(await enter())).toEqual(FAILED)
      expect(issuer.asked.length).toBe(asked + 1)
    }
    expect(followed).toBe(1)
  })

  it.each(['token_endpoint', 'jwks_uri'])('is not fetched from a private address of %s', async (name) => {
    const hostile = await TestIssuer.start()
    const other = await aSchool(service())
    hostile.metadata = { [name]: 'http://10.0.0.1/secret' }
    must(200, await setProvider(await loginOf(service(), other.user), hostile))
    const answer = await enterBySso(service(), other, { issuer: hostile, subject })
    expect(codeOf(answer)).toEqual(FAILED)
    await hostile.close()
  })
})

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

describe('a back-channel logout (S117)', () => {
  const tell = (token: string, at = school.tenantId) =>
    fetch(`${service().url}/sso/logout/${at}`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })
  const claimsFor = (more: object = {}): JWTPayload => {
    const iat = Math.floor(Date.now() / 1000)
    const events = { [EVENT]: {} }
    return { iss: issuer.url, aud: 'fahrplan', iat, exp: iat + 60, jti: crypto.randomUUID(), events, ...more }
  }
  const isIn = async (token: string) =>
    (await new Client(service(), bearer(token)).get('/auth/me')).status === 200

  it('ends the sessions of a person, or one of them, and no others', { tags: ['embedded'] }, async () => {
    const session = await aLogin(service(), school.tenantId)
    const who = crypto.randomUUID()
    must(200, await linkTo(session, { issuer, subject: who }))
    const login = async (sid: string) => {
      issuer.forgery = forged((claims) => ({ ...claims, sid }))
      return must(200, await enterBySso(service(), school, { issuer, subject: who })).token as string
    }
    const [first, second] = [await login('one'), await login('two')]
    expect(await isIn(first)).toBe(true)
    const done = await tell(await issuer.sign(claimsFor({ sid: 'one' }), 'logout+jwt'))
    expect([done.status, done.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect([await isIn(first), await isIn(second)]).toEqual([false, true])
    expect((await tell(await issuer.sign(claimsFor({ sub: who })))).status).toBe(200)
    expect(await isIn(second)).toBe(false)
    expect(await isIn(session.token)).toBe(true)
    expect((await inSession(owner).get('/auth/me')).status).toBe(200)
  })

  it('is refused unless its token is the issuer’s, for this client, new and unused', async () => {
    const { token } = must(200, await enter())
    const { privateKey } = await generateKeyPair('RS256')
    const old = Math.floor(Date.now() / 1000) - 400
    const wrong: readonly (readonly [string, string | Promise<string>])[] = [
      ['another issuer', issuer.sign(claimsFor({ sub: subject, iss: 'https://evil.example' }))],
      ['another client', issuer.sign(claimsFor({ sub: subject, aud: 'other' }))],
      ['old', issuer.sign(claimsFor({ sub: subject, iat: old, exp: old + 3600 }))],
      ['expired', issuer.sign(claimsFor({ sub: subject, exp: old }))],
      ['without iat', issuer.sign(claimsFor({ sub: subject, iat: undefined }))],
      ['without jti', issuer.sign(claimsFor({ sub: subject, jti: undefined }))],
      ['without events', issuer.sign(claimsFor({ sub: subject, events: undefined }))],
      ['of another event', issuer.sign(claimsFor({ sub: subject, events: { other: {} } }))],
      ['an ID token', issuer.sign(claimsFor({ sub: subject, nonce: 'n' }))],
      ['of nobody', issuer.sign(claimsFor())],
      ['unsigned', `${encoded({ alg: 'none' })}.${encoded(claimsFor({ sub: subject }))}.`],
      [
        'by the secret',
        withKey('HS256', Buffer.from(CLIENT.client_secret.padEnd(32, '.')))(claimsFor({ sub: subject })),
      ],
      [
        'by another key',
        new SignJWT(claimsFor({ sub: subject }))
          .setProtectedHeader({ alg: 'RS256', kid: 'one' })
          .sign(privateKey),
      ],
      ['nothing', ''],
    ]
    for (const [name, made] of wrong) {
      const answer = await tell(await made)
      expect([answer.status, await answer.json()], name).toEqual([400, { error: 'invalid_request' }])
    }
    expect(await isIn(token)).toBe(true)
    const once = await issuer.sign(claimsFor({ sub: subject }))
    expect((await tell(once)).status).toBe(200)
    expect(await isIn(token)).toBe(false)
    const { token: next } = must(200, await enter())
    expect((await tell(once)).status).toBe(400)
    expect(await isIn(next)).toBe(true)
  })

  it('reaches no other school, and takes forms alone', async () => {
    const { token } = must(200, await enter())
    const other = await aSchool(service())
    must(200, await setProvider(await loginOf(service(), other.user), issuer))
    expect((await tell(await issuer.sign(claimsFor({ sub: subject })), other.tenantId)).status).toBe(200)
    expect(await isIn(token)).toBe(true)
    for (const at of [crypto.randomUUID(), 'x'])
      expect((await tell(await issuer.sign(claimsFor({ sub: subject })), at)).status).toBe(400)
    const json = await fetch(`${service().url}/sso/logout/${school.tenantId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ logout_token: await issuer.sign(claimsFor({ sub: subject })) }),
    })
    expect(json.status).toBe(400)
    expect(await isIn(token)).toBe(true)
  })
})
