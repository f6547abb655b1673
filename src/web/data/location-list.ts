import type { Location } from '../../contract/location.ts'
import { storedQuery } from './conditional-get.ts'

/** Empty for schools without branches. */
export const locationList = storedQuery<readonly Location[]>(['locations'], '/locations')
