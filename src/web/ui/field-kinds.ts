import type { ParseKeys, TFunction } from 'i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { type FieldKind, type FieldList, type NameOf, namesOf, type OfKind } from '../../domain/fields.ts'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import type { FieldLabel } from './i18n/i18n.ts'
import { nameOf, type School } from './school.tsx'
import { weekdayName } from './weekday-name.ts'

export type Field<T> = {
  readonly label: ParseKeys
  readonly texts: (value: T, school: School, t: TFunction) => readonly string[]
}
export type Fields<T> = { readonly [Name in keyof T]?: Field<T[Name]> }

/** The texts of a resource: at least of the fields that a change sets, so that none is missing in the list of changes. */
export type TextsOf<Row, Change> = Fields<Row> & {
  readonly [Name in keyof Row & keyof Change]-?: Field<Row[Name]>
}

export const NOTHING = '–'

export function text(label: ParseKeys): Field<string | null> {
  return { label, texts: (value) => [value || NOTHING] }
}

/** Returns a field of minutes; null means unlimited. */
export function minutes(label: ParseKeys): Field<number | null> {
  return {
    label,
    texts: (value, _, t) => [value === null ? t('instructor.none') : t('lesson.minutes', { count: value })],
  }
}

export function dateText(date: string | null, { format }: School): readonly string[] {
  return [date === null ? NOTHING : format.date(date)]
}

/** Returns a field of units; null means unlimited. */
export function units(
  label: ParseKeys,
  none: 'instructor.none' | 'instructor.noOverride' = 'instructor.none',
): Field<number | null> {
  return {
    label,
    texts: (value, { format }, t) => [
      value === null ? t(none) : t('lesson.units', { units: format.units(value) }),
    ],
  }
}

/** Returns a field of geographic degrees; null means unknown. */
export function degrees(label: ParseKeys): Field<number | null> {
  return {
    label,
    texts: (value, { format }) => [
      value === null ? NOTHING : `${value.toLocaleString(format.locale, { maximumFractionDigits: 6 })}°`,
    ],
  }
}

export function moment(label: ParseKeys): Field<string | null> & Field<string> {
  return {
    label,
    texts: (at, { format }) => [at === null ? NOTHING : `${format.day(dateOf(at))}, ${timeOf(at)}`],
  }
}

export function instructor(label: ParseKeys): Field<string | null> {
  return { label, texts: (id, school) => [personIn(school.instructor, id) ?? NOTHING] }
}

/** Returns a field that is on or off. */
export function flag(label: ParseKeys, on: ParseKeys, off: ParseKeys): Field<boolean> {
  return { label, texts: (isOn, _, t) => [t(isOn ? on : off)] }
}

function personIn(
  people: ReadonlyMap<string, Parameters<typeof nameOf>[0]>,
  id: string | null,
): string | undefined {
  const person = people.get(id ?? '')
  return person && nameOf(person)
}

/** The texts of kinds of fields that need no others. */
const OF_KIND = {
  name: text,
  line: text,
  text,
  address: text,
  email: text,
  phone: text,
  color: text,
  number: text,
  date: (label: FieldLabel) => ({ label, texts: dateText }),
  classes: (label: FieldLabel) => ({ label, texts: (classes: readonly string[]) => classes }),
  daily_units: units,
  weekly_units: units,
  weekly_lessons: (label: FieldLabel) => ({
    label,
    texts: (count: number | null) => [count === null ? NOTHING : String(count)],
  }),
  break_minutes: minutes,
  continuous_minutes: minutes,
} as const satisfies { readonly [Kind in FieldKind]?: (label: FieldLabel) => Field<never> }

type OwnWords<List extends FieldList> = Exclude<NameOf<List>, OfKind<List, keyof typeof OF_KIND>>

/** Returns the texts of a resource's fields in order; `others` overrides those of the kinds and adds more. */
export function wordsOf<List extends FieldList, Row>(
  fields: List,
  others: Fields<Row> & Readonly<Record<OwnWords<List>, unknown>>,
): Fields<Row> {
  const own: Readonly<Record<string, unknown>> = others
  const entries = namesOf(fields).map((name) => {
    const ofKind = OF_KIND[fields[name]?.kind as keyof typeof OF_KIND]
    return [name, own[name] ?? ofKind(`field.${name}` as FieldLabel)]
  })
  return { ...Object.fromEntries(entries), ...others }
}

export const HOURS: Field<Instructor['availability_windows']> = {
  label: 'field.availability_windows',
  texts: (windows, { format }, t) =>
    windows
      .toSorted((a, b) => a.weekday - b.weekday || (a.start < b.start ? -1 : 1))
      .map(({ weekday, start, end, valid_from, valid_to, every_weeks = 1 }) =>
        [
          `${weekdayName(weekday, format)} ${start}–${end}`,
          every_weeks > 1 && t('instructor.everyWeeks', { count: every_weeks }),
          valid_from && t('instructor.validFromDate', { date: format.date(valid_from) }),
          valid_to && t('instructor.validToDate', { date: format.date(valid_to) }),
        ]
          .filter(Boolean)
          .join(' '),
      ),
}
