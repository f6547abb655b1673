import type { Student } from '../../contract/student.ts'
import { type Findable, searchAmong } from '../../domain/search.ts'

type Person = Pick<Student, 'first_name' | 'last_name' | 'email' | 'phone' | 'phone_2'>

type Search<T> = (text: string) => readonly T[]

/** The prepared searches by list; a changed list is a new key. */
const prepared = new WeakMap<readonly Person[], Search<Person>>()

/** Returns a search among people by name, phone number and e-mail address, best first. */
export function searchPeople<T extends Person>(people: readonly T[], country: string): Search<T> {
  const known = prepared.get(people) as Search<T> | undefined
  if (known) return known
  const search = searchAmong(people, findableOf, country)
  prepared.set(people, search)
  return search
}

/** Returns the texts by which a person is found. */
export function findableOf({ first_name, last_name, email, phone, phone_2 }: Person): Findable {
  return { names: [first_name, last_name], email, phone, phone_2 }
}
