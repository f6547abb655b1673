import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { DueSignatures } from '../../contract/due-signatures.ts'
import { minutesLater } from '../../domain/local-time.ts'
import { isCompletedFor, lessonDocumentFor } from '../../domain/signatures.ts'
import { type DueSignature, dueSignaturesOf, idOfDue } from '../data/signatures.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { nameOf, type School, useSchool } from '../ui/school.tsx'
import { useOutbox } from './outbox.ts'
import { type OutboxEntry, signedIdOf } from './outbox-entry.ts'
import { changeBy } from './outcome.ts'

/** The fields of an entry on which the text of a lesson depends. */
const SIGNED = ['status', 'attendees', 'actual_start_at', 'actual_end_at'] as const

type Signer = { readonly lesson_id: string; readonly student_id: string }

/** Returns what a student has to sign beside a lesson, with unsent entries applied. Reads it again only if asked to. */
export function useDueItems(signer: Signer | undefined, isRead: boolean): readonly DueSignature[] {
  const { timezone } = useSchool().tenant
  const entries = useOutbox()
  const { data } = useQuery({
    ...dueSignaturesOf(signer?.student_id ?? ''),
    enabled: isRead && signer !== undefined,
    staleTime: 0,
  })
  return signer ? dueItemsFor(signer, data, { entries, timezone }) : []
}

function dueItemsFor(
  { lesson_id, student_id }: Signer,
  { lessons, records }: Pick<DueSignatures, 'lessons' | 'records'> = { lessons: [], records: [] },
  { entries, timezone }: { readonly entries: readonly OutboxEntry[]; readonly timezone: string },
): readonly DueSignature[] {
  const waiting = entries.filter(({ refused }) => !refused)
  const signed = waiting.flatMap((entry) =>
    (entry.signatures ?? [])
      .filter(({ body }) => body.as === 'student' && body.student_id === student_id)
      .map((signature) => signedIdOf(entry, signature)),
  )
  const changed = waiting
    .filter(({ change }) => SIGNED.some((name) => name in change))
    .map(({ seen, change }) => ({ ...seen, ...changeBy(change, seen) }))
  const completed = changed.filter((lesson) => isCompletedFor(lesson, student_id))
  const known = new Set([lesson_id, ...signed, ...changed.map(({ id }) => id)])
  // An unsent change of a lesson changes the record that the lesson belongs to; null may be any.
  const changing = waiting
    .filter(({ change }) => Object.keys(change).length > 0)
    .flatMap(({ seen }) => lessonDocumentFor(seen, student_id, timezone) ?? [])
  const isChanging = (id: string) =>
    changing.some(({ enrolment_id }) => enrolment_id === null || enrolment_id === id)
  return [
    ...records.filter((one) => !known.has(idOfDue(one)) && !isChanging(one.enrolment_id)),
    ...completed
      .filter(({ id }) => id !== lesson_id && !signed.includes(id))
      .flatMap((lesson) => lessonDocumentFor(lesson, student_id, timezone) ?? [])
      .map((document) => ({ ...document, instructor: '' })),
    ...lessons.filter((one) => !known.has(idOfDue(one))),
  ]
}

/** Returns the text of a lesson or record to sign: its name, then the other facts. */
export function dueLines(
  item: DueSignature,
  school: School,
  t: TFunction,
): readonly [title: string, ...details: string[]] {
  if (!('appointment_id' in item)) {
    const { license_class, lesson_count: count, digest } = item
    return [
      t('sign.record', { license_class }),
      t('today.lessons', { count }),
      digest.slice('sha256:'.length).slice(0, 12),
    ]
  }
  const { date, start_time, minutes, lesson_type_id, topic, instructor_id } = item
  const start_at = `${date} ${start_time}`
  const teacher = school.instructor.get(instructor_id)
  const details = [
    t('lesson.minutes', { count: minutes }),
    school.lessonType.get(lesson_type_id)?.name,
    topic,
    item.instructor || (teacher && nameOf(teacher)),
  ]
  const title = whenText({ start_at, end_at: minutesLater(start_at, minutes) }, school)
  return [title, ...details.flatMap((text) => text || [])]
}
