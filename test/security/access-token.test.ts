import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { EncryptJWT } from 'jose'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { aSchool, type School } from '../support/factory.ts'
import { claimsOf, encoded, headerOf, jwt } from '../support/jwt.ts'
import { accessCookie, aLogin, bearer, type LoggedIn, statusWith } from '../support/session.ts'

type Claims = Record<string, unknown>

const service = useService()
const HEADER = { alg: 'HS256', typ: 'JWT' }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
let school: School
let session: LoggedIn
let claims: Claims

beforeAll(async () => {
  school = await aSchool(service())
  session = await aLogin(service(), school.tenantId)
  claims = claimsOf(session.token)
})
afterEach(() => service().setClock(undefined))

const now = () => Math.floor(Date.now() / 1000)
const without = (name: string): Claims => {
  const { [name]: _, ...rest } = claims
  return rest
}
const withClaims = (change: Claims) => jwt(HEADER, { ...claims, ...change })
const withHeader = (change: Claims) => jwt({ ...HEADER, ...change }, claims)
const partsOf = (token: string) => {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return { header, payload, signature }
}

/** Encodes the same bytes in another way: the unused last bits of the last letter are not zero. */
function respelt(part: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = `${part.slice(0, -1)}${letters[letters.indexOf(part.slice(-1)) + 1]}`
  if (!Buffer.from(other, 'base64url').equals(Buffer.from(part, 'base64url'))) throw new Error('other bytes')
  return other
}

async function expectRefused(token: string, fault?: string): Promise<void> {
  for (const headers of [bearer(token), accessCookie(token)]) {
    const answer = await new Client(service()).get('/auth/me', headers)
    expect([answer.status, answer.body.code], fault).toEqual([401, 'unauthenticated'])
    expect(answer.headers.get('www-authenticate'), fault).toBe('Bearer')
  }
}

async function expectAllRefused(tokens: readonly (readonly [fault: string, make: () => string])[]) {
  for (const [fault, make] of tokens) await expectRefused(make(), fault)
}

it('a correctly signed test token is accepted', async () => {
  expect(await statusWith(session.client, jwt(HEADER, claims))).toBe(200)
  expect(headerOf(session.token)).toEqual(HEADER)
})

it('forged tokens are rejected with 401 unauthenticated (S16, S17, S18, S24)', async () => {
  const forgeries: readonly [string, () => string][] = [
    ['with another secret', () => jwt(HEADER, claims, { secret: 'another secret, also more than 256 bits' })],
    ['with the secret cut to 32 bytes', () => jwt(HEADER, claims, { secret: JWT_SECRET.slice(0, 32) })],
    ['with an empty secret', () => jwt(HEADER, claims, { secret: '' })],
    ['by nothing, alg none', () => `${encoded({ ...HEADER, alg: 'none' })}.${encoded(claims)}.`],
    ['by nothing, alg NoNe', () => `${encoded({ ...HEADER, alg: 'NoNe' })}.${encoded(claims)}.`],
    ['rightly but says alg none', () => withHeader({ alg: 'none' })],
    ['rightly but says no alg', () => jwt({ typ: 'JWT' }, claims)],
    ['rightly but says hs256', () => withHeader({ alg: 'hs256' })],
    ['with HS384', () => jwt({ ...HEADER, alg: 'HS384' }, claims, { hash: 'sha384' })],
    ['with HS512', () => jwt({ ...HEADER, alg: 'HS512' }, claims, { hash: 'sha512' })],
    ['with HS512 but says HS256', () => jwt(HEADER, claims, { hash: 'sha512' })],
    [
      'with RS256',
      () => {
        const signed = `${encoded({ ...HEADER, alg: 'RS256' })}.${encoded(claims)}`
        return `${signed}.${sign('sha256', Buffer.from(signed), rsa.privateKey).toString('base64url')}`
      },
    ],
    ['with a public key as the secret', () => jwt(HEADER, claims, { secret: publicPem })],
    ['rightly but says RS256', () => withHeader({ alg: 'RS256' })],
    [
      'with a key it brings along',
      () => {
        const secret = 'a key that the attacker chose, of 256 bits and more'
        const jwk = { kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256' }
        return jwt({ ...HEADER, jwk }, claims, { secret })
      },
    ],
    ['rightly but brings a key', () => withHeader({ jwk: { kty: 'oct', k: 'AAAA' } })],
    ['rightly but names a key', () => withHeader({ kid: '../../dev/null' })],
    ['rightly but names an address of keys', () => withHeader({ jku: 'https://evil.test/keys.json' })],
    ['rightly but with a critical extension', () => withHeader({ crit: ['x'], x: true })],
    ['rightly but with unencoded payload', () => withHeader({ crit: ['b64'], b64: false })],
    ['rightly but compressed', () => withHeader({ zip: 'DEF' })],
    ['rightly but of another type', () => withHeader({ typ: 'at+jwt' })],
    ['rightly but nested', () => withHeader({ cty: 'JWT' })],
  ]
  await expectAllRefused(forgeries)
})

it('altered or malformed tokens are rejected with 401 unauthenticated (S17)', async () => {
  const spellings: readonly [string, () => string][] = [
    [
      'with another payload under its signature',
      () => {
        const { header, signature } = partsOf(session.token)
        return `${header}.${encoded({ ...claims, exp: now() + 1e9 })}.${signature}`
      },
    ],
    [
      'with the last letter of the signature respelt',
      () => {
        const { header, payload, signature } = partsOf(session.token)
        return `${header}.${payload}.${respelt(signature)}`
      },
    ],
    ['with padding', () => `${session.token}=`],
    ['without a signature', () => session.token.slice(0, session.token.lastIndexOf('.') + 1)],
    ['in two parts', () => session.token.slice(0, session.token.lastIndexOf('.'))],
    ['in four parts', () => `${session.token}.${partsOf(session.token).signature}`],
    ['in two halves of dots', () => '..'],
    [
      'in the standard base64 alphabet',
      () => {
        const { header, payload, signature } = partsOf(session.token)
        return `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}==`
      },
    ],
    ['with a payload that is no object', () => jwt(HEADER, [claims])],
    ['with a payload that is a number', () => jwt(HEADER, 5)],
    ['with a payload that is null', () => jwt(HEADER, null)],
    ['with a header that is no JSON', () => `e30x.${partsOf(session.token).payload}.AAAA`],
    ['with 10,000 letters', () => `${'A'.repeat(10_000)}.A.A`],
  ]
  await expectAllRefused(spellings)
})

it('an encrypted token of five parts is rejected (S24)', async () => {
  const key = Buffer.from(JWT_SECRET).subarray(0, 32)
  const token = await new EncryptJWT(claims).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
  expect(token.split('.')).toHaveLength(5)
  await expectRefused(token)
})

describe('a signed token with wrong claims (S19, S21)', () => {
  it('is rejected if a claim is missing', async () => {
    for (const name of ['exp', 'iat', 'sub', 'tid', 'sid', 'iss', 'aud'])
      await expectRefused(jwt(HEADER, without(name)), name)
  })

  const claimed: readonly [string, () => Claims][] = [
    ['it has expired', () => ({ exp: now() - 61, iat: now() - 100 })],
    ['it was issued in 61 seconds', () => ({ iat: now() + 61 })],
    ['it may be used in 61 seconds', () => ({ nbf: now() + 61 })],
    ['it expires at a text', () => ({ exp: String(now() + 1000) })],
    ['it expires at infinity', () => ({ exp: 'Infinity' })],
    ['it was issued at a text', () => ({ iat: 'now' })],
    ['it is older than eight hours, whatever its expiry', () => ({ iat: now() - 28_861, exp: now() + 1000 })],
    ['another issuer', () => ({ iss: 'evil' })],
    ['another audience', () => ({ aud: 'another-service' })],
    ['an empty audience', () => ({ aud: [] })],
    ['a session that never was', () => ({ sid: randomUUID() })],
    ['a session that is no UUID', () => ({ sid: `' or true--` })],
    ['a session that is a number', () => ({ sid: 5 })],
    ['a session that is a list', () => ({ sid: [claims.sid] })],
    ['a session that is an object', () => ({ sid: { toString: 'x' } })],
    ['a session in braces', () => ({ sid: `{${claims.sid}}` })],
    ['a user that is no UUID', () => ({ sub: 'admin' })],
    ['a user that is null', () => ({ sub: null })],
    ['another user', () => ({ sub: randomUUID() })],
    ['another tenant', () => ({ tid: randomUUID() })],
    ['a tenant that is no UUID', () => ({ tid: '*' })],
  ]
  it('is rejected if a claim is invalid', async () => {
    for (const [claim, change] of claimed) await expectRefused(withClaims(change()), claim)
  })

  it('is rejected if it claims the session of another user, in whole or in part (S22)', async () => {
    const other = claimsOf((await aLogin(service(), (await aSchool(service())).tenantId)).token)
    await expectRefused(withClaims({ sid: other.sid }))
    await expectRefused(withClaims({ sid: other.sid, sub: other.sub }))
    await expectRefused(withClaims({ sid: other.sid, tid: other.tid }))
    await expectRefused(withClaims({ sub: other.sub, tid: other.tid }))
    await expectRefused(withClaims({ tid: other.tid }))
  })
})

describe('the lifetime of a token (S19, S20)', () => {
  it('is eight hours plus 30 seconds of clock tolerance', async () => {
    const issued = Number(claims.iat) * 1000
    service().setClock(new Date(issued + 28_829_000))
    expect(await statusWith(session.client, session.token)).toBe(200)
    service().setClock(new Date(issued + 28_831_000))
    await expectRefused(session.token)
  })

  it('tolerates an issuer whose clock is 30 seconds ahead, but not 31', async () => {
    const issued = Number(claims.iat) * 1000
    for (const token of [session.token, withClaims({ nbf: claims.iat })]) {
      service().setClock(new Date(issued - 30_000))
      expect(await statusWith(session.client, token)).toBe(200)
      service().setClock(new Date(issued - 31_000))
      await expectRefused(token)
    }
  })
})
