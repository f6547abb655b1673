import type { ParseKeys, TFunction } from 'i18next'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import { nameOf, type School } from './school.tsx'

/** The label of a field, and its value in words. */
export type Field<T> = {
  readonly label: ParseKeys
  readonly words: (value: T, school: School, t: TFunction) => readonly string[]
}
/** The fields of a resource that have words. */
export type Fields<T> = { readonly [Name in keyof T]?: Field<T[Name]> }

/** An empty value. */
export const NOTHING = '–'

/** A field of text that may be empty. */
export function text(label: ParseKeys): Field<string | null> {
  return { label, words: (value) => [value || NOTHING] }
}

/** A field of minutes that may be unlimited. */
export function minutes(label: ParseKeys): Field<number | null> {
  return {
    label,
    words: (value, _, t) => [value === null ? t('instructor.none') : t('lesson.minutes', { count: value })],
  }
}

/** Returns a date in words. */
export function dateWords(date: string | null, { format }: School): readonly string[] {
  return [date === null ? NOTHING : format.date(date)]
}

/** A field of units that may be unlimited. */
export function units(
  label: ParseKeys,
  none: 'instructor.none' | 'instructor.noOverride' = 'instructor.none',
): Field<number | null> {
  return {
    label,
    words: (value, { format }, t) => [
      value === null ? t(none) : t('lesson.units', { units: format.units(value) }),
    ],
  }
}

/** A field of degrees of a place that may be unknown. */
export function degrees(label: ParseKeys): Field<number | null> {
  return {
    label,
    words: (value, { format }) => [
      value === null ? NOTHING : `${value.toLocaleString(format.locale, { maximumFractionDigits: 6 })}°`,
    ],
  }
}

/** A field of a wall-clock time. */
export function moment(label: ParseKeys): Field<string | null> & Field<string> {
  return {
    label,
    words: (at, { format }) => [at === null ? NOTHING : `${format.day(dateOf(at))}, ${timeOf(at)}`],
  }
}

/** A field that names an instructor by id. */
export function instructor(label: ParseKeys): Field<string | null> {
  return { label, words: (id, school) => [personIn(school.instructor, id) ?? NOTHING] }
}

/** Returns the name of a person by id. */
export function personIn(
  people: ReadonlyMap<string, Parameters<typeof nameOf>[0]>,
  id: string | null,
): string | undefined {
  const person = people.get(id ?? '')
  return person && nameOf(person)
}
