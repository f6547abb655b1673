import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Closure, NewClosure } from '../../contract/closure.ts'
import { ask } from './ask.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'
import { readAnew } from './patch-read.ts'
import { askOnce, type Writing } from './write-queue.ts'

const PATH = '/closures'
const KEY = 'closures'

export const closuresOfSchool = queryOptions({
  queryKey: [KEY],
  queryFn: (context) => conditionalGet<readonly Closure[]>(PATH, context),
  ...FOLLOWED,
})

/** Throws `ApiProblem` or `Unreachable`. */
export async function closeSchool(closure: NewClosure, { client }: Writing): Promise<void> {
  await askOnce(PATH, closure)
  await readClosuresAnew(client)
}

/** Deletes a closure unless it has changed. Throws `ApiProblem` or `Unreachable`. */
export async function deleteClosure({ id, version }: Closure, { client }: Writing): Promise<void> {
  await ask(`${PATH}/${id}`, { method: 'DELETE', headers: { 'if-match': `"${version}"` } })
  await readClosuresAnew(client)
}

function readClosuresAnew(client: QueryClient): Promise<void> {
  return readAnew(client, { queryKey: [KEY] })
}
