import { useEffect, useState } from 'react'
import type { Student } from '../../../contract/student.ts'
import { doublesAmong, type SamePerson } from '../../../domain/same-person.ts'
import type { Steps } from '../../../domain/steps.ts'
import { type School, useSchool } from '../../ui/school.tsx'

type Doubles = ReadonlyMap<string, SamePerson<Student>>

const NONE: Doubles = new Map()

/** The searches by list of students; a changed list is a new key. */
const searches = new WeakMap<School['student'], Promise<Doubles>>()

/** Returns for each student another who is probably the same, by id. They are found while the page stays usable; none until then. */
export function useDoubles(): Doubles {
  const { student, tenant } = useSchool()
  const [doubles, setDoubles] = useState(NONE)
  useEffect(() => {
    let isWanted = true
    const search = searches.get(student) ?? inSlices(doublesAmong([...student.values()], tenant.country))
    searches.set(student, search)
    void search.then((found) => isWanted && setDoubles(found))
    return () => {
      isWanted = false
    }
  }, [student, tenant.country])
  return doubles
}

const SLICE_MS = 8

async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve))
    const end = performance.now() + SLICE_MS
    while (performance.now() < end) {
      const step = steps.next()
      if (step.done) return step.value
    }
  }
}
