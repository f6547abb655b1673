import type { Slot } from '../../../contract/slot.ts'
import type { LocalDateTime } from '../../../domain/local-time.ts'
import { createStore } from '../../data/store.ts'

/** A time, and with whom; the length stays as it is unless an end is given. */
export type Place = {
  readonly instructor_id?: string | undefined
  readonly start_at: LocalDateTime
  readonly end_at?: LocalDateTime
}

/** The times that a search lists beside the board, and what picks one, or any other place. */
export type Offered = {
  readonly slots: readonly Slot[]
  /** The ids of those that are chosen. */
  readonly chosen: readonly string[]
  readonly pick: (place: Place) => void
}

const offered = createStore<Offered | undefined>(undefined)

/** The slots on offer; undefined while no search is open. */
export const useOffered = offered.use
/** Shows the times of a search on the board, or none. */
export const setOffered = offered.set

/** Returns the id of a slot on the board, beside lessons. */
export function slotIdOf({ instructor_id, start_at }: Pick<Slot, 'instructor_id' | 'start_at'>): string {
  return `slot ${instructor_id} ${start_at}`
}
