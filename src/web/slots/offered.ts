import type { Slot } from '../../contract/slot.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { createStore } from '../data/store.ts'

/** A time and instructor for a form. Without an end, the form keeps its length. */
export type SlotPlace = {
  readonly instructor_id?: string | undefined
  readonly start_at: LocalDateTime
  readonly end_at?: LocalDateTime
  /** The vehicles that are free then; empty if the search required none. */
  readonly vehicle_ids?: readonly string[]
}

/** The slots listed beside the board, and the function that picks one or another place. */
export type OfferedSlots = {
  readonly slots: readonly Slot[]
  /** The ids of the chosen slots. */
  readonly chosen: readonly string[]
  /** The id of the slot that the board shows: the one pointed at, or else the one in the form. */
  readonly current: string
  readonly pick: (place: SlotPlace) => void
}

const offered = createStore<OfferedSlots | undefined>(undefined)

/** The offered slots; undefined while no search is open. */
export const useOffered = offered.use
/** Shows a search's slots on the board; undefined removes them. */
export const setOffered = offered.set

/** Returns the id of a slot on the board. */
export function slotIdOf({ instructor_id, start_at }: Pick<Slot, 'instructor_id' | 'start_at'>): string {
  return `slot ${instructor_id} ${start_at}`
}
