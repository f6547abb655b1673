import { TimeSlicer } from '../booking/time-slicer.ts'
import type { Tenant } from '../contract/tenant.ts'
import {
  type Cause,
  expectedIn,
  type MessageLessonRow,
  type MessageRecipient,
  readComingLessons,
} from '../db/messages/message-facts.ts'
import { contactFields, type NewMessage } from '../db/messages/messages.ts'
import { type LockedMessage, lockWaitingReminders } from '../db/messages/waiting-messages.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { type DayReminder, remindersOfDay, withoutRepeated } from '../domain/day-reminders.ts'
import { dateOf } from '../domain/local-time.ts'
import type { AnnouncedLesson, MessageLesson } from '../domain/messages.ts'
import { localToday } from '../domain/time-zone.ts'
import type { LessonChange } from './notices.ts'

/** The students' days whose reminders a piece of changes may change. */
export type ReminderDays = {
  /** The planned lessons by student and day. */
  readonly lessons: ReadonlyMap<string, readonly AnnouncedLesson[]>
  readonly waiting: readonly LockedMessage[]
  readonly rows: ReadonlyMap<string, MessageLessonRow>
  readonly students: ReadonlySet<string>
  /** Returns the time before which no reminder of a student's day is queued. */
  readonly afterOf: (student: string, day: string) => Date
}

type Reading = {
  readonly tenant: Tenant
  readonly now: Date
  readonly causes: readonly Cause[]
  readonly changes: ReadonlyMap<string, readonly LessonChange[]>
}

const keyOf = (student: string, day: string) => `${student} ${day}`

/** Reads and locks the reminders of the days that changes concern. */
export async function readReminderDays(
  db: Transaction,
  { tenant, now, causes, changes }: Reading,
): Promise<ReminderDays> {
  const latest = new Map<string, number>()
  const note = (key: string, at: Date) => latest.set(key, Math.max(at.getTime(), latest.get(key) ?? 0))
  for (const { resource, resource_id, at } of causes) if (resource !== 'appointment') note(resource_id, at)
  const [students, dates] = [new Set<string>(), new Set<string>()]
  const from = localToday(now, tenant.timezone)
  for (const { at, before, after } of [...changes.values()].flat())
    for (const lesson of [before, after])
      for (const student of lesson && dateOf(lesson.start_at) >= from ? lesson.students : []) {
        note(keyOf(student, dateOf(lesson?.start_at ?? '')), at)
        students.add(student)
        dates.add(dateOf(lesson?.start_at ?? ''))
      }
  const isOfAll = latest.has(tenant.id)
  const changed = causes.filter(({ resource }) => resource === 'student').map((cause) => cause.resource_id)
  const rows = new Map<string, MessageLessonRow>()
  const read = async (filter: Omit<Parameters<typeof readComingLessons>[2], 'from'>) => {
    for (const row of await readComingLessons(db, tenant.id, { from, ...filter })) rows.set(row.id, row)
  }
  if (isOfAll) await read({})
  else {
    if (changed.length > 0) await read({ student_ids: changed })
    if (students.size > 0) await read({ student_ids: [...students], dates: [...dates] })
  }
  const isConcerned = (student: string, day: string) =>
    isOfAll || latest.has(student) || latest.has(keyOf(student, day))
  const lessons = new Map<string, AnnouncedLesson[]>()
  for (const row of [...rows.values()].toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))) {
    const { students: expected, ...lesson } = expectedIn(row)
    for (const student of expected) {
      if (!isConcerned(student, dateOf(lesson.start_at))) continue
      const key = keyOf(student, dateOf(lesson.start_at))
      lessons.set(key, [...(lessons.get(key) ?? []), lesson])
      students.add(student)
    }
  }
  const owners = isOfAll ? undefined : [...students, ...changed]
  const locked =
    isOfAll || students.size + changed.length > 0 ? await lockWaitingReminders(db, tenant.id, owners) : []
  const waiting = locked.filter((one) => isConcerned(one.student_id ?? '', dayOf(one)))
  for (const { student_id } of waiting) if (student_id) students.add(student_id)
  return {
    lessons,
    waiting,
    rows,
    students,
    afterOf: (student, day) => {
      const times = [tenant.id, student, keyOf(student, day)].map((key) => latest.get(key) ?? 0)
      return new Date(Math.max(...times))
    },
  }
}

function dayOf({ lessons }: Pick<LockedMessage, 'lessons'>): string {
  return dateOf(lessons[0]?.start_at ?? '')
}

type RequiredReminder = DayReminder & { readonly told: readonly MessageLesson[] }

export type RevisedReminders = {
  readonly queued: readonly NewMessage[]
  readonly changed: readonly (LockedMessage & { readonly send_at: Date })[]
  readonly dropped: readonly LockedMessage[]
}

/** Returns the reminders to queue, change and drop, so that each day has those of its present lessons. */
export async function reviseReminders(
  { lessons, waiting, afterOf }: ReminderDays,
  { messages: settings, timezone }: Tenant,
  recipients: ReadonlyMap<string, MessageRecipient>,
): Promise<RevisedReminders> {
  const byDay = Map.groupBy(waiting, (one) => keyOf(one.student_id ?? '', dayOf(one)))
  const queued: NewMessage[] = []
  const changed: LockedMessage[] = []
  const dropped: LockedMessage[] = []
  const slicer = new TimeSlicer()
  for (const key of new Set([...byDay.keys(), ...lessons.keys()])) {
    await slicer.pause()
    const [student_id = '', day = ''] = key.split(' ')
    const recipient = recipients.get(student_id)
    const own = recipient ? remindersOfDay(lessons.get(key) ?? [], { settings, timezone }) : []
    const wanted = new Map<string, RequiredReminder>(
      own.map((one) => [occasionOf(student_id, one), { ...one, told: one.lessons.map(asTold) }]),
    )
    const kept: RequiredReminder[] = []
    for (const message of byDay.get(key) ?? []) {
      const next = wanted.get(message.occasion ?? '')
      if (!next) {
        dropped.push(message)
        continue
      }
      kept.push(next)
      const { told, send_at, worth_until } = next
      if (!isSame(message, next)) changed.push({ ...message, lessons: [...told], send_at, worth_until })
    }
    if (!recipient) continue
    const after = afterOf(student_id, day)
    const due = [...wanted.values()].filter(
      (one) => one.at > after && one.send_at > after && !kept.includes(one),
    )
    for (const reminder of withoutRepeated(due, kept))
      queued.push({
        kind: 'reminder',
        student_id,
        lessons: reminder.lessons.map(asTold),
        params: { hours: reminder.hours },
        occasion: occasionOf(student_id, reminder),
        ...contactFields(recipient),
        send_at: reminder.send_at,
        worth_until: reminder.worth_until,
      })
  }
  return { queued, changed, dropped }
}

function isSame(message: LockedMessage, { told, send_at, worth_until }: RequiredReminder): boolean {
  return (
    JSON.stringify(message.lessons) === JSON.stringify(told) &&
    message.send_at.getTime() === send_at.getTime() &&
    message.worth_until.getTime() === worth_until.getTime()
  )
}

function asTold(lesson: AnnouncedLesson): MessageLesson {
  return { ...lesson, was: null }
}

function occasionOf(student_id: string, { lessons, hours }: DayReminder): string {
  return `reminder ${student_id} ${lessons[0]?.start_at} ${hours}`
}
