import { createStore } from './store.ts'

/** How much has been said on this device that the service does not have. A logout throws it away. */
export const unsent = createStore(0)
