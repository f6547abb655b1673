import { queryOptions } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { conditionalGet } from './conditional-get.ts'
import { POLL } from './poll.ts'

/** Who is logged in, the school, its people and its catalogue. */
export const bootstrap = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: ({ signal }) => conditionalGet<Bootstrap>('/bootstrap', signal),
  ...POLL,
})
