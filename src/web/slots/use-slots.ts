import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Slot } from '../../contract/slot.ts'
import { localToday } from '../../domain/time-zone.ts'
import { slotsWhere } from '../data/slots.ts'
import { useSchool } from '../ui/school.tsx'
import { useIsStill } from '../ui/use-is-still.ts'
import { nonOverlappingSlots } from './non-overlapping-slots.ts'
import { slotIdOf } from './offered.ts'
import { type SearchCriteria, type SearchedLesson, slotsQueryFor } from './search-criteria.ts'

/** Milliseconds: longer than between two typed digits, shorter than between two presses of Enter. */
const STILL_MS = 150

export type SlotResults = {
  /** Undefined before the first response; the previous query's slots while the next is running. */
  readonly slots: readonly Slot[] | undefined
  /** The number of leading slots that are the requested time with other instructors. */
  readonly same: number
  /** Whether the time with that id is free, even if only an overlapping slot is listed. */
  readonly isFree: (id: string) => boolean
  /** Whether the slots belong to the current query. */
  readonly isCurrent: boolean
  readonly isAsking: boolean
  readonly error: Error | null
  readonly isMore: boolean
  readonly readMore: () => void
  readonly retry: () => void
}

/** Searches for times of a lesson once the query stops changing. */
export function useSlots(sought: SearchedLesson, criteria: SearchCriteria, isWanted: boolean): SlotResults {
  const { tenant, assumed } = useSchool()
  const wanted = slotsQueryFor(sought, criteria, localToday(new Date(), tenant.timezone))
  const isStill = useIsStill(JSON.stringify(wanted), STILL_MS)
  const { data, error, isPlaceholderData, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...slotsWhere(wanted ?? NOTHING, assumed),
    enabled: isWanted && isStill && wanted !== undefined,
    placeholderData: keepPreviousData,
  })
  const all = useMemo(() => data?.pages.flatMap((page) => page.slots), [data])
  const slots = useMemo(() => all && nonOverlappingSlots(all), [all])
  const isCurrent = wanted !== undefined && data !== undefined && !isPlaceholderData
  return {
    slots,
    same: 0,
    isFree: (id) => all?.some((slot) => slotIdOf(slot) === id) ?? false,
    isCurrent,
    isAsking: wanted !== undefined && !isCurrent && error === null,
    error,
    isMore: hasNextPage,
    readMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}

/** Puts the requested time with other instructors first; lists no slots while `same` is undefined. */
export function withSameTime(found: SlotResults, same: readonly Slot[] | undefined): SlotResults {
  if (same?.length === 0) return found
  if (!same) return { ...found, slots: undefined, isCurrent: false, isAsking: true }
  const ids = new Set(same.map(slotIdOf))
  const others = found.slots?.filter((slot) => !ids.has(slotIdOf(slot)))
  return {
    ...found,
    slots: others && [...same, ...others],
    same: same.length,
    isFree: (id) => ids.has(id) || found.isFree(id),
  }
}

/** A placeholder that is never requested. */
const NOTHING = { lesson_type_id: '', minutes: '', order: 'time' } as const
