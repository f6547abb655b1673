import type { QueryClient } from '@tanstack/react-query'
import type { Closure, NewClosure } from '../../contract/closure.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { refetch } from './patch-read.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

const PATH = '/closures'
const KEY = 'closures'

export const closuresOfSchool = followedQuery<readonly Closure[]>([KEY], PATH)

/** Throws `ApiProblem` or `Unreachable`. */
export async function closeSchool(closure: NewClosure, { client }: WriteContext): Promise<void> {
  await postOnce(PATH, closure)
  await refetchClosures(client)
}

/** Deletes a closure unless it has changed. Throws `ApiProblem` or `Unreachable`. */
export async function deleteClosure({ id, version }: Closure, { client }: WriteContext): Promise<void> {
  await fetchApi(`${PATH}/${id}`, { method: 'DELETE', headers: { 'if-match': `"${version}"` } })
  await refetchClosures(client)
}

function refetchClosures(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: [KEY] })
}
