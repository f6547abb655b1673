import type { DatabasePool } from '../db/connection/pool.ts'
import { readInstructorRecipients, readLessonsOn } from '../db/messages/message-facts.ts'
import {
  contactFields,
  type NewMessage,
  queueMessages,
  tenantsWithDayPlans,
} from '../db/messages/messages.ts'
import { type Clock, readTime } from '../db/now.ts'
import { requireTenant } from '../db/school/tenants.ts'
import { afterQuiet, plannedDay } from '../domain/message-times.ts'
import { instantOf } from '../domain/time-zone.ts'
import { forEachSchool, type SchoolLog } from './each-school.ts'

export async function queueAllDayPlans(db: DatabasePool, log: SchoolLog, clock: Clock): Promise<void> {
  await forEachSchool(await tenantsWithDayPlans(db), log, async (id) =>
    queueDayPlans(db, id, await readTime(db, clock)),
  )
}

/** Queues a school's due plans, each once, for instructors with lessons on the next day. */
async function queueDayPlans(db: DatabasePool, tenantId: string, now: Date): Promise<void> {
  const { messages, timezone } = await requireTenant(db, tenantId)
  const date = plannedDay(now, timezone)
  if (!date) return
  const lessons = await readLessonsOn(db, tenantId, { date })
  const firsts = new Map(lessons.toReversed().map((lesson) => [lesson.instructor_id, lesson.start_at]))
  const instructors = await readInstructorRecipients(db, tenantId, [...firsts.keys()])
  const plans: NewMessage[] = []
  for (const [instructor_id, first] of firsts) {
    const recipient = instructors.get(instructor_id)
    if (!recipient?.agrees) continue
    plans.push({
      kind: 'day_plan',
      instructor_id,
      params: { date },
      occasion: `day_plan ${instructor_id} ${date}`,
      ...contactFields(recipient),
      send_at: afterQuiet(now, messages.quiet, timezone),
      worth_until: new Date(instantOf(first, timezone)),
    })
  }
  await queueMessages(db, tenantId, now, plans)
}
