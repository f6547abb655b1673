import type { Verdict } from '../../domain/booking.ts'
import type { Draft } from '../lessons/verdict.ts'
import { createStore } from '../ui/store.ts'

/** What is held over the board, what speaks against it there, and how full the day and week would be. */
export type Hover = {
  readonly draft: Draft
  readonly objection?: string
  /** Not known yet for a week that has not been read. */
  readonly verdict?: Verdict | undefined
}

const hover = createStore<Hover | undefined>(undefined)

export const setHover = hover.set
export const useHover = hover.use
