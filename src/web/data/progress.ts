import { queryOptions } from '@tanstack/react-query'
import type { Progress } from '../../contract/progress.ts'
import type { ListedStudent } from '../../contract/student.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { followedGet } from './followed-get.ts'

export function progressOfStudent(id: string) {
  return queryOptions({
    queryKey: [COMPUTED, 'progress', id],
    queryFn: (context) => followedGet<Progress>(`/students/${id}/progress`, context),
    ...FOLLOWED,
  })
}

/** By student id. */
export const progressOfStudents = queryOptions({
  queryKey: [COMPUTED, 'progress'],
  queryFn: (context) => followedGet<readonly ListedStudent[]>('/students?with=progress', context),
  select: (students) => new Map(students.map(({ id, progress }) => [id, progress])),
  ...FOLLOWED,
})
