import type { Location } from '../../contract/location.ts'
import { followedQuery } from './followed-get.ts'

/** The school's branches; empty if it has none. */
export const locationList = followedQuery<readonly Location[]>(['locations'], '/locations')
