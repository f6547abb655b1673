import { isExam } from '../../domain/readiness.ts'
import type { School } from '../ui/school.tsx'

/** Returns the lesson type of the practical test; undefined if the school offers none. */
export function practicalTestOf({
  lessonTypes,
}: Pick<School, 'lessonTypes'>): School['lessonTypes'][number] | undefined {
  return lessonTypes.find(({ category, hidden }) => isExam(category) && category !== 'theory_exam' && !hidden)
}
