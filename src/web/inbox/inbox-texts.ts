import type { TFunction } from 'i18next'
import type { InboxEntry } from '../../contract/inbox.ts'
import type { Wish } from '../../contract/wish.ts'
import { DROP_REASONS } from '../../domain/messages.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { requestText } from '../ui/request-text.ts'
import { nameOf, type School, studentName } from '../ui/school.tsx'

/** Returns the entry as a sentence. */
export function entryText(entry: InboxEntry, school: School, t: TFunction): string {
  const { kind, actor, student_id, instructor_id, lesson, was, fee_percent, wish, request, message } = entry
  const student = school.student.get(student_id ?? '')
  const who = student ? studentName(student, school) : actor.name
  const values = { who, lesson: lesson ? lessonText(lesson, school) : '' }
  switch (kind) {
    case 'student_cancelled':
      return fee_percent
        ? t('inbox.cancelledAtFee', { ...values, percent: school.format.percent(fee_percent / 100) })
        : t('inbox.cancelled', values)
    case 'student_moved':
      return t('inbox.moved', { ...values, was: was ? whenText(was, school) : '' })
    case 'student_confirmed':
      return t('inbox.confirmed', values)
    case 'offer_taken':
      return t('inbox.taken', values)
    case 'student_wish':
      return t('inbox.wish', { who, wish: wish ? wishText(wish, school, t) : '' })
    case 'schedule_request':
    case 'request_decided': {
      if (!request) return ''
      const what = requestText(request, school, t)
      const answer = request.answer ? ` ${t('request.answer')}: ${request.answer}` : ''
      if (kind === 'request_decided')
        return `${t('inbox.decided', { who, what, status: t(`request.${request.status}`) })}${answer}`
      const instructor = school.instructor.get(instructor_id ?? '')
      const asker = instructor ? nameOf(instructor) : who
      return t('inbox.asked', { who: asker, what, status: t(`request.${request.status}`) })
    }
    case 'retention_due':
      return t('inbox.due', { count: entry.due ?? 0 })
    case 'enquiry':
      return t('inbox.enquiry', {
        who: entry.enquiry ? nameOf(entry.enquiry) : who,
        what: entry.enquiry?.license_class ?? '',
      })
    case 'busy_calendar_failing': {
      const instructor = school.instructor.get(instructor_id ?? '')
      const { name = '', failure = 'unreachable' } = entry.calendar ?? {}
      const why = t(`busy.failures.${failure}`)
      return t('inbox.calendarFailing', { who: instructor ? nameOf(instructor) : who, name, why })
    }
    case 'message_undelivered': {
      const instructor = school.instructor.get(instructor_id ?? '')
      const what = message ? t(`messages.kind.${message.kind}`) : ''
      const about = lesson ? `, ${whenText(lesson, school)}` : ''
      if (message?.channel === 'call') return t('inbox.call', { what, who, about, count: message.lessons })
      const why = reasonText(message?.reason ?? null, t)
      return t('inbox.undelivered', {
        what,
        who: student || !instructor ? who : nameOf(instructor),
        about,
        why,
      })
    }
  }
}

function reasonText(reason: string | null, t: TFunction): string {
  const dropped = DROP_REASONS.find((one) => one === reason)
  return dropped ? t(`messages.why.${dropped}`) : t('messages.refused')
}

function lessonText(
  lesson: NonNullable<InboxEntry['lesson']>,
  school: Pick<School, 'lessonType' | 'instructor' | 'format' | 'user'> & School,
): string {
  const type = school.lessonType.get(lesson.lesson_type_id ?? '')
  const instructor =
    school.user.role === 'instructor' ? undefined : school.instructor.get(lesson.instructor_id)
  const parts = [type?.name, whenText(lesson, school), instructor && nameOf(instructor)]
  return parts.filter(Boolean).join(', ')
}

function wishText({ weekdays, time_from, time_to, minutes, until }: Wish, school: School, t: TFunction) {
  const days = weekdays?.map((day) => school.format.weekday(`2024-01-0${day}`)).join(', ')
  const hours = time_from || time_to ? `${time_from ?? '00:00'}–${time_to ?? '24:00'}` : undefined
  const end = until && t('wish.untilDate', { date: school.format.date(until) })
  return [days ?? t('wish.any'), hours, t('lesson.minutes', { count: minutes }), end]
    .filter(Boolean)
    .join(', ')
}
