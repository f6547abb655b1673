import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts'
import type { LessonType } from '../../contract/lesson-type.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import {
  dateOf,
  isLocalDate,
  isTimeOfDay,
  type LocalDate,
  localDateTimeFor,
  MINUTES_PER_DAY,
  minuteOf,
  minuteOfDay,
  type TimeOfDay,
  timeOf,
} from '../../domain/local-time.ts'
import { ownTitle } from '../../domain/own-title.ts'
import { type FleetSchool, vehiclesIn } from '../lessons/lesson-vehicles.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import type { SlotPlace } from '../slots/offered.ts'
import { differingFields, isSame } from '../ui/changed-fields.ts'
import { knownLocation, type School } from '../ui/school.tsx'

/** The start of a booking: a time on the board, or a lesson to edit. */
export type BookingStart = {
  readonly date: LocalDate
  readonly instructor_id?: string | undefined
  readonly student_id?: string
  readonly lesson_type_id?: string
  readonly start_at?: string
  readonly end_at?: string
  readonly vehicle_ids?: readonly string[]
  readonly editing?: Appointment
  /** The lesson to copy or edit. */
  readonly like?: Appointment
  /** Whether to open the search at once. */
  readonly isFinding?: boolean
  /** Whether an assistant proposes it. The time of a lesson to edit is then the proposed one. */
  readonly isProposed?: boolean
}

/** The fields of the dialog. The end follows from start and duration. */
export type LessonForm = {
  readonly instructor_id: string
  readonly student_id: string | null
  readonly vehicle_ids: readonly string[]
  /** The students of a group; changed on the card once it is booked. */
  readonly attendees: Appointment['attendees']
  /** The seats of a group; empty for the type's default. */
  readonly seats: number | ''
  readonly topic: string
  readonly lesson_type_id: string
  readonly date: LocalDate
  readonly start: TimeOfDay
  readonly minutes: number
  readonly title: string
  readonly pickup_place: string
  readonly location_id: string | null
  readonly notes: string
}

const FIRST_START = '08:00'

/** Returns the initial form, with the first of the offered lesson types and the usual vehicles. */
export function formFor(
  start: BookingStart,
  school: Pick<School, 'lessonTypes' | 'lessonType' | 'location'> & FleetSchool,
): LessonForm {
  const { like, editing } = start
  const filled = like ?? editing
  if (filled) return { ...formOf(filled, school.lessonType), ...(!editing && copiedFrom(filled, school)) }
  const { lessonTypes } = school
  const wanted = lessonTypes.find(({ id }) => id === start.lesson_type_id)
  const type = wanted ?? lessonTypes.find(({ hidden }) => !hidden) ?? lessonTypes[0]
  const { start_at, end_at } = start
  const isDrawn = start_at !== undefined && end_at !== undefined
  const form: LessonForm = {
    instructor_id: start.instructor_id ?? '',
    student_id: start.student_id ?? null,
    vehicle_ids: start.vehicle_ids ?? [],
    attendees: [],
    seats: '',
    topic: '',
    lesson_type_id: type?.id ?? '',
    date: start_at ? dateOf(start_at) : start.date,
    start: start_at ? timeOf(start_at) : FIRST_START,
    minutes: isDrawn ? minutesOf(intervalOf({ start_at, end_at })) : (type?.default_minutes ?? 45),
    title: '',
    pickup_place: '',
    location_id: null,
    notes: '',
  }
  return withVehicles({ ...form, instructor_id: '', student_id: null }, form, school)
}

/** Keeps the vehicles of a form in step with its instructor, type and student, unless the vehicles themselves have changed. */
export function withVehicles(before: LessonForm, next: LessonForm, school: FleetSchool): LessonForm {
  const isChosen = next.vehicle_ids !== before.vehicle_ids
  return isChosen ? next : { ...next, vehicle_ids: vehiclesIn(before, next, school) }
}

/** Returns the fields in which a copy differs: no attendance is recorded, and a deleted branch is left out. */
function copiedFrom(lesson: Appointment, school: Pick<School, 'location'>): Partial<LessonForm> {
  const attendees = lesson.attendees.map(({ student_id }) => ({ student_id, attended: null }))
  return { attendees, location_id: knownLocation(school, lesson) }
}

type Types = School['lessonType']

/** Returns the fields of a lesson. The title is empty if it is a name of the type, which the field shows in its place. */
export function formOf(lesson: Appointment, lessonType: Types): LessonForm {
  return {
    instructor_id: lesson.instructor_id,
    student_id: lesson.student_id,
    vehicle_ids: lesson.vehicle_ids,
    attendees: lesson.attendees,
    seats: lesson.seats ?? '',
    topic: lesson.topic ?? '',
    lesson_type_id: lesson.lesson_type_id,
    date: dateOf(lesson.start_at),
    start: timeOf(lesson.start_at),
    minutes: minutesOf(intervalOf(lesson)),
    title: ownTitle(lesson.title, lessonType.get(lesson.lesson_type_id)) ?? '',
    pickup_place: lesson.pickup_place ?? '',
    location_id: lesson.location_id,
    notes: lesson.notes ?? '',
  }
}

/** Applies a type with its usual duration. Hidden fields stay. */
export function withType(form: LessonForm, type: LessonType): LessonForm {
  return { ...form, lesson_type_id: type.id, minutes: type.default_minutes }
}

type TypeSeats = ReadonlyMap<string, Pick<LessonType, 'seats'>>

export function isClass(
  { lesson_type_id, student_id }: Pick<LessonForm, 'lesson_type_id' | 'student_id'>,
  lessonType: TypeSeats,
): boolean {
  return student_id === null && (lessonType.get(lesson_type_id)?.seats ?? 1) > 1
}

/**
 * Returns the form as it is shown and sent: without the fields of a class unless it is one, and with no more seats than its type.
 * The input itself stays, so that a change of the type or the student can be taken back.
 */
export function shownForm(form: LessonForm, opened: LessonForm, lessonType: TypeSeats): LessonForm {
  if (!isClass(form, lessonType)) {
    const { attendees, seats, topic } = isClass(opened, lessonType) ? NO_CLASS : opened
    return { ...form, attendees, seats, topic }
  }
  const most = lessonType.get(form.lesson_type_id)?.seats ?? 1
  const isFitting = form.lesson_type_id === opened.lesson_type_id || Number(form.seats) <= most
  return isFitting ? form : { ...form, seats: most }
}

const NO_CLASS: Pick<LessonForm, 'attendees' | 'seats' | 'topic'> = { attendees: [], seats: '', topic: '' }

/** Applies the changes between two versions of the shown form to the input. */
export function withChanges(input: LessonForm, shown: LessonForm, next: LessonForm): LessonForm {
  return { ...input, ...differingFields(next, shown) }
}

/** Moves the form to a time and instructor; keeps the length unless the place has an end. */
export function withPlace(
  form: LessonForm,
  { instructor_id, start_at, end_at, vehicle_ids = [] }: SlotPlace,
): LessonForm {
  return {
    ...form,
    instructor_id: instructor_id ?? form.instructor_id,
    vehicle_ids: vehicle_ids.length > 0 ? vehicle_ids : form.vehicle_ids,
    date: dateOf(start_at),
    start: timeOf(start_at),
    minutes: end_at === undefined ? form.minutes : minutesOf(intervalOf({ start_at, end_at })),
  }
}

/** Sets the length by an end time. An end that is not after the start is on the next day. */
export function withEnd(form: LessonForm, end: TimeOfDay): LessonForm {
  const minutes = minuteOfDay(end) - minuteOfDay(form.start)
  return { ...form, minutes: minutes > 0 ? minutes : minutes + MINUTES_PER_DAY }
}

/** Returns the end time; empty without a start or length. */
export function endTimeOf({ start, minutes }: LessonForm): TimeOfDay | '' {
  return isTimeOfDay(start) && minutes > 0 ? timeOf(localDateTimeFor(minuteOfDay(start) + minutes)) : ''
}

export function endsOnAnotherDay({ start, minutes }: LessonForm): boolean {
  return isTimeOfDay(start) && minuteOfDay(start) + minutes > MINUTES_PER_DAY
}

/** Returns the draft to check; its times are empty while the fields are. */
export function draftOf(form: LessonForm, id?: string): LessonDraft {
  const { instructor_id, student_id, vehicle_ids, lesson_type_id, location_id } = form
  const whom = { instructor_id, student_id, vehicle_ids: [...vehicle_ids], lesson_type_id, location_id }
  const group = form.attendees.length > 0 && { attendees: form.attendees, seats: form.seats || null }
  return { ...(id ? { id } : {}), ...whom, ...group, ...plannedTimes(form) }
}

/** Returns the request body of a new lesson, without empty texts. */
export function newAppointmentOf(form: LessonForm): NewAppointment {
  const { instructor_id, student_id, vehicle_ids, lesson_type_id } = form
  const { attendees, seats, topic, title, pickup_place, location_id, notes } = form
  return {
    instructor_id,
    student_id,
    lesson_type_id,
    ...plannedTimes(form),
    ...(vehicle_ids.length > 0 && { vehicle_ids: [...vehicle_ids] }),
    ...(attendees.length > 0 && { attendees }),
    ...(seats !== '' && student_id === null && { seats }),
    ...(topic.trim() ? { topic } : {}),
    ...(title.trim() ? { title } : {}),
    ...(pickup_place.trim() ? { pickup_place } : {}),
    ...(location_id && { location_id }),
    ...(notes.trim() ? { notes } : {}),
  }
}

/** Applies the form's changes to the version that somebody else has saved. */
export function mergedForm(form: LessonForm, seen: LessonForm, theirs: LessonForm): LessonForm {
  const touched = Object.entries(form).filter(
    ([name, value]) => !isSame(value, seen[name as keyof LessonForm]),
  )
  return { ...theirs, ...Object.fromEntries(touched) }
}

/** Returns only the fields that differ from the lesson as loaded. */
export function lessonChangeFor(form: LessonForm, seen: Appointment, lessonType: Types): AppointmentChange {
  const wanted: AppointmentChange = {
    instructor_id: form.instructor_id,
    student_id: form.student_id,
    vehicle_ids: isSame(form.vehicle_ids, seen.vehicle_ids) ? seen.vehicle_ids : [...form.vehicle_ids],
    lesson_type_id: form.lesson_type_id,
    ...plannedTimes(form),
    seats: form.seats || null,
    topic: form.topic.trim() || null,
    title: form.title.trim() || untitled(form, seen, lessonType),
    pickup_place: form.pickup_place.trim() || null,
    location_id: form.location_id,
    notes: form.notes.trim() || null,
  }
  const fields = Object.keys(wanted) as (keyof AppointmentChange)[]
  return Object.fromEntries(
    fields.filter((field) => wanted[field] !== seen[field]).map((field) => [field, wanted[field]]),
  )
}

/** Returns the title of a lesson without its own: as stored if it is a name of the type, or else the type's name. */
function untitled({ lesson_type_id }: LessonForm, { title }: Appointment, lessonType: Types): string {
  const type = lessonType.get(lesson_type_id)
  return ownTitle(title, type) === undefined ? title : (type?.name ?? title)
}

function plannedTimes({ date, start, minutes }: LessonForm): { start_at: string; end_at: string } {
  if (!isLocalDate(date) || !isTimeOfDay(start)) return { start_at: '', end_at: '' }
  const start_at = `${date} ${start}`
  return { start_at, end_at: localDateTimeFor(minuteOf(start_at) + minutes) }
}
