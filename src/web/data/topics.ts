import { queryOptions } from '@tanstack/react-query'
import type { ListedStudent } from '../../contract/student.ts'
import type { StudentTopic, Topic } from '../../contract/topic.ts'
import { COMPUTED } from './computed.ts'
import { constantQuery, FOLLOWED } from './conditional-get.ts'
import { followedGet, followedQuery } from './followed-get.ts'

/** The topics of theory of the country's plan; empty if it has none. */
export const topicsOfCountry = constantQuery<readonly Topic[]>(['topics'], '/topics')

/** Queries the topics that each student lacks, by student id. */
export const missingTopicsOfStudents = queryOptions({
  queryKey: [COMPUTED, 'missing_topics'],
  queryFn: (context) => followedGet<readonly ListedStudent[]>('/students?with=topics', context),
  select: (students) => new Map(students.map(({ id, missing_topics = [] }) => [id, missing_topics])),
  ...FOLLOWED,
})

/** Queries the topics that a student's class requires, with their state. */
export function topicsOfStudent(id: string) {
  return followedQuery<readonly StudentTopic[]>([COMPUTED, 'topics', id], `/students/${id}/topics`)
}
