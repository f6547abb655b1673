import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'

const pathOf = (id: string) => `/students/${id}/opening-balance`

/** A student's opening balance and the version of the student with which it was read. */
export type StoredBalance = { readonly entries: OpeningBalance; readonly etag: string }

/** Queries a student's opening balance, which is refetched whenever a student changes. */
export function openingBalanceOf(id: string) {
  const queryKey = [COMPUTED, 'opening balance', id]
  return followedQuery<StoredBalance>(queryKey, pathOf(id), (entries, headers) => ({
    entries: entries as OpeningBalance,
    etag: headers.get('etag') ?? '',
  }))
}

type Replacement = { readonly studentId: string; readonly etag: string; readonly entries: OpeningBalance }

/** Replaces a student's balance unless the student has changed. Throws `ApiProblem` or `Unreachable`. */
export function replaceOpeningBalance({ studentId, etag, entries }: Replacement): Promise<Response> {
  return fetchApi(pathOf(studentId), { method: 'PUT', headers: { 'if-match': etag }, body: entries })
}
