import type { OccupantKind } from './agenda.ts'
import { isStudentIn } from './counted.ts'
import type { RefusalCode } from './refusal.ts'

/** The fields of an appointment that name the people and things it occupies. */
export type Occupying = {
  readonly instructor_id?: string | null | undefined
  readonly student_id?: string | null | undefined
  readonly attendees?: readonly { readonly student_id: string }[] | undefined
  readonly vehicle_ids?: readonly string[] | undefined
}

/** A person or thing that an appointment occupies. */
export type Occupant = { readonly kind: OccupantKind; readonly id: string }

/** The kinds of calendars, each with the table of those that have one. */
export const CALENDARS = { instructor: 'instructors', student: 'students', vehicle: 'vehicles' } as const
export type CalendarKind = keyof typeof CALENDARS
export const CALENDAR_KINDS = Object.keys(CALENDARS) as readonly CalendarKind[]

type Description = {
  readonly field: keyof Occupying
  /** The form of the ids in the field: `true` for a list of ids, or the name of the id in a list of objects. */
  readonly list?: true | 'student_id'
  readonly calendar: CalendarKind
  readonly idsOf: (appointment: Occupying) => readonly string[]
  /** Whether an appointment occupies the one with the id, in any field. */
  readonly isIn: (appointment: Occupying, id: string) => boolean
  /** The refusal of an overlap with another appointment. */
  readonly busy: RefusalCode & `${string}_busy`
  /** The parameter of the refusal that names it; undefined if the appointment has only one. */
  readonly parameter?: string
  /** The refusals of a thing that is out of use or away; undefined for people. */
  readonly thing?: { readonly inactive: RefusalCode; readonly absent: RefusalCode }
  /** Whether an appointment that is planned again does without a deleted one; otherwise it cannot be. */
  readonly isLeftOut: boolean
}

const NONE: readonly string[] = []

/** The kinds of people and things that an appointment occupies, in the order of the rules. */
export const OCCUPANTS: Readonly<Record<OccupantKind, Description>> = {
  instructor: {
    field: 'instructor_id',
    calendar: 'instructor',
    idsOf: ({ instructor_id }) => (instructor_id ? [instructor_id] : NONE),
    isIn: ({ instructor_id }, id) => instructor_id === id,
    busy: 'instructor_busy',
    isLeftOut: false,
  },
  student: {
    field: 'student_id',
    calendar: 'student',
    idsOf: ({ student_id }) => (student_id ? [student_id] : NONE),
    isIn: isStudentIn,
    busy: 'student_busy',
    isLeftOut: false,
  },
  attendee: {
    field: 'attendees',
    list: 'student_id',
    calendar: 'student',
    idsOf: ({ attendees }) => attendees?.map(({ student_id }) => student_id) ?? NONE,
    isIn: isStudentIn,
    busy: 'student_busy',
    parameter: 'student_id',
    isLeftOut: true,
  },
  vehicle: {
    field: 'vehicle_ids',
    list: true,
    calendar: 'vehicle',
    idsOf: ({ vehicle_ids }) => vehicle_ids ?? NONE,
    isIn: ({ vehicle_ids }, id) => vehicle_ids?.includes(id) ?? false,
    busy: 'vehicle_busy',
    parameter: 'vehicle_id',
    thing: { inactive: 'vehicle_inactive', absent: 'vehicle_absent' },
    isLeftOut: false,
  },
}

export const OCCUPANT_KINDS = Object.keys(OCCUPANTS) as readonly OccupantKind[]

/** The fields of an appointment that occupy somebody or something. */
export const OCCUPYING_FIELDS = OCCUPANT_KINDS.map((kind) => OCCUPANTS[kind].field)

/** Returns the people and things that an appointment occupies, in the order of the rules. */
export function occupantsOf(appointment: Occupying): readonly Occupant[] {
  const occupants: Occupant[] = []
  for (const kind of OCCUPANT_KINDS)
    for (const id of OCCUPANTS[kind].idsOf(appointment)) occupants.push({ kind, id })
  return occupants
}

/** Returns the ids of all that the appointments occupy, each once. */
export function calendarIdsOf(appointments: readonly Occupying[]): readonly string[] {
  return [
    ...new Set(appointments.flatMap((one) => OCCUPANT_KINDS.flatMap((kind) => OCCUPANTS[kind].idsOf(one)))),
  ]
}

export function studentIdsOf(appointment: Occupying): readonly string[] {
  return [...OCCUPANTS.student.idsOf(appointment), ...OCCUPANTS.attendee.idsOf(appointment)]
}

export function attendeeIdsOf(appointment: Pick<Occupying, 'attendees'>): readonly string[] {
  return OCCUPANTS.attendee.idsOf(appointment)
}

/**
 * Whether a change of an appointment names one of the deleted, or plans the appointment again with one that it cannot do
 * without. Those that can be left out may stay where they are.
 */
export function needsDeleted(
  deleted: readonly Occupant[],
  change: Occupying,
  {
    stored = {},
    isPlannedAgain = false,
  }: { readonly stored?: Occupying; readonly isPlannedAgain?: boolean } = {},
): boolean {
  return deleted.some(({ kind, id }) => {
    const { idsOf, isLeftOut } = OCCUPANTS[kind]
    const isNamed = idsOf(change).includes(id)
    return isLeftOut ? isNamed && !idsOf(stored).includes(id) : isNamed || isPlannedAgain
  })
}
