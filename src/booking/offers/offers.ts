import { lockSession } from '../../auth/lock-session.ts'
import type { OfferLinkSecrets } from '../../auth/offer-links.ts'
import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import type { NewOffer } from '../../contract/offer.ts'
import { invalidRequest, notFound, Problem, requireAccepted } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import {
  insertOffer,
  listOfferRecipients,
  lockOffer,
  type StoredOffer,
  updateOffer,
} from '../../db/offers/offers.ts'
import { lockTenant } from '../../db/school/tenants.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import { answersWish } from '../../domain/gaps.ts'
import { MAX_OFFERS_A_WEEK } from '../../domain/ranges.ts'
import { instantOf } from '../../domain/time-zone.ts'
import { deletion } from '../deletion.ts'
import { commitOnce } from '../idempotent.ts'
import { messageOffer } from './message-offer.ts'
import { verdictOnTime } from './offer-states.ts'

type OfferRequest = {
  readonly id?: string
  readonly offer: NewOffer
  readonly links: OfferLinkSecrets
  readonly urlOf: (token: string) => string
  readonly key?: IdempotencyKey | undefined
}

/**
 * Offers a free time to students. Throws `not_found`, the first broken rule that does not depend on the student, `student_archived`
 * and `too_many_offers`. Fails if the key is taken.
 */
export async function makeOffer(
  database: DatabasePool,
  actor: Actor,
  { offer, links, urlOf, key, id = newId() }: OfferRequest,
): Promise<StoredOffer> {
  const { student_ids, expires_at: given, ...time } = offer
  const tenantId = actor.tenant.id
  const expires_at = requireExpiry(actor, offer)
  return inTransaction(database, async (db, commitWith) => {
    await lockTenant(db, tenantId)
    const verdict = await verdictOnTime(db, actor, time)
    const addressees = await listOfferRecipients(db, actor, student_ids)
    const former = addressees.find(({ archived_at }) => archived_at !== null)
    if (addressees.length < student_ids.length) throw notFound()
    if (former)
      throw new Problem('student_archived', {
        params: { student_id: former.student_id, archived_at: former.archived_at },
      })
    requireAccepted(verdict)
    const often = addressees.find(({ offers }) => offers >= MAX_OFFERS_A_WEEK)
    if (often) {
      const { archived_at: _, ...params } = { ...often, limit_offers: MAX_OFFERS_A_WEEK }
      throw new Problem('too_many_offers', { params })
    }
    await lockSession(db, actor)
    const wishes = await listWishesOf(db, tenantId, student_ids)
    const wishOf = (student_id: string) =>
      wishes.find((one) => one.student_id === student_id && answersWish(one, time))?.id ?? null
    const linked = addressees.map(({ student_id }) => {
      const { token_hash } = links.tokenFor({ tenantId, offer_id: id, student_id })
      return { student_id, wish_id: wishOf(student_id), token_hash }
    })
    await messageOffer(db, actor, { id, expires_at, student_ids }, (student_id) =>
      urlOf(links.tokenFor({ tenantId, offer_id: id, student_id }).token),
    )
    const stored = insertOffer(db, actor, { id, ...time, expires_at, links: linked })
    return commitOnce({ db, actor, commitWith }, key, stored)
  })
}

/** Returns the expiry of an offer, at the latest the start of the lesson. Throws `invalid_request` if it has passed. */
function requireExpiry({ tenant, now }: Actor, { start_at, expires_at }: NewOffer): string {
  const start = instantOf(start_at, tenant.timezone)
  if (start <= now.getTime())
    throw invalidRequest([
      { pointer: '/start_at', code: 'in_the_past', detail: 'start_at must be in the future.' },
    ])
  const end = Math.min(start, expires_at ? Date.parse(expires_at) : start)
  if (end <= now.getTime())
    throw invalidRequest([
      { pointer: '/expires_at', code: 'in_the_past', detail: 'expires_at must be in the future.' },
    ])
  return new Date(end).toISOString()
}

/** Withdraws an offer unless it has ended. Throws `not_found` and `stale`. */
export const withdrawOffer = deletion(
  (db, actor, id) => lockOffer(db, actor.tenant.id, id),
  async (db, actor, stored) => {
    await lockSession(db, actor)
    if (stored.state !== 'open') return
    await updateOffer(db, actor, stored, { state: 'withdrawn', appointment_id: null, taken_by: null })
  },
)
