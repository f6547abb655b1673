import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import type { Assumed } from '../../contract/assumed.ts'
import type { AppointmentCheck, Check } from '../../contract/check.ts'
import type { Slot } from '../../contract/slot.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf, type LocalDate, type LocalDateTime, type TimeOfDay } from '../../domain/local-time.ts'
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
  readonly vehicle?: 'any' | 'usual'
  readonly vehicle_kind?: Vehicle['kind']
  /** The vehicles, or those beside the usual ones. */
  readonly vehicle_ids?: readonly string[]
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

/** Queries the first 200 times of a search on a grid of a quarter of an hour. */
export function slotsAround(wanted: SlotsQuery) {
  return queryOptions({
    queryKey: ['slots', 'around', wanted],
    queryFn: async ({ signal }) => {
      const query = queryOf(wanted)
      query.set('step', '15')
      return (await askPage(query, [], signal)).slots
    },
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
} & Pick<SlotsQuery, 'vehicle' | 'vehicle_ids'>

/** The grid of the search in minutes, which includes every start that a form's steps can reach. */
const STEP_MINUTES = '5'

/** Queries the slots at a lesson's time, one for each free instructor. Valid until something changes in the school. */
export function freeAt(
  { student_id, start_at, end_at, vehicle_ids = [], ...lesson }: Timed,
  assumed: Assumed = [],
) {
  return queryOptions({
    queryKey: ['slots', 'at', { student_id, start_at, end_at, vehicle_ids, ...lesson }, assumed],
    queryFn: async ({ signal }) => {
      const minutes = String(minutesOf(intervalOf({ start_at, end_at })))
      const times = { minutes, from: start_at, to: end_at, step: STEP_MINUTES, limit: PAGE_SIZE }
      const query = new URLSearchParams({ ...lesson, ...times, ...(student_id !== null && { student_id }) })
      for (const id of vehicle_ids) query.append('vehicle_id', id)
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

/** Returns the query of a search; instructors and vehicles repeat. */
function queryOf({ instructor_ids = [], vehicle_ids = [], ...wanted }: SlotsQuery): URLSearchParams {
  const query = new URLSearchParams({ ...wanted, limit: PAGE_SIZE })
  for (const id of instructor_ids) query.append('instructor_id', id)
  for (const id of vehicle_ids) query.append('vehicle_id', id)
  return query
}

type ExamDraft = Pick<
  Appointment,
  'instructor_id' | 'student_id' | 'lesson_type_id' | 'start_at' | 'end_at'
> & {
  readonly id?: string
}

/** Queries the result of booking or changing, with alternatives. Valid until something changes in the school. */
export function checkOf(check: AppointmentCheck) {
  return checkWithKey(['slots', 'check', check], check)
}

/** Queries the check of an exam for its papers, which the app does not have. They are the same at every time of the day. */
export function examCheckOf({ id, instructor_id, student_id, lesson_type_id, start_at, end_at }: ExamDraft) {
  const exam = { instructor_id, student_id, lesson_type_id, start_at, end_at }
  const key = ['slots', 'exam', { id, student_id, lesson_type_id, date: dateOf(start_at) }]
  return checkWithKey(key, id === undefined ? exam : { appointment_id: id, ...exam })
}

function checkWithKey(queryKey: readonly unknown[], check: AppointmentCheck) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => fetchJson<Check>('/appointments/check', { method: 'POST', body: check, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
