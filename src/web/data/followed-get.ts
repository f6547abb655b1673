import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import { bootstrap, isFollower } from './bootstrap.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'
import { position } from './position.ts'

type ValueIn<T> = Parameters<typeof conditionalGet<T>>[2]

/** Returns the query of a path's body, kept up to date for users who may follow changes. `valueIn` can add data of the headers. */
export function followedQuery<T>(queryKey: readonly unknown[], path: string, valueIn?: ValueIn<T>) {
  const queryFn = (context: QueryFunctionContext) => followedGet<T>(path, context, valueIn)
  return queryOptions({ queryKey, queryFn, ...FOLLOWED })
}

/** Reads a path's body, after the position if the user may follow changes. Throws `ApiProblem` or `Unreachable`. */
export async function followedGet<T>(
  path: string,
  context: Pick<QueryFunctionContext, 'client' | 'signal'>,
  valueIn?: ValueIn<T>,
): Promise<T> {
  const { client } = context
  if (isFollower(await client.ensureQueryData(bootstrap))) await client.ensureQueryData(position)
  return conditionalGet<T>(path, context, valueIn)
}
