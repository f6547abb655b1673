import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Assumed } from '../../contract/assumed.ts'
import type { AppointmentCheck, Check } from '../../contract/check.ts'
import type { Slot } from '../../contract/slot.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import type { LocalDate, LocalDateTime, TimeOfDay } from '../../domain/local-time.ts'
import { conditionalGet } from './conditional-get.ts'
import { cursorIn } from './cursor.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { bodyOf } from './send.ts'

const PAGE_SIZE = '200'

/** The criteria of a search; an omitted one matches anything. */
export type SlotsQuery = {
  readonly lesson_type_id: string
  readonly minutes: string
  readonly order: 'fit' | 'time'
  readonly student_id?: string
  /** The lesson to move. */
  readonly appointment_id?: string
  readonly instructor_ids?: readonly string[]
  readonly from?: LocalDate
  /** The last day. */
  readonly to?: LocalDate
  /** As `1,3,5`; Monday is 1. */
  readonly weekdays?: string
  readonly time_from?: TimeOfDay
  readonly time_to?: TimeOfDay
  readonly vehicle?: 'any'
  readonly vehicle_kind?: Vehicle['kind']
  readonly vehicle_id?: string
}

/** Queries times that booking accepts, also after unsaved changes, in pages. Changes in the school make them stale (`following.ts`). */
export function slotsWhere(wanted: SlotsQuery, assumed: Assumed = []) {
  return infiniteQueryOptions({
    queryKey: ['slots', wanted, assumed],
    queryFn: ({ pageParam, signal }) => {
      const query = queryOf(wanted)
      if (pageParam !== '') query.set('cursor', pageParam)
      return askPage(query, assumed, signal)
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
}

/** Queries the first time that a search finds; null if it finds none. */
export function firstSlotWhere(wanted: SlotsQuery) {
  return queryOptions({
    queryKey: ['slots', 'first', wanted],
    queryFn: async ({ signal }) => {
      const query = queryOf(wanted)
      query.set('limit', '1')
      return (await askPage(query, [], signal)).slots[0] ?? null
    },
  })
}

/** A lesson at a given time, with its id if it is stored. */
type Timed = {
  readonly appointment_id?: string
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
}

/** The grid of the search in minutes, which includes every start that a form's steps can reach. */
const STEP_MINUTES = '5'

/** Queries the slots at a lesson's time, one for each free instructor. Valid until something changes in the school. */
export function freeAt({ student_id, start_at, end_at, ...lesson }: Timed, assumed: Assumed = []) {
  return queryOptions({
    queryKey: ['slots', 'at', { student_id, start_at, end_at, ...lesson }, assumed],
    queryFn: async ({ signal }) => {
      const minutes = String(minutesOf(intervalOf({ start_at, end_at })))
      const times = { minutes, from: start_at, to: end_at, step: STEP_MINUTES, limit: PAGE_SIZE }
      const query = new URLSearchParams({ ...lesson, ...times, ...(student_id !== null && { student_id }) })
      return (await askPage(query, assumed, signal)).slots
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

type SlotsPage = { readonly slots: readonly Slot[]; readonly next: string | undefined }

async function askPage(query: URLSearchParams, assumed: Assumed, signal: AbortSignal): Promise<SlotsPage> {
  if (assumed.length > 0) {
    const answer = await fetchApi(`/slots/search?${query}`, { method: 'POST', body: { assumed }, signal })
    return { slots: await bodyOf(answer, signal), next: cursorIn(answer.headers) }
  }
  return conditionalGet(`/slots?${query}`, { signal }, (slots, headers) => ({
    slots: slots as readonly Slot[],
    next: cursorIn(headers),
  }))
}

/** Returns the query of a search; instructors repeat. */
function queryOf({ instructor_ids = [], ...wanted }: SlotsQuery): URLSearchParams {
  const query = new URLSearchParams({ ...wanted, limit: PAGE_SIZE })
  for (const id of instructor_ids) query.append('instructor_id', id)
  return query
}

/** Queries the result of booking or changing, with alternatives. Valid until something changes in the school. */
export function checkOf(check: AppointmentCheck) {
  return queryOptions({
    queryKey: ['slots', 'check', check],
    queryFn: ({ signal }) => fetchJson<Check>('/appointments/check', { method: 'POST', body: check, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
