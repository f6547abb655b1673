import { queryOptions } from '@tanstack/react-query'
import type { StudentTopic, Topic } from '../../contract/topic.ts'
import { COMPUTED } from './computed.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'
import { followedGet } from './followed-get.ts'

/** The topics of theory of the country's plan; empty if it has none. */
export const topicsOfCountry = queryOptions({
  queryKey: ['topics'],
  queryFn: (context) => conditionalGet<readonly Topic[]>('/topics', context),
  ...FOLLOWED,
})

/** The topics that a student's class requires, with their state. */
export function topicsOfStudent(id: string) {
  return queryOptions({
    queryKey: [COMPUTED, 'topics', id],
    queryFn: (context) => followedGet<readonly StudentTopic[]>(`/students/${id}/topics`, context),
    ...FOLLOWED,
  })
}
