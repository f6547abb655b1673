import type { FastifyRequest } from 'fastify'
import { lessonTypeNames } from '../booking/packs.ts'
import { notFound } from '../contract/problem.ts'
import type { Tenant } from '../contract/tenant.ts'
import { readLessonTypeNames } from '../db/lesson-types.ts'
import { requireProgress } from '../db/progress.ts'
import { listStudentLessons, type StudentLesson } from '../db/shared-lessons.ts'
import type { Progress } from '../domain/progress.ts'
import { localNow } from '../domain/time-zone.ts'
import { CALENDAR_END, calendarBegin, calendarEntry } from './icalendar.ts'
import type { Service } from './service.ts'
import { filled, wordsFor } from './words.ts'

/** All that a student's page says: nothing of other students, and nothing that the office or an instructor has noted. */
export type StudentData = {
  readonly tenant: Tenant
  readonly first_name: string
  /** Those that are planned or cancelled and not over, by start. */
  readonly lessons: readonly StudentLesson[]
  readonly progress: Progress
  readonly types: ReadonlyMap<string, { readonly code: string; readonly name: string }>
}

/** Reads what the page that was followed says now. Throws `not_found`. */
export async function dataOf(request: FastifyRequest, { db, now }: Service): Promise<StudentData> {
  const { tenant, page } = request.linked ?? {}
  if (!tenant || !page) throw notFound()
  const { student_id, first_name } = page
  const from = localNow(now(), tenant.timezone)
  const [lessons, progress, types] = await Promise.all([
    listStudentLessons(db, tenant.id, { student_id, from }),
    requireProgress(db, tenant, { id: student_id }),
    readLessonTypeNames(db, tenant.id),
  ])
  const coming = lessons.filter(({ status }) => status === 'planned' || status === 'cancelled')
  return { tenant, first_name, lessons: coming, progress, types }
}

/** What a lesson type is called in a language: as the country's pack has it, or else as the school does. */
export function typeNamer({ tenant, types }: StudentData, language: string): (id: string) => string {
  const names = lessonTypeNames(tenant.country, language)
  return (id) => {
    const type = types.get(id)
    return type ? (names.get(type.code) ?? type.name) : ''
  }
}

/** The same lessons as a calendar. */
export function calendarOf(data: StudentData, language: string): string {
  const { tenant, lessons } = data
  const words = wordsFor(language)
  const nameOf = typeNamer(data, language)
  const entries = lessons.map(({ id, lesson_type_id, instructor, status, ...lesson }) =>
    calendarEntry(
      {
        ...lesson,
        uid: `${id}@fahrplan`,
        summary: nameOf(lesson_type_id),
        description: filled(words.with, { name: instructor }),
        isCancelled: status === 'cancelled',
      },
      tenant.timezone,
    ),
  )
  const name = `${words.lessons} · ${tenant.name}`
  return (
    calendarBegin({ name, timezone: tenant.timezone, locale: language }) + entries.join('') + CALENDAR_END
  )
}
