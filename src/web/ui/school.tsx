import { createContext, type PropsWithChildren, use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Assumed } from '../../contract/assumed.ts'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { LessonType } from '../../contract/lesson-type.ts'
import type { Location } from '../../contract/location.ts'
import type { Student } from '../../contract/student.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import type { Romanize } from '../../domain/spelling.ts'
import type { SchoolDays } from '../data/school-days.ts'
import { type Format, formatFor } from './i18n/format.ts'
import type { Language } from './i18n/i18n.ts'
import { type Namesake, namesakesIn } from './namesakes.ts'
import { useRomanize } from './romanize.ts'

/** The data of bootstrap, also by id, with vehicles, locations and formats. `students` has only the current ones, for choices. */
export type School = Bootstrap & {
  /** All students, former ones too. */
  readonly student: ReadonlyMap<string, Student>
  readonly instructor: ReadonlyMap<string, Instructor>
  readonly lessonType: ReadonlyMap<string, LessonType>
  /** By name; empty until they are read. */
  readonly vehicles: readonly Vehicle[]
  readonly vehicle: ReadonlyMap<string, Vehicle>
  /** By name; empty until they are read. */
  readonly locations: readonly Location[]
  readonly location: ReadonlyMap<string, Location>
  readonly format: Format
  /** The texts that tell students of the same name apart. */
  readonly namesake: ReadonlyMap<string, Namesake>
  /** Writes names of other scripts in Latin letters; undefined until that is needed. */
  readonly romanize: Romanize | undefined
  /** Public holidays and closures; undefined until they are read. */
  readonly days?: SchoolDays | undefined
  /** Unsaved changes of instructors in a surrounding form, which searches must respect. */
  readonly assumed?: Assumed
}

const SchoolContext = createContext<School | undefined>(undefined)

type SchoolProviderProps = PropsWithChildren<{
  readonly bootstrap: Bootstrap
  readonly vehicles: readonly Vehicle[]
  readonly locations: readonly Location[]
  readonly days: SchoolDays | undefined
}>

export function SchoolProvider({ bootstrap, vehicles, locations, days, children }: SchoolProviderProps) {
  const { i18n } = useTranslation()
  const language = i18n.language as Language
  const romanize = useRomanize(bootstrap.students, bootstrap.instructors)
  const school = useMemo((): School => {
    const format = formatFor(language, bootstrap.tenant)
    return {
      ...bootstrap,
      students: byName(bootstrap.students.filter(isCurrent), format),
      instructors: byName(bootstrap.instructors, format),
      student: byId(bootstrap.students),
      instructor: byId(bootstrap.instructors),
      lessonType: byId(bootstrap.lessonTypes),
      vehicles: vehicles.toSorted((a, b) => format.compare(a.name, b.name)),
      vehicle: byId(vehicles),
      locations,
      location: byId(locations),
      format,
      namesake: namesakesOf(bootstrap, format),
      romanize,
      days,
    }
  }, [bootstrap, vehicles, locations, days, language, romanize])
  return <SchoolContext value={school}>{children}</SchoolContext>
}

function namesakesOf({ students, templates }: Bootstrap, format: Format): School['namesake'] {
  const classes = new Map(templates.map(({ id, license_class }) => [id, license_class]))
  return namesakesIn(
    students.map((one) => ({
      ...one,
      born: one.birth_date ? format.date(one.birth_date) : undefined,
      license_class: classes.get(one.license_class_template_id ?? ''),
    })),
  )
}

/** Returns a student's name, with a distinguishing text in parentheses if others have the same. */
export function studentName(
  student: Student,
  { namesake }: Pick<School, 'namesake'>,
  write: typeof nameOf = nameOf,
): string {
  const told = namesake.get(student.id)?.short
  return told ? `${write(student)} (${told})` : write(student)
}

/** Returns the line below a student's name in a list: the phone number, for namesakes also birthday and class. */
export function studentHint({ id, phone }: Student, { namesake }: Pick<School, 'namesake'>): string | null {
  return namesake.get(id)?.full ?? phone
}

/** Provides the school with the unsaved changes of a form. */
export function Assuming({ assumed, children }: PropsWithChildren<{ assumed: Assumed }>) {
  const school = useSchool()
  const assuming = useMemo((): School => ({ ...school, assumed }), [school, assumed])
  return <SchoolContext value={assuming}>{children}</SchoolContext>
}

/** Returns the school. Throws outside of `SchoolProvider`. */
export function useSchool(): School {
  const school = use(SchoolContext)
  if (!school) throw new Error('useSchool is for pages inside the session')
  return school
}

/** Returns the location for a copy of a lesson; null if it has been deleted since. */
export function knownLocation(
  { location }: Pick<School, 'location'>,
  { location_id }: { readonly location_id: string | null },
): string | null {
  return location.has(location_id ?? '') ? location_id : null
}

/** Returns the full name, first name first. */
export function nameOf(person: { readonly first_name: string; readonly last_name: string }): string {
  return `${person.first_name} ${person.last_name}`
}

/** Returns the full name, family name first, as in a register. */
export function familyFirst(person: { readonly first_name: string; readonly last_name: string }): string {
  return `${person.last_name}, ${person.first_name}`
}

export function initialsOf(person: { readonly first_name: string; readonly last_name: string }): string {
  return `${[...person.first_name][0] ?? ''}${[...person.last_name][0] ?? ''}`
}

export const isCurrent = ({ archived_at }: Student) => !archived_at

type Named = { readonly id: string; readonly first_name: string; readonly last_name: string }

/** Sorts by first name. */
function byName<T extends Named>(people: readonly T[], { compare }: Format): T[] {
  return people.toSorted(
    (a, b) => compare(a.first_name, b.first_name) || compare(a.last_name, b.last_name) || compare(a.id, b.id),
  )
}

function byId<T extends { readonly id: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((one) => [one.id, one]))
}
