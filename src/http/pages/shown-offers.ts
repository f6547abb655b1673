import { offerStateFor, statesOf } from '../../booking/offers/offer-states.ts'
import type { TimeSlicer } from '../../booking/time-slicer.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Offer } from '../../contract/offer.ts'
import { finishedLaterList, type JsonList } from '../../db/json-list.ts'
import type { StoredOffer } from '../../db/offers/offers.ts'
import { serviceUrl } from '../requests/public-url.ts'
import type { App, Service } from '../service.ts'

type Context = { readonly app: App; readonly service: Service; readonly actor: Actor }

/** Returns an offer as the office sees it, with its current state and links. */
export async function shownOffer(stored: StoredOffer, context: Context): Promise<Offer> {
  return {
    ...linkedOffer(stored, context),
    state: await offerStateFor(context.service.db, context.actor, stored),
  }
}

/** Returns an offer with its stored state and links. */
export function linkedOffer(stored: StoredOffer, context: Context): Offer {
  return { ...stored, links: stored.links.map((link) => linkIn(stored, link, context)) }
}

export function shownOffers(list: JsonList, context: Context, slicer: TimeSlicer): JsonList {
  const { service, actor } = context
  return finishedLaterList<StoredOffer>(list, async (rows) => {
    const states = await statesOf(service.db, actor, rows, slicer)
    const shown: Offer[] = []
    for (const one of rows) {
      await slicer.pause()
      shown.push({ ...linkedOffer(one, context), state: states.get(one.id) ?? one.state })
    }
    return shown
  })
}

/** Returns a student's link. Its address is null if it was made with another secret of the service. */
function linkIn(
  { id: offer_id }: StoredOffer,
  { student_id, token_hash: known }: StoredOffer['links'][number],
  { app, service, actor }: Context,
): Offer['links'][number] {
  const link = service.offerLinks.tokenFor({ tenantId: actor.tenant.id, offer_id, student_id })
  const isOwn = link.token_hash.toString('hex') === known
  return { student_id, url: isOwn ? `${serviceUrl(app, service)}/o/${link.token}` : null }
}
