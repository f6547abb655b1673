import type { Student } from '../../contract/student.ts'
import { searchAmong } from '../../domain/search.ts'

type Search = (text: string) => readonly Student[]

/** Searches that are prepared; a list that has changed is another one. */
const prepared = new WeakMap<readonly Student[], Search>()

/** The search among the students of a school, by name, phone number and e-mail address, the best first. */
export function studentSearch(students: readonly Student[], country: string): Search {
  const known = prepared.get(students)
  if (known) return known
  const search = searchAmong(
    students,
    ({ first_name, last_name, email, phone }) => ({ names: [first_name, last_name], email, phone }),
    country,
  )
  prepared.set(students, search)
  return search
}
