import type { OpeningBalance } from '../../contract/opening-balance.ts'
import type { Student } from '../../contract/student.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { followNow } from './following.ts'
import type { WriteContext } from './write-queue.ts'

const pathOf = (id: string) => `/students/${id}/opening-balance`

/** Queries a student's opening balance, which is refetched whenever a student changes. */
export function openingBalanceOf(id: string) {
  return followedQuery<OpeningBalance>([COMPUTED, 'opening balance', id], pathOf(id))
}

type Replacement = { readonly student: Student; readonly balance: OpeningBalance }

/** Replaces a student's balance unless the student has changed. Throws `ApiProblem` or `Unreachable`. */
export async function replaceOpeningBalance(
  { student: { id, version }, balance }: Replacement,
  { client }: WriteContext,
): Promise<void> {
  await fetchApi(pathOf(id), { method: 'PUT', headers: { 'if-match': `"${version}"` }, body: balance })
  await followNow(client)
}
