import { infiniteQueryOptions } from '@tanstack/react-query'
import type { LocalDate } from '../../domain/local-time.ts'
import { COMPUTED } from './computed.ts'
import { conditionalGet } from './conditional-get.ts'
import { cursorIn } from './cursor.ts'
import { followedQuery } from './followed-get.ts'

type Rows = { readonly rows: string }

/** The numbers of a period; `rows` are the addresses of what is behind them. */
export type SchoolNumbers = {
  readonly from: LocalDate
  readonly to: LocalDate
  readonly use: readonly (Rows & {
    readonly instructor_id: string
    readonly week: string
    readonly worked_minutes: number
    readonly available_minutes: number | null
  })[]
  readonly free: readonly (Rows & {
    readonly week: string
    readonly instructor_id: string
    readonly minutes: number
  })[]
  readonly by_type: readonly (Rows & {
    readonly lesson_type_id: string
    readonly count: number
    readonly minutes: number
  })[]
  readonly missed: Readonly<Record<MissedReason, number>> & {
    readonly rows: Readonly<Record<MissedReason, string>>
  }
  readonly to_test: readonly (Rows & {
    readonly license_class: string
    readonly test: 'theory' | 'practical'
    readonly n: number
    readonly median_days: number | null
    readonly quarter_days: readonly [number, number] | null
  })[]
  readonly passed: readonly (Rows & {
    readonly license_class: string
    readonly test: 'theory' | 'practical'
    readonly attempt: 'first' | 'repeat'
    readonly taken: number
    readonly passed: number
  })[]
  readonly lists: Readonly<Record<ListName, Rows & { readonly count: number }>>
}

export const MISSED_REASONS = ['no_show', 'cancelled_late', 'cancelled_in_time', 'by_school'] as const
export type MissedReason = (typeof MISSED_REASONS)[number]
export const LIST_NAMES = ['no_lesson', 'special_owed', 'ready'] as const
export type ListName = (typeof LIST_NAMES)[number]

export type NumbersPeriod = { readonly from: LocalDate; readonly to: LocalDate }

export function numbersOf({ from, to }: NumbersPeriod) {
  return followedQuery<SchoolNumbers>([COMPUTED, 'numbers', from, to], `/numbers?from=${from}&to=${to}`)
}

/** A row behind a number, of any kind. */
export type NumbersRow = Readonly<
  Record<string, string | number | boolean | null | Readonly<Record<string, number>>>
>

const PAGE_SIZE = '100'

/** Queries the rows at an address such as `use?week=2026-W05`, in pages. */
export function rowsOf(address: string) {
  const [name = '', query = ''] = address.split('?')
  return infiniteQueryOptions({
    queryKey: [COMPUTED, 'numbers rows', address],
    queryFn: async ({ pageParam, signal }) => {
      const asked = new URLSearchParams(query)
      asked.set('limit', PAGE_SIZE)
      if (pageParam !== '') asked.set('cursor', pageParam)
      return conditionalGet(`/numbers/${name}?${asked}`, { signal }, (rows, headers) => ({
        rows: rows as readonly NumbersRow[],
        next: cursorIn(headers),
      }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
}
