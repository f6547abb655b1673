import { queryOptions } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'

/** Who is logged in, the school, its people and its catalogue. */
export const bootstrap = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: (context) => conditionalGet<Bootstrap>('/bootstrap', context),
  ...FOLLOWED,
})
