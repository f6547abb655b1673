import type { LocalDateTime } from '../domain/local-time.ts'
import type { CalendarEntry } from './icalendar.ts'

export type StudentEntryLesson = {
  readonly id: string
  readonly version: number
  readonly changed_at: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly isCancelled: boolean
  readonly lesson_type: string
  readonly instructor: string
  readonly place: string | null
  readonly topic: string | null
  readonly vehicles: string | null
}

type EntryTexts = { readonly tag: string; readonly with: string; readonly cancelled: string }

export function studentEntry(
  {
    id,
    version,
    changed_at,
    start_at,
    end_at,
    isCancelled,
    lesson_type,
    instructor,
    place,
    ...lesson
  }: StudentEntryLesson,
  texts: EntryTexts,
): CalendarEntry {
  return {
    uid: `${id}@fahrplan`,
    version,
    changed_at,
    start_at,
    end_at,
    isCancelled,
    summary: isCancelled ? cancelledSummary(lesson_type, texts) : lesson_type,
    description: described([texts.with.replace('{name}', () => instructor), contentOf(lesson)]),
    location: place,
  }
}

/** Marks a cancelled lesson in its title, because many calendars ignore the status. */
export function cancelledSummary(
  summary: string,
  { tag, cancelled }: Pick<EntryTexts, 'tag' | 'cancelled'>,
): string {
  const [first = '', ...rest] = cancelled
  return `${first.toLocaleUpperCase(tag)}${rest.join('')}: ${summary}`
}

export function contentOf({ topic, vehicles }: Pick<StudentEntryLesson, 'topic' | 'vehicles'>): string {
  return [topic, vehicles].filter(Boolean).join('\n')
}

export function described(paragraphs: readonly (string | null | undefined)[]): string {
  return paragraphs.filter(Boolean).join('\n\n')
}
