import { lockOffer, updateOffer } from '../db/offers.ts'
import { lockWishes, setWishDeleted } from '../db/wishes.ts'
import type { Undoing } from './undoing.ts'

export async function undoWishes(undoing: Undoing): Promise<void> {
  const { db, actor } = undoing
  const reversals = undoing.take('wish')
  if (reversals.length === 0) return
  const ids = reversals.map(({ id }) => id)
  const wishes = new Map((await lockWishes(db, actor.tenant.id, ids)).map((one) => [one.id, one]))
  for (const reversal of reversals) {
    const stored = wishes.get(reversal.id)
    if (stored?.version === reversal.version) {
      await setWishDeleted(db, actor, stored, reversal.action === 'delete')
      undoing.done(reversal)
    } else undoing.refuse(reversal, 'changed_since')
  }
}

/** Withdraws offers that were made, and opens those again that were withdrawn or taken, once the lesson is gone. */
export async function undoOffers(undoing: Undoing): Promise<void> {
  const { db, actor } = undoing
  for (const reversal of undoing.take('offer').toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const stored = await lockOffer(db, actor.tenant.id, reversal.id)
    const { state } = reversal.fields
    if (stored?.version !== reversal.version) undoing.refuse(reversal, 'changed_since')
    else if (reversal.action === 'delete' || state === 'withdrawn' || state === 'open') {
      const next = reversal.action === 'delete' || state === 'withdrawn' ? 'withdrawn' : 'open'
      await updateOffer(db, actor, stored, { state: next, appointment_id: null, taken_by: null })
      undoing.done(reversal)
    } else undoing.refuse(reversal, 'offer_gone')
  }
}
