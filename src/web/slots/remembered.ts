import { createStore } from '../data/store.ts'
import type { SearchCriteria } from './search-criteria.ts'

/** The filters chosen by hand. The first day is the board's. */
export type ChosenFilters = Partial<Omit<SearchCriteria, 'from'>>

/** The lesson type and length chosen by hand. */
export type ChosenLesson = { readonly lesson_type_id: string; readonly minutes: number }

type Remembered = {
  readonly student_id: string
  readonly filters: ChosenFilters
  readonly lesson: ChosenLesson | undefined
}

/** The search for the last student; cleared with the session, like every store. */
const remembered = createStore<Remembered | undefined>(undefined)

/** Returns the remembered choices if they were made for this student. */
export function rememberedFor(student_id: string | null): Remembered | undefined {
  const last = remembered.get()
  return last?.student_id === student_id ? last : undefined
}

/** Replaces the remembered choices. */
export const remember = remembered.set
