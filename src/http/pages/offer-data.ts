import type { FastifyRequest } from 'fastify'
import { readOfferFor, studentActor } from '../../booking/offers/accept-offer.ts'
import { lessonTypeNames } from '../../booking/packs/packs.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { FoundOffer } from '../../db/offers/offers-of-student.ts'
import { localNow } from '../../domain/time-zone.ts'
import type { Service } from '../service.ts'
import type { OfferView } from './offer-html.ts'

/** An offer that its student has opened, by its own link or below the student's page. */
export type OpenedOffer = { readonly tenant: Tenant; readonly offer: FoundOffer; readonly actor: Actor }

export function openedOffer(
  { id: set_id }: FastifyRequest,
  { now }: Service,
  { tenant, offer }: Pick<OpenedOffer, 'tenant' | 'offer'>,
): OpenedOffer {
  return { tenant, offer, actor: studentActor(offer, { tenant, now: now(), set_id }) }
}

/** Returns the content of an offer's page in a language. Throws `offer_gone`. */
export async function offerViewOf(
  { db }: Service,
  { tenant, offer, actor }: OpenedOffer,
  language: string,
): Promise<OfferView> {
  const { state, lesson, expires_at, code } = await readOfferFor(db, actor, offer)
  if (state === 'gone') return { kind: 'gone' }
  const lesson_type = lessonTypeNames(tenant.country, language).get(code) ?? lesson.lesson_type
  const named = { ...lesson, lesson_type }
  if (state === 'booked') return { kind: 'booked', lesson: named }
  return { kind: 'open', lesson: named, until: localNow(new Date(expires_at), tenant.timezone) }
}
