import { type Reminder, remindersOf } from './message-times.ts'
import type { AnnouncedLesson, MessageSettings } from './messages.ts'
import { instantOf } from './time-zone.ts'

/** A longer pause between two lessons of a day makes the second one an appointment of its own. */
const PAUSE_MS = 60 * 60_000

const EVER = new Date(0)

/** A reminder of the lessons of a student's day. It is `later` if it leaves out the first ones. */
export type DayReminder = Reminder & { readonly lessons: readonly AnnouncedLesson[]; readonly later: boolean }

type Schedule = {
  readonly settings: Pick<MessageSettings, 'reminder_hours' | 'quiet'>
  readonly timezone: string
}

/** Returns the reminders of a student's day, whose lessons are sorted by start: the first one has all hours, each after a pause the shortest. */
export function remindersOfDay(
  lessons: readonly AnnouncedLesson[],
  { settings, timezone }: Schedule,
): readonly DayReminder[] {
  const shortest = settings.reminder_hours.toSorted((a, b) => a - b).slice(0, 1)
  return blocksOf(lessons, timezone).flatMap((block, index) => {
    const reminder_hours = index === 0 ? settings.reminder_hours : shortest
    const named = index === 0 ? lessons : block
    return remindersOf(block[0].start_at, { ...settings, reminder_hours }, { timezone, after: EVER }).map(
      (reminder) => ({ ...reminder, lessons: named, later: index > 0 }),
    )
  })
}

type Block = [AnnouncedLesson, ...AnnouncedLesson[]]

function blocksOf(lessons: readonly AnnouncedLesson[], timezone: string): readonly Block[] {
  const blocks: Block[] = []
  let end = 0
  for (const lesson of lessons) {
    const block = blocks.at(-1)
    if (block && instantOf(lesson.start_at, timezone) - end <= PAUSE_MS) block.push(lesson)
    else blocks.push([lesson])
    end = Math.max(end, instantOf(lesson.end_at, timezone))
  }
  return blocks
}

/** Returns the new reminders without those of later lessons that another one names no earlier. */
export function withoutRepeated(
  reminders: readonly DayReminder[],
  waiting: readonly Pick<DayReminder, 'later' | 'send_at'>[],
): readonly DayReminder[] {
  const ofAll = [...reminders, ...waiting].filter(({ later }) => !later)
  return reminders.filter(({ later, send_at }) => !later || ofAll.every((one) => one.send_at < send_at))
}
