import type { Student } from '../../contract/student.ts'
import { isOtherScript } from '../../domain/scripts.ts'
import { type Findable, searchAmong } from '../../domain/search.ts'
import type { Romanize } from '../../domain/spelling.ts'
import { loadRomanize } from './romanize.ts'
import type { School } from './school.tsx'

type Person = Pick<Student, 'first_name' | 'last_name' | 'email' | 'phone' | 'phone_2'>

type Search<T> = (text: string) => readonly T[]

type Searching = Pick<School, 'tenant' | 'romanize'>

/** Returns a search among items, best first. A text in another script fetches the code for it. */
export function searchIn<T>(
  items: readonly T[],
  findableOf: (item: T) => Findable,
  { tenant, romanize }: Searching,
): Search<T> {
  const search = searchAmong(items, findableOf, tenant.country, romanize)
  return (text) => {
    if (!romanize && isOtherScript(text)) void loadRomanize()
    return search(text)
  }
}

type Prepared = { readonly romanize: Romanize | undefined; readonly search: Search<Person> }

/** The prepared searches by list; a changed list is a new key. */
const prepared = new WeakMap<readonly Person[], Prepared>()

/** Returns a search among people by name, phone number and e-mail address, best first. */
export function searchPeople<T extends Person>(people: readonly T[], school: Searching): Search<T> {
  const known = prepared.get(people)
  if (known && known.romanize === school.romanize) return known.search as Search<Person> as Search<T>
  const search = searchIn(people, findableOf, school)
  prepared.set(people, { romanize: school.romanize, search: search as Search<Person> })
  return search
}

/** Returns the texts by which a person is found. */
export function findableOf({ first_name, last_name, email, phone, phone_2 }: Person): Findable {
  return { names: [first_name, last_name], email, phone, phone_2 }
}
