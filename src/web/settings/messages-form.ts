import type { MessageSettings } from '../../domain/messages.ts'
import { MAX_REMINDERS, REMINDER_HOURS } from '../../domain/ranges.ts'

/** The settings of messages; the hours are typed in one field. */
export type MessagesForm = Omit<MessageSettings, 'reminder_hours' | 'quiet'> & {
  readonly reminder_hours: string
  readonly quiet_from: string
  readonly quiet_to: string
}

export function messagesFormOf({ reminder_hours, quiet, ...kinds }: MessageSettings): MessagesForm {
  return {
    ...kinds,
    reminder_hours: reminder_hours.join(', '),
    quiet_from: quiet?.from ?? '',
    quiet_to: quiet?.to ?? '',
  }
}

export function messagesOf({
  reminder_hours,
  quiet_from,
  quiet_to,
  ...kinds
}: MessagesForm): MessageSettings {
  return {
    ...kinds,
    reminder_hours: hoursIn(reminder_hours),
    quiet: quiet_from && quiet_to ? { from: quiet_from, to: quiet_to } : null,
  }
}

function hoursIn(text: string): readonly number[] {
  const typed = text.split(/[\s,;]+/).filter((part) => part !== '')
  return [...new Set(typed.map(Number))]
}

export function areReminderHours(text: string): boolean {
  const { min, max } = REMINDER_HOURS
  const hours = hoursIn(text)
  const areValid = hours.every((hour) => Number.isInteger(hour) && hour >= min && hour <= max)
  return areValid && hours.length <= MAX_REMINDERS
}

/** Whether the reminder hours are valid and the quiet hours have both a start and an end, or neither. */
export function areMessagesWhole({ reminder_hours, quiet_from, quiet_to }: MessagesForm): boolean {
  return areReminderHours(reminder_hours) && (quiet_from === '') === (quiet_to === '')
}
