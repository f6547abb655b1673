import { queryOptions } from '@tanstack/react-query'
import type { Location } from '../../contract/location.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'

/** Empty for schools without branches. */
export const locationList = queryOptions({
  queryKey: ['locations'],
  queryFn: (context) => conditionalGet<readonly Location[]>('/locations', context),
  ...FOLLOWED,
})
