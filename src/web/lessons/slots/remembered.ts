import { createStore } from '../../data/store.ts'
import type { Wish } from './wish.ts'

/** The filters of a search that somebody has chosen. The first day is none: it is that of the board. */
export type ChosenFilters = Partial<Omit<Wish, 'from'>>

/** The lesson type and the length that somebody has chosen. */
export type ChosenLesson = { readonly lesson_type_id: string; readonly minutes: number }

type Remembered = {
  readonly student_id: string
  readonly filters: ChosenFilters
  readonly lesson: ChosenLesson | undefined
}

/** The filters of the last student's search; like every store it ends with the session. */
const remembered = createStore<Remembered | undefined>(undefined)

/** Returns what was chosen for a student; undefined for another one, and for nobody. */
export function rememberedFor(student_id: string | null): Remembered | undefined {
  const last = remembered.get()
  return last?.student_id === student_id ? last : undefined
}

/** Keeps what is chosen for a student in place of what was chosen for anybody before. */
export const remember = remembered.set
