import type { Actor } from '../../contract/actor.ts'
import { findStoredAppointment } from '../../db/appointments/appointments.ts'
import { lockOffer, type StoredOffer, updateOffer } from '../../db/offers/offers.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { isCounted } from '../../domain/counted.ts'
import { isHeldBy } from '../offers/accept-offer.ts'
import type { Reversal } from './reversals.ts'
import type { UndoTransaction } from './undoing.ts'

/** Withdraws or reopens offers. A taken one reopens only if its lesson has been cancelled or deleted. */
export async function undoOffers(undoing: UndoTransaction): Promise<void> {
  await undoEach(undoing, ({ fields }) => fields.state !== 'taken', stateBefore)
}

/** Marks offers as taken again by the students who had them, if they have the lessons again. */
export async function undoTakenOffers(undoing: UndoTransaction): Promise<void> {
  await undoEach(undoing, ({ fields }) => fields.state === 'taken', takenBefore)
}

type NextState = Pick<StoredOffer, 'state' | 'appointment_id' | 'taken_by'>

type Next = (
  db: Transaction,
  actor: Actor,
  reversal: Reversal,
  stored: StoredOffer,
) => Promise<NextState | string>

async function undoEach(
  undoing: UndoTransaction,
  isWanted: (reversal: Reversal) => boolean,
  nextFor: Next,
): Promise<void> {
  const { db, actor } = undoing
  for (const reversal of undoing.take('offer', isWanted).toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const stored = await lockOffer(db, actor.tenant.id, reversal.id)
    const isUnchanged = stored?.version === reversal.version
    const next = isUnchanged ? await nextFor(db, actor, reversal, stored) : 'changed_since'
    if (typeof next === 'string' || !stored) undoing.refuse(reversal, String(next))
    else {
      await updateOffer(db, actor, stored, next)
      undoing.done(reversal)
    }
  }
}

const NOBODYS = { appointment_id: null, taken_by: null }

const stateBefore: Next = async (db, { tenant }, { action, fields }, { appointment_id }) => {
  if (action === 'delete' || fields.state === 'withdrawn') return { state: 'withdrawn', ...NOBODYS }
  if (fields.state !== 'open') return 'offer_gone'
  const lesson =
    appointment_id === null ? undefined : await findStoredAppointment(db, tenant.id, appointment_id)
  const isGone = !lesson || lesson.deleted || !isCounted(lesson)
  return isGone ? { state: 'open', ...NOBODYS } : 'changed_since'
}

const takenBefore: Next = async (db, { tenant }, { fields }) => {
  const { appointment_id, taken_by } = fields
  if (typeof appointment_id !== 'string' || typeof taken_by !== 'string') return 'offer_gone'
  const lesson = await findStoredAppointment(db, tenant.id, appointment_id)
  if (!lesson || !isHeldBy(lesson, taken_by)) return 'offer_gone'
  return { state: 'taken', appointment_id, taken_by }
}
