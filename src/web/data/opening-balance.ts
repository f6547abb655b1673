import type { Credits } from '../../contract/credit.ts'
import type { OpeningBalance, OpeningEntry } from '../../contract/opening-balance.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'

/** Units from elsewhere. Those of an enrolment also have the fields that no form shows. */
export type UnitEntry = OpeningEntry & Partial<Pick<Credits[number], 'minutes' | 'document' | 'topics'>>

/** Units from elsewhere with the version of their student or enrolment. */
export type StoredBalance = { readonly entries: UnitEntry[]; readonly etag: string }

/** The store of units from elsewhere. `replace` throws `ApiProblem` if somebody has changed them, or `Unreachable`. */
export type UnitStore = {
  readonly query: ReturnType<typeof openingBalanceOf>
  readonly replace: (entries: readonly UnitEntry[], etag: string) => Promise<Response>
}

/** Queries a student's opening balance, which is refetched whenever a student changes. */
export function openingBalanceOf(id: string) {
  const queryKey = [COMPUTED, 'opening balance', id]
  return followedQuery<StoredBalance>(queryKey, balancePath(id), (entries, headers) => ({
    entries: entries as OpeningBalance,
    etag: headers.get('etag') ?? '',
  }))
}

export function balanceStore(studentId: string): UnitStore {
  return {
    query: openingBalanceOf(studentId),
    replace: (entries, etag) => put(balancePath(studentId), entries, etag),
  }
}

export function creditStore(enrolmentId: string): UnitStore {
  const path = `/enrolments/${enrolmentId}/credits`
  const shown = (credits: Credits) => credits.map(({ school: source, ...one }) => ({ ...one, source }))
  return {
    query: followedQuery<StoredBalance>([COMPUTED, 'credits', enrolmentId], path, (credits, headers) => ({
      entries: shown(credits as Credits),
      etag: headers.get('etag') ?? '',
    })),
    replace: (entries, etag) =>
      put(
        path,
        entries.map(({ source: school, ...one }) => ({ ...one, school })),
        etag,
      ),
  }
}

function balancePath(studentId: string): string {
  return `/students/${studentId}/opening-balance`
}

function put(path: string, body: object, etag: string): Promise<Response> {
  return fetchApi(path, { method: 'PUT', headers: { 'if-match': etag }, body })
}
