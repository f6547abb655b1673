import { LRUCache } from 'lru-cache'
import type { Actor } from '../contract/actor.ts'
import { MAX_API_TOKENS, type MadeApiToken, type NewApiToken } from '../contract/api-token.ts'
import { USER_ROLES } from '../contract/auth.ts'
import { newId } from '../contract/new-id.ts'
import { invalidRequest, notFound } from '../contract/problem.ts'
import { countApiTokens, findApiTokenName, findClaimsOf, insertApiToken } from '../db/accounts/api-tokens.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import { lockSchoolUser } from '../db/accounts/school-users.ts'
import { recordUser } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Claims } from './access-token.ts'
import { lockSession } from './lock-session.ts'
import { requireProof } from './proof.ts'
import { hashOf, newSecret } from './secret.ts'
import type { Session } from './session.ts'

/** The start of every API token, by which programs that look for leaked secrets recognise one. */
const PREFIX = 'fahrplan_'
const API_TOKEN = /^fahrplan_[\w-]{43}$/
const MAX_KNOWN = 10_000

/** Finds the sessions of API tokens. A token never belongs to another session, so that only the session is checked anew. */
export class ApiTokens {
  readonly #db: Database
  readonly #known = new LRUCache<string, Claims>({ max: MAX_KNOWN })

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the claims of a token, undefined for an unknown one. If they are not cached, `within` runs the read. */
  async find(
    token: string,
    within: (read: () => Promise<Claims | undefined>) => Promise<Claims | undefined>,
  ): Promise<Claims | undefined> {
    if (!API_TOKEN.test(token)) return undefined
    const hash = hashOf(token)
    const key = hash.toString('base64')
    const claims = this.#known.get(key) ?? (await within(() => findClaimsOf(this.#db, hash)))
    if (claims) this.#known.set(key, claims)
    return claims
  }
}

/**
 * Makes an API token for the user. Throws `proof_required`, and `invalid_request` for a role with more rights than the
 * user's, for `instructor` if the user has no instructor, and beyond `MAX_API_TOKENS`.
 */
export async function makeApiToken(
  database: DatabasePool,
  actor: Actor,
  session: Session,
  { name, role, scope, expires_in_days: days }: NewApiToken,
): Promise<MadeApiToken> {
  const { user } = session
  const token = PREFIX + newSecret()
  return inTransaction(database, async (db) => {
    await lockSchoolUser(db, actor.tenant.id, user.id)
    await lockSession(db, actor)
    await requireProof(db, session)
    if (USER_ROLES.indexOf(role) < USER_ROLES.indexOf(user.role))
      throw notAccepted('more_than_own', `Your own role is ${user.role}.`)
    if (role === 'instructor' && user.instructor_id === null)
      throw notAccepted(
        'no_instructor',
        'Your user has no instructor, so that a token in this role could see nothing.',
      )
    if ((await countApiTokens(db, user.id)) >= MAX_API_TOKENS)
      throw invalidRequest([
        {
          pointer: '/name',
          code: 'too_many',
          detail: `You have ${MAX_API_TOKENS} tokens already; end one first.`,
        },
      ])
    const row = { id: newId(), user_id: user.id, name, role, scope, token_hash: hashOf(token), days }
    const made = await insertApiToken(db, { ...row, session_id: actor.session_id })
    await recordUser(db, actor, user.id, {
      before: { api_token: null },
      after: {
        api_token: name,
        api_token_role: role,
        api_token_scope: scope,
        api_token_expires_at: made.expires_at,
      },
    })
    return { ...made, token }
  })
}

/** Ends an API token of the user and returns its session. Throws `not_found` for any other. */
export async function endApiToken(
  database: DatabasePool,
  actor: Actor,
  { user }: Session,
  id: string,
): Promise<readonly string[]> {
  return inTransaction(database, async (db) => {
    await lockSchoolUser(db, actor.tenant.id, user.id)
    await lockSession(db, actor)
    const name = await findApiTokenName(db, user.id, id)
    if (name === undefined) throw notFound()
    await recordUser(db, actor, user.id, { before: { api_token: name }, after: { api_token: null } })
    return revokeFamiliesOf(db, user.id, 'ended', { only: id })
  })
}

function notAccepted(code: string, detail: string) {
  return invalidRequest([{ pointer: '/role', code, detail }])
}
