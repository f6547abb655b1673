import { queryOptions } from '@tanstack/react-query'
import type { Availability, NewAvailability } from '../../contract/availability.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { COMPUTED, refetchComputed } from './computed.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { ApiProblem } from './send.ts'
import type { WriteContext } from './write-queue.ts'

export type NamedWeek = { readonly studentId: string; readonly week: LocalDate }

const pathOf = ({ studentId, week }: NamedWeek) => `/students/${studentId}/availability/${week}`

/** The answer of a student for a week; null if there is none. */
export function availabilityOf(named: NamedWeek) {
  return queryOptions({
    queryKey: [COMPUTED, 'availability', named.studentId, named.week],
    queryFn: async ({ signal }): Promise<Availability | null> => {
      try {
        return await fetchJson<Availability>(pathOf(named), { signal })
      } catch (error) {
        if (error instanceof ApiProblem && error.is('not_found')) return null
        throw error
      }
    },
  })
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function writeWeek(
  { answer, ...named }: NamedWeek & { readonly answer: NewAvailability },
  { client }: WriteContext,
): Promise<void> {
  await fetchApi(pathOf(named), { method: 'PUT', body: answer })
  await refetchComputed(client)
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function takeBackWeek(named: NamedWeek, { client }: WriteContext): Promise<void> {
  await fetchApi(pathOf(named), { method: 'DELETE' })
  await refetchComputed(client)
}
