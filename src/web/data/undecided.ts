import type { InstructorChange } from '../../contract/instructor.ts'
import { createStore } from './store.ts'

/** A change that was typed in a form, to be stored with decisions on the lessons that it affects. */
export type Undecided = {
  readonly key: string
  readonly note?: string
  readonly change?: { readonly values: InstructorChange; readonly version: number }
}

/** The change that a form hands to the page of decisions, until that page has taken it. */
export const undecided = createStore<Undecided | undefined>(undefined)

/** The keys of changes that concern no single absence. */
export const CLOSURE = 'closure'
export const changeKey = (instructor_id: string) => `change ${instructor_id}`
