import type { QueryFunctionContext } from '@tanstack/react-query'
import { bootstrap, isFollower } from './bootstrap.ts'
import { conditionalGet } from './conditional-get.ts'
import { position } from './position.ts'

/** Reads data that followers keep up to date. Throws `ApiProblem` or `Unreachable`. */
export async function followedGet<T>(
  path: string,
  context: Pick<QueryFunctionContext, 'client' | 'signal'>,
): Promise<T> {
  const { client } = context
  if (isFollower(await client.ensureQueryData(bootstrap))) await client.ensureQueryData(position)
  return conditionalGet<T>(path, context)
}
