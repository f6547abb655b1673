import type { StudentTopic, Topic } from '../../contract/topic.ts'
import { COMPUTED } from './computed.ts'
import { constantQuery } from './conditional-get.ts'
import { followedQuery } from './followed-get.ts'

/** The topics of theory of the country's plan; empty if it has none. */
export const topicsOfCountry = constantQuery<readonly Topic[]>(['topics'], '/topics')

/** Queries the topics that a student's class requires, with their state. */
export function topicsOfStudent(id: string) {
  return followedQuery<readonly StudentTopic[]>([COMPUTED, 'topics', id], `/students/${id}/topics`)
}
