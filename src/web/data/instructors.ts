import { queryOptions } from '@tanstack/react-query'
import type { Impact } from '../../contract/impact.ts'
import type { Instructor, InstructorChange, NewInstructor } from '../../contract/instructor.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { fetchJson } from './fetch-api.ts'
import { copiesOf } from './people.ts'
import { changing, creating } from './write-queue.ts'

const INSTRUCTORS = copiesOf('instructors')

export const hireInstructor = creating<Instructor, NewInstructor>(INSTRUCTORS)
export const changeInstructor = changing<Instructor, InstructorChange>(INSTRUCTORS)

/** Queries the coming lessons that would break a rule after a change of an instructor. */
export function impactOfChange(id: string, change: InstructorChange) {
  return queryOptions({
    queryKey: [COMPUTED, 'impact', id, change],
    queryFn: ({ signal }) =>
      fetchJson<Impact>(`/instructors/${id}/impact?sufficient=true`, {
        method: 'POST',
        body: change,
        signal,
      }),
    ...FOLLOWED,
  })
}
