import type { Calendar } from '@event-calendar/core'
import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Slot } from '../../contract/slot.ts'
import { timeOf } from '../../domain/local-time.ts'
import { studentNameOf } from '../lessons/lesson-words.ts'
import { slotIdOf } from '../slots/offered.ts'
import { element } from '../ui/dom.ts'
import type { School } from '../ui/school.tsx'
import type { ClosedTime } from './closed-times.ts'

/** What a block on the board says; kept small, for it is compared whenever anything changes. */
type LessonText = {
  readonly time: string
  readonly student: string
  readonly type: string
  readonly status: string
}

/** Some languages add a word to a range of times. */
const BESIDE_DIGITS = /[^\d:–]/g

/** A lesson as the calendar shows it. Only what is still planned can be dragged. */
export function lessonEvent(lesson: Appointment, school: School, t: TFunction): Calendar.EventInput {
  const { start_at, end_at, status } = lesson
  const type = school.lessonType.get(lesson.lesson_type_id)
  const text: LessonText = {
    time: `${timeOf(start_at)}–${timeOf(end_at)}`,
    student: studentNameOf(lesson, school, t),
    type: lesson.student_id === null && type?.name === lesson.title ? '' : (type?.name ?? lesson.title),
    status: status === 'planned' ? '' : t(`lesson.${status}`),
  }
  return {
    id: lesson.id,
    start: start_at,
    end: end_at,
    resourceIds: [lesson.instructor_id],
    editable: status === 'planned',
    classNames: [`lesson-${status}`],
    styles: [`--lesson: ${type?.color ?? '#868e96'}`],
    extendedProps: text,
  }
}

/** A time that is offered: it looks as if it could be filled, and cannot be moved. */
export function slotEvent(slot: Slot, chosen: string, t: TFunction): Calendar.EventInput {
  const { start_at, end_at } = slot
  const id = slotIdOf(slot)
  const text = { time: `${timeOf(start_at)}–${timeOf(end_at)}`, student: t('find.free') }
  return {
    id,
    start: start_at,
    end: end_at,
    resourceIds: [slot.instructor_id],
    editable: false,
    classNames: id === chosen ? ['slot', 'slot-chosen'] : ['slot'],
    extendedProps: text,
  }
}

/** Grey, and in a vacation with its name. */
export function closedEvent(
  { start_at, end_at, vacation }: ClosedTime,
  instructorId: string,
  t: TFunction,
): Calendar.EventInput {
  return {
    id: `closed ${instructorId} ${start_at}`,
    start: start_at,
    end: end_at,
    resourceIds: [instructorId],
    display: 'background',
    classNames: [vacation ? 'vacation' : 'closed'],
    extendedProps: { vacation: vacation ? (vacation.note ?? t('board.away')) : '' },
  }
}

/** The inside of a block. */
export function eventContent({ event, timeText }: Calendar.EventContentInfo): Calendar.Content {
  if (event.display === 'background') {
    const { vacation } = event.extendedProps as { vacation: string }
    return { domNodes: vacation ? [element('span', 'vacation-name', vacation)] : [] }
  }
  const { time, student, type, status } = event.extendedProps as Partial<LessonText>
  return {
    domNodes: [
      element(
        'div',
        'lesson-time',
        event.display === 'preview' ? timeText.replace(BESIDE_DIGITS, '') : (time ?? ''),
        ...(status ? [' ', element('span', 'lesson-status', status)] : []),
      ),
      element('div', 'lesson-student', student ?? ''),
      element('div', 'lesson-type', type ?? ''),
    ],
  }
}
