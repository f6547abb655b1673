import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Assumed } from '../../contract/assumed.ts'
import type { AppointmentCheck, Check } from '../../contract/check.ts'
import type { Slot } from '../../contract/slot.ts'
import type { LocalDate, TimeOfDay } from '../../domain/local-time.ts'
import { ask, askFor } from '../session/ask.ts'
import { conditionalGet } from './conditional-get.ts'
import { cursorIn } from './cursor.ts'

const PAGE_SIZE = '200'

/** For which lesson a time is wanted, and when; what is left out does not matter. */
export type SlotsWanted = {
  readonly lesson_type_id: string
  readonly minutes: string
  readonly order: 'fit' | 'time'
  readonly student_id?: string
  /** The lesson that is to be moved. */
  readonly appointment_id?: string
  readonly instructor_ids?: readonly string[]
  readonly from?: LocalDate
  /** The last day. */
  readonly to?: LocalDate
  /** As `1,3,5`; Monday is 1. */
  readonly weekdays?: string
  readonly time_from?: TimeOfDay
  readonly time_to?: TimeOfDay
}

/** Times that booking accepts, also after changes that are not saved yet, page by page. What happens in the school makes them old (`following.ts`). */
export function slotsWhere(wanted: SlotsWanted, assumed: Assumed = []) {
  return infiniteQueryOptions({
    queryKey: ['slots', wanted, assumed],
    queryFn: async ({ pageParam, signal }) => {
      const query = queryOf(wanted)
      if (pageParam !== '') query.set('cursor', pageParam)
      if (assumed.length > 0) {
        const answer = await ask(`/slots/search?${query}`, { method: 'POST', body: { assumed }, signal })
        const slots: readonly Slot[] = await answer.json()
        return { slots, next: cursorIn(answer.headers) }
      }
      return conditionalGet(`/slots?${query}`, { signal }, (slots, headers) => ({
        slots: slots as readonly Slot[],
        next: cursorIn(headers),
      }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
}

/** Returns a search as the service takes it: an instructor may be named several times. */
function queryOf({ instructor_ids = [], ...wanted }: SlotsWanted): URLSearchParams {
  const query = new URLSearchParams({ ...wanted, limit: PAGE_SIZE })
  for (const id of instructor_ids) query.append('instructor_id', id)
  return query
}

/** The result that booking or changing would have, with alternatives. Fetched once, until something changes in the school. */
export function checkOf(check: AppointmentCheck) {
  return queryOptions({
    queryKey: ['slots', 'check', check],
    queryFn: ({ signal }) => askFor<Check>('/appointments/check', { method: 'POST', body: check, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
