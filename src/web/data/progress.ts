import { queryOptions } from '@tanstack/react-query'
import type { Progress } from '../../contract/progress.ts'
import type { ListedStudent } from '../../contract/student.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { followedGet, followedQuery } from './followed-get.ts'

export function progressOfStudent(id: string) {
  return followedQuery<Progress>([COMPUTED, 'progress', id], `/students/${id}/progress`)
}

/** The progress, the readiness for the exam, the open trainings and the papers in brief, by student id. */
export const trainingOfStudents = queryOptions({
  queryKey: [COMPUTED, 'training'],
  queryFn: (context) =>
    followedGet<readonly ListedStudent[]>('/students?with=progress,readiness,enrolments,ticks', context),
  select: (students) => new Map(students.map((one) => [one.id, one])),
  ...FOLLOWED,
})
