/** The kind of a field. Decides its schema, its check in a school file and its text in a history. */
export type FieldKind =
  | 'name'
  | 'line'
  | 'text'
  | 'address'
  | 'email'
  | 'phone'
  | 'date'
  | 'wall_clock'
  | 'status'
  | 'id'
  | 'vehicles'
  | 'attendees'
  | 'seats'
  | 'topic'
  | 'exam_result'
  | 'color'
  | 'classes'
  | 'flag'
  | 'channel'
  | 'language'
  | 'number'
  | 'weekly_lessons'
  | 'employment'
  | 'daily_units'
  | 'weekly_units'
  | 'break_minutes'
  | 'continuous_minutes'

/** A field that clients write: both a column and a JSON property. */
export type FieldDescription = {
  readonly kind: FieldKind
  readonly isNullable?: true
  readonly label?: Label
  readonly about: string
}

/** The name of a field in the app, and in files unless `packs/columns` has another. */
export type Label = { readonly de: string; readonly en: string }

/** The fields of a resource by name, in the order of its columns. */
export type FieldList = Readonly<Record<string, FieldDescription>>

export type NameOf<List extends FieldList> = Extract<keyof List, string>

export type OfKind<List extends FieldList, Kind extends FieldKind> = {
  readonly [Name in NameOf<List>]: List[Name]['kind'] extends Kind ? Name : never
}[NameOf<List>]

export type NullableOf<List extends FieldList> = {
  readonly [Name in NameOf<List>]: List[Name] extends { readonly isNullable: true } ? Name : never
}[NameOf<List>]

/** The kinds of free text, which may mention people. */
export const TEXT_FIELD_KINDS = ['line', 'text', 'address', 'topic'] as const

export function namesOf<const List extends FieldList>(fields: List): readonly NameOf<List>[] {
  return Object.keys(fields) as NameOf<List>[]
}

export function namesOfKind<const List extends FieldList, const Kind extends FieldKind>(
  fields: List,
  ...kinds: readonly Kind[]
): readonly OfKind<List, Kind>[] {
  const wanted: ReadonlySet<FieldKind> = new Set(kinds)
  return namesOf(fields).filter((name) => wanted.has(fields[name]?.kind as FieldKind)) as OfKind<List, Kind>[]
}

export function blankOf<const List extends FieldList>(
  fields: List,
): { readonly [Name in NullableOf<List>]: null } {
  const nullable = namesOf(fields).filter((name) => fields[name]?.isNullable)
  return Object.fromEntries(nullable.map((name) => [name, null])) as {
    readonly [Name in NullableOf<List>]: null
  }
}

export function labelsOf<const List extends Readonly<Record<string, { readonly label: Label }>>>(
  fields: List,
  language: keyof Label,
): { readonly [Name in keyof List]: string } {
  const entries = Object.entries(fields).map(([name, { label }]) => [name, label[language]])
  return Object.fromEntries(entries)
}
