import type { Location } from '../../contract/location.ts'
import { storedQuery } from './conditional-get.ts'

/** The school's branches; empty if it has none. */
export const locationList = storedQuery<readonly Location[]>(['locations'], '/locations')
