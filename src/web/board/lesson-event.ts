import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Slot } from '../../contract/slot.ts'
import { isCounted } from '../../domain/counted.ts'
import { intervalOf, overlaps } from '../../domain/interval.ts'
import { type LocalDate, timeOf } from '../../domain/local-time.ts'
import type { SpecialDay } from '../data/school-days.ts'
import { ownTitleOf, studentNameOf, whenText } from '../lessons/lesson-texts.ts'
import { shortTypeName } from '../lessons/short-types.ts'
import type { MarkOf } from '../lessons/use-marks.ts'
import { slotIdOf } from '../slots/offered.ts'
import { nameOf, type School } from '../ui/school.tsx'
import type { ClosedTime } from './closed-times.ts'
import type { BlockText, FreedText, GridEvent } from './grid-event.ts'

const NO_COLOR = '#868e96'

/** Returns the names that a block shows beside the class. */
type NamesOf = (lesson: Appointment, school: School) => readonly string[]

/** Returns the events of lessons; a cancelled lesson is only a strip. Blocks show the vehicles unless `namesOf` returns others. */
export function lessonEvents(
  lessons: readonly Appointment[],
  markOf: MarkOf,
  school: School,
  t: TFunction,
  namesOf: NamesOf = vehicleNames,
): readonly GridEvent[] {
  const cancelled = lessons.filter((lesson) => !isCounted(lesson))
  const counted = lessons.filter(isCounted)
  return [
    ...counted.map((lesson) => ({
      ...lessonEvent(lesson, markOf(lesson), linesOf(lesson, namesOf(lesson, school), school), school, t),
      className: `lesson-${lesson.status}${rivalsOf(lesson, cancelled).length > 0 ? ' beside-freed' : ''}`,
    })),
    ...cancelled.map((lesson, index) => ({
      ...freedEvent(lesson, rivalsOf(lesson, counted).length > 0, school, t),
      style: { '--strip': String(rivalsOf(lesson, cancelled.slice(0, index)).length) },
    })),
  ]
}

function rivalsOf(lesson: Appointment, others: readonly Appointment[]): readonly Appointment[] {
  const times = intervalOf(lesson)
  return others.filter(
    (other) => other.instructor_id === lesson.instructor_id && overlaps(intervalOf(other), times),
  )
}

function timesAndResource({
  start_at,
  end_at,
  instructor_id,
}: Pick<Appointment, 'start_at' | 'end_at' | 'instructor_id'>) {
  return { start_at, end_at, resources: [instructor_id] }
}

/** Returns the event of a lesson. Only planned lessons can be dragged. */
function lessonEvent(
  lesson: Appointment,
  mark: string,
  lines: readonly string[],
  school: School,
  t: TFunction,
): GridEvent {
  const { start_at, end_at, status } = lesson
  const type = school.lessonType.get(lesson.lesson_type_id)
  const text: BlockText = {
    time: `${timeOf(start_at)}–${timeOf(end_at)}`,
    student: studentNameOf(lesson, school, t),
    short: shortNameOf(lesson, school),
    lines,
    status: status === 'planned' ? '' : t(`lesson.${status}`),
    mark,
    notes: lesson.notes ?? '',
    label: labelOf(lesson, { mark, lines }, school, t),
  }
  return {
    id: lesson.id,
    ...timesAndResource(lesson),
    className: '',
    isMovable: status === 'planned',
    style: { '--lesson': type?.color ?? NO_COLOR },
    content: { kind: 'lesson', text },
  }
}

/**
 * Returns the lines below the student: class, names (of the vehicles, or of the instructor in a vehicle's column) and place, and the
 * lesson type. The type comes first where the block shows no short name of it.
 */
function linesOf(lesson: Appointment, names: readonly string[], school: School): readonly string[] {
  const type = typeOf(lesson, school)
  const [licenseClass, place] = [lesson.license_class, placeOf(lesson, school)]
  const lines = shortNameOf(lesson, school)
    ? [joined(licenseClass, ...names, place), type]
    : [joined(...names, type), joined(licenseClass, place)]
  return lines.filter(Boolean)
}

function shortNameOf({ lesson_type_id }: Appointment, { lessonType, tenant }: School): string {
  const type = lessonType.get(lesson_type_id)
  return (type && shortTypeName(type, tenant.locale)) ?? ''
}

function vehicleNames({ vehicle_ids }: Appointment, { vehicle }: School): readonly string[] {
  return vehicle_ids.flatMap((id) => vehicle.get(id)?.name ?? [])
}

function joined(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}

/** Returns the lesson type, after the taken seats of a group. Omits it if the title of a lesson without a student is the same. */
function typeOf(lesson: Appointment, school: School): string {
  const { student_id, lesson_type_id, attendees, seats } = lesson
  const isNamed = student_id === null && ownTitleOf(lesson, school) === undefined
  const name = isNamed ? '' : (school.lessonType.get(lesson_type_id)?.name ?? '')
  return attendees.length > 0 ? `${attendees.length}/${seats} ${name}`.trim() : name
}

/** Returns the place where the lesson begins; undefined for the usual one of the instructor. */
function placeOf({ pickup_place, location_id }: Appointment, { location }: School): string | undefined {
  return pickup_place ?? location.get(location_id ?? '')?.name
}

/** Returns the label for screen readers: the text of the block, in its order, and the meaning of its column and colour. */
function labelOf(
  lesson: Appointment,
  { mark, lines }: Pick<BlockText, 'mark' | 'lines'>,
  school: School,
  t: TFunction,
): string {
  const instructor = school.instructor.get(lesson.instructor_id)
  const status = t(`lesson.${lesson.status}`)
  const isPlanned = lesson.status === 'planned'
  return [
    whenText(lesson, school),
    !isPlanned && status,
    studentNameOf(lesson, school, t),
    mark,
    ...lines,
    lesson.notes,
    instructor && nameOf(instructor),
    isPlanned && status,
  ]
    .filter(Boolean)
    .join(', ')
}

function freedEvent(lesson: Appointment, isTaken: boolean, school: School, t: TFunction): GridEvent {
  const lines = linesOf(lesson, vehicleNames(lesson, school), school)
  const text: FreedText = {
    label: labelOf(lesson, { mark: '', lines }, school, t),
    who: studentNameOf(lesson, school, t),
    what: `${timeOf(lesson.start_at)}–${timeOf(lesson.end_at)} · ${t(`lesson.${lesson.status}`)}`,
    notes: lesson.notes ?? '',
    book: isTaken ? '' : t('board.bookHere'),
    open: t('board.open'),
  }
  return {
    id: lesson.id,
    ...timesAndResource(lesson),
    className: 'freed',
    isMovable: false,
    content: { kind: 'background', freed: text },
  }
}

/** Returns the event of an offered time, which cannot be moved. */
export function slotEvent(slot: Slot, chosen: readonly string[], t: TFunction): GridEvent {
  const id = slotIdOf(slot)
  const text = { time: `${timeOf(slot.start_at)}–${timeOf(slot.end_at)}`, student: t('find.free') }
  return {
    id,
    ...timesAndResource(slot),
    className: chosen.includes(id) ? 'slot slot-chosen' : 'slot',
    isMovable: false,
    content: { kind: 'slot', text },
  }
}

/** Returns the grey event of a closed time, with a name during a vacation or an absence. */
export function closedEvent(
  { start_at, end_at, absence, isBusy }: ClosedTime,
  instructorId: string,
  t: TFunction,
): GridEvent {
  return {
    id: `closed ${instructorId} ${start_at} ${end_at}`,
    ...timesAndResource({ start_at, end_at, instructor_id: instructorId }),
    className: absence || isBusy ? 'vacation' : 'closed',
    isMovable: false,
    content: {
      kind: 'background',
      vacation: isBusy ? t('board.busy') : absence ? (absence.note ?? t('board.away')) : '',
    },
  }
}

/** Returns the shade of a day on which the school is closed, or the tint of a holiday that only warns. */
export function specialDayEvents(
  date: LocalDate,
  instructorId: string,
  special: SpecialDay | undefined,
): readonly GridEvent[] {
  if (!special) return []
  const times = { start_at: `${date} 00:00`, end_at: `${date} 24:00` }
  return [
    {
      id: `special ${instructorId} ${date}`,
      ...timesAndResource({ ...times, instructor_id: instructorId }),
      className: special.isClosed ? 'closed-day' : 'holiday',
      isMovable: false,
      content: { kind: 'background' },
    },
  ]
}
