import type { LocalDateTime } from './local-time.ts'
import { allLessonsOf, isMet, lessonsFor, progressIn, requirementsOf, type Training } from './progress.ts'

/** A topic of a lesson type, for all licence classes if it lists none. */
export type PlannedTopic = {
  readonly lesson_type_id: string
  readonly license_classes: readonly string[]
  readonly topic: string
  readonly name: string | null
}

/** A theory class on a topic. */
type ClassAbout = {
  readonly lesson_type_id: string
  readonly topic: string
  readonly start_at: LocalDateTime
}

/** A class that the student attends, and its outcome for them. */
export type OwnClass = ClassAbout & { readonly status: string }

/** A coming class with a free seat. */
export type ComingClass = ClassAbout & { readonly appointment_id: string }

export type TopicState = {
  readonly lesson_type_id: string
  readonly topic: string
  readonly name: string | null
  readonly state: 'attended' | 'planned' | 'missing'
  readonly start_at: LocalDateTime | null
  readonly next: Pick<ComingClass, 'appointment_id' | 'start_at'> | null
}

export type MissingTopics = { readonly lesson_type_id: string; readonly topics: readonly string[] }

type Theory = {
  readonly topics: readonly PlannedTopic[]
  readonly training: Training
  /** Sorted by start. */
  readonly own: readonly OwnClass[]
  /** Sorted by start. */
  readonly coming: readonly ComingClass[]
  readonly unit_minutes: number
}

const STATES = { completed: 'attended', planned: 'planned' } as const

/** Returns the topics that the student's licence class requires. Omits missing ones if the requirement is met. */
export function topicStatesOf({
  topics,
  training,
  own,
  coming,
  unit_minutes,
}: Theory): readonly TopicState[] {
  const { license_class } = training
  const learnt = lessonsFor(license_class, allLessonsOf(training))
  return requirementsOf(training).flatMap((requirement) => {
    const isDone = isMet(progressIn(requirement, learnt, unit_minutes))
    return topics
      .filter(({ lesson_type_id }) => lesson_type_id === requirement.lesson_type_id)
      .filter(({ license_classes }) => isFor(license_classes, license_class))
      .map((topic) => stateOf(topic, own, coming))
      .filter(({ state }) => !isDone || state !== 'missing')
  })
}

/** Returns the topics that the student's class requires, and that are neither attended nor planned, by lesson type. */
export function missingTopicsOf(
  training: Training,
  { topics, unit_minutes }: Pick<Theory, 'topics' | 'unit_minutes'>,
): readonly MissingTopics[] {
  const own = allLessonsOf(training).flatMap(({ topic, ...one }) =>
    topic ? [{ ...one, topic, start_at: '' }] : [],
  )
  const missing = topicStatesOf({ topics, training, own, coming: [], unit_minutes }).filter(
    ({ state }) => state === 'missing',
  )
  return [...Map.groupBy(missing, ({ lesson_type_id }) => lesson_type_id)].map(([lesson_type_id, all]) => ({
    lesson_type_id,
    topics: all.map(({ topic }) => topic),
  }))
}

function isFor(license_classes: readonly string[], license_class: string | null): boolean {
  return license_classes.length === 0 || (license_class !== null && license_classes.includes(license_class))
}

function stateOf(
  { lesson_type_id, topic, name }: PlannedTopic,
  own: readonly OwnClass[],
  coming: readonly ComingClass[],
): TopicState {
  const isAbout = (one: ClassAbout) => one.lesson_type_id === lesson_type_id && one.topic === topic
  const about = { lesson_type_id, topic, name }
  for (const status of ['completed', 'planned'] as const) {
    const found = own.find((one) => one.status === status && isAbout(one))
    if (found) return { ...about, state: STATES[status], start_at: found.start_at, next: null }
  }
  const next = coming.find(isAbout)
  return {
    ...about,
    state: 'missing',
    start_at: null,
    next: next ? { appointment_id: next.appointment_id, start_at: next.start_at } : null,
  }
}
