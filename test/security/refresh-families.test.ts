import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { claimsOf } from '../support/jwt.ts'
import { aLogin, type LoggedIn, loginOf, statusWith } from '../support/session.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

function refresh(refresh_token: string): Promise<Answer> {
  return new Client(service()).post('/auth/refresh', { refresh_token })
}

/** Logs in and rotates the token `rotations` times. Returns all tokens, the first one first. */
async function aChain(rotations: number): Promise<LoggedIn & { readonly chain: readonly string[] }> {
  const login = await aLogin(service(), school.tenantId)
  const chain = [login.refreshToken]
  while (chain.length <= rotations) chain.push((await refresh(chain.at(-1) ?? '')).body.refresh_token)
  return { ...login, chain }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Moves the rotation of a token into the past. */
async function ageRotation(token: string | undefined, seconds: number): Promise<void> {
  const { numAffectedRows } = await sql`
    update refresh_tokens set revoked_at = revoked_at - make_interval(secs => ${seconds})
    where token_hash = ${hashOf(token ?? '')} and revoked_reason = 'rotated'`.execute(service().db)
  expect(numAffectedRows).toBe(1n)
}

async function tokensIn(familyId: unknown): Promise<{ active: number; all: number }> {
  const { rows } = await sql<{ active: number; all: number }>`
    select count(*) filter (where revoked_at is null)::int as active, count(*)::int as "all"
    from refresh_tokens where family_id = ${familyId}`.execute(service().db)
  return rows[0] ?? { active: 0, all: 0 }
}

describe('a refresh token reused after the grace period', () => {
  it('ends the whole session with its active refresh token and access tokens (S29)', async () => {
    const { client, token, chain } = await aChain(1)
    expect(await statusWith(client, token)).toBe(200)
    await ageRotation(chain[0], 11)
    const reuse = await refresh(chain[0] ?? '')
    expect([reuse.status, reuse.body.code]).toEqual([401, 'invalid_refresh_token'])
    expect(await statusWith(client, token)).toBe(401)
    expect((await refresh(chain[1] ?? '')).status).toBe(401)
    expect(await tokensIn(claimsOf(token).sid)).toEqual({ active: 0, all: 2 })
  })

  it('does not affect other sessions or a new login of the user', async () => {
    const { user, client, chain } = await aChain(1)
    const other = await loginOf(service(), user)
    await ageRotation(chain[0], 11)
    await refresh(chain[0] ?? '')
    expect(await statusWith(other.client, other.token)).toBe(200)
    expect((await refresh(other.refreshToken)).status).toBe(200)
    const login = await client.post('/auth/login', { email: user.email, password: PASSWORD })
    expect(login.status).toBe(200)
  })

  it('is logged with its token family and without any token (S29)', async () => {
    const { token, chain } = await aChain(1)
    const { sid } = claimsOf(token)
    await ageRotation(chain[0], 11)
    const { request_id } = (await refresh(chain[0] ?? '')).body
    const events = service()
      .log()
      .filter((line) => line.event === 'refresh_token_reused' && line.request_id === request_id)
    expect(events).toMatchObject([{ level: 40, families: [sid], time: expect.stringMatching(/Z$/) }])
    for (const secret of [token, ...chain]) expect(JSON.stringify(service().log())).not.toContain(secret)
  })

  it('ends the session even during a concurrent refresh with the newest token (C20)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { client, token, chain } = await aChain(2)
      await ageRotation(chain[0], 60)
      const [reuse, current] = await Promise.all([refresh(chain[0] ?? ''), refresh(chain[2] ?? '')])
      expect(reuse.status).toBe(401)
      if (current.status === 200) expect((await refresh(current.body.refresh_token)).status).toBe(401)
      expect((await tokensIn(claimsOf(token).sid)).active).toBe(0)
      expect(await statusWith(client, token)).toBe(401)
    }
  })
})

describe('the parent of the active refresh token', () => {
  it('gets 401 without ending the session if reused within ten seconds (S30)', async () => {
    const { client, token, chain } = await aChain(1)
    await ageRotation(chain[0], 5)
    for (let tab = 0; tab < 3; tab += 1) expect((await refresh(chain[0] ?? '')).status).toBe(401)
    expect(await tokensIn(claimsOf(token).sid)).toEqual({ active: 1, all: 2 })
    expect(await statusWith(client, token)).toBe(200)
    expect((await refresh(chain[1] ?? '')).status).toBe(200)
  })

  it('is not logged as reuse within ten seconds', async () => {
    const { chain } = await aChain(1)
    const { request_id } = (await refresh(chain[0] ?? '')).body
    const lines = service()
      .log()
      .filter((line) => line.request_id === request_id)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => line.event === 'refresh_token_reused')).toEqual([])
  })

  it('has a grace period of ten seconds from the rotation, not from its last use (S32)', async () => {
    const { chain } = await aChain(1)
    await ageRotation(chain[0], 6)
    expect((await refresh(chain[0] ?? '')).status).toBe(401)
    await ageRotation(chain[0], 5)
    expect((await refresh(chain[0] ?? '')).status).toBe(401)
    expect((await refresh(chain[1] ?? '')).status).toBe(401)
  })

  it('is the only token with a grace period; a grandparent ends the session (S31)', async () => {
    const { client, token, chain } = await aChain(2)
    expect((await refresh(chain[0] ?? '')).status).toBe(401)
    expect((await refresh(chain[2] ?? '')).status).toBe(401)
    expect(await statusWith(client, token)).toBe(401)
    expect((await tokensIn(claimsOf(token).sid)).active).toBe(0)
  })

  it('also has the grace period after several rotations', async () => {
    const { chain } = await aChain(3)
    expect((await refresh(chain[2] ?? '')).status).toBe(401)
    expect((await refresh(chain[3] ?? '')).status).toBe(200)
  })
})

describe('a stored refresh token', () => {
  it('is only a SHA-256 hash; no table contains tokens or passwords (S37)', async () => {
    const { token, chain } = await aChain(2)
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
      service().db,
    )
    const names = tables.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['users', 'token_families', 'refresh_tokens', 'login_failures']),
    )
    const written = [...chain, token, PASSWORD].flatMap((secret) =>
      (['utf8', 'hex', 'base64', 'base64url'] as const).map((encoding) =>
        Buffer.from(secret).toString(encoding),
      ),
    )
    const bytes = chain.map((refreshToken) => Buffer.from(refreshToken, 'base64url').toString('hex'))
    // PostgreSQL searches, one table after another, and writes each row as text once: tests before this one may have left
    // lists of many megabytes.
    const found = async (texts: readonly string[], name: string) =>
      sql`select from (select row::text as written from ${sql.table(name)} row offset 0) rows, unnest(${texts}::text[]) text
        where strpos(written, text) > 0`.execute(service().db)
    for (const name of names)
      expect([name, ...(await found([...written, ...bytes], name)).rows]).toEqual([name])
    const hashes = chain.map((refreshToken) => hashOf(refreshToken).toString('hex'))
    expect((await found(hashes, 'refresh_tokens')).rows).toHaveLength(hashes.length)
  })

  it('has a lifetime of 30 days, and the time and reason of its revocation', async () => {
    const { token, chain } = await aChain(2)
    await new Client(service()).post('/auth/logout', { refresh_token: chain[2] })
    const { rows } = await sql<{ days: number; reason: string; revoked: boolean }>`
      select extract(epoch from expires_at - created_at)::float / 86400 as days,
        revoked_reason as reason, revoked_at <= now() as revoked
      from refresh_tokens where family_id = ${claimsOf(token).sid} order by created_at`.execute(service().db)
    expect(rows).toEqual(
      ['rotated', 'rotated', 'logout'].map((reason) => ({ days: 30, reason, revoked: true })),
    )
  })
})
