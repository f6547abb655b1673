import { createStore } from '../data/store.ts'

/** The number of unsent entries on this device. A logout discards them. */
export const unsent = createStore(0)
