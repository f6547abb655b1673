import type { Topic } from '../../contract/topic.ts'
import type { LessonForm } from './form.ts'

/** The topics of a lesson type, for all license classes or for some. */
export type CoursePlan = {
  /** Empty for all classes. */
  readonly license_classes: readonly string[]
  readonly topics: readonly string[]
}

/** Returns the plans of a lesson type in the order of its topics. */
export function plansOf(topics: readonly Topic[], lesson_type_id: string): readonly CoursePlan[] {
  const own = topics.filter((one) => one.lesson_type_id === lesson_type_id)
  const byClasses = Map.groupBy(own, ({ license_classes }) => license_classes.join(', '))
  return [...byClasses.values()].flatMap((all) =>
    all[0] ? [{ license_classes: all[0].license_classes, topics: all.map(({ topic }) => topic) }] : [],
  )
}

/** Returns the topics of a class's only plan, from the form's topic on; undefined for several plans, or none. */
export function firstTopicsOf(
  plans: readonly CoursePlan[],
  { topic, student_id }: Pick<LessonForm, 'topic' | 'student_id'>,
): readonly string[] | undefined {
  const [only, ...others] = plans
  if (!only || others.length > 0 || student_id !== null) return undefined
  return only.topics.slice(Math.max(0, only.topics.indexOf(topic.trim())))
}
