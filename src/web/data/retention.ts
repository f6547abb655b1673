import { queryOptions } from '@tanstack/react-query'
import type { Hold, NewHold, NewRetentionRun, Retention, RetentionRun } from '../../contract/retention.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { ApiProblem } from './send.ts'

/** The students whose time is over today. */
export const retention = queryOptions({
  queryKey: [COMPUTED, 'retention'],
  queryFn: () => fetchJson<Retention>('/retention'),
})

/** The past runs, newest first. */
export const retentionRuns = queryOptions({
  queryKey: [COMPUTED, 'retention runs'],
  queryFn: () => fetchJson<readonly RetentionRun[]>('/retention/runs?limit=20'),
})

/** Erases the students of a preview, in as many requests as it takes. Throws `ApiProblem` or `Unreachable`. */
export async function runRetention(body: NewRetentionRun): Promise<RetentionRun> {
  for (;;) {
    const run = await fetchJson<RetentionRun>('/retention/runs', { method: 'POST', body })
    if (run.finished_at !== null) return run
  }
}

/** The hold of a student; null if there is none. */
export function holdOf(id: string) {
  return queryOptions({
    queryKey: [COMPUTED, 'hold', id],
    queryFn: async ({ signal }): Promise<Hold | null> => {
      try {
        return await fetchJson<Hold>(`/students/${id}/hold`, { signal })
      } catch (error) {
        if (error instanceof ApiProblem && error.is('not_found')) return null
        throw error
      }
    },
  })
}

/** Holds a student. Throws `ApiProblem` or `Unreachable`. */
export async function holdStudent({ id, ...body }: NewHold & { readonly id: string }): Promise<Hold> {
  return fetchJson<Hold>(`/students/${id}/hold`, { method: 'PUT', body })
}

/** Ends the hold of a student. Throws `ApiProblem` or `Unreachable`. */
export async function endHold(id: string): Promise<void> {
  await fetchApi(`/students/${id}/hold`, { method: 'DELETE' })
}
