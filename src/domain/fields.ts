/** The kinds of values. A field's schema on the wire, its check in a school's file and its words in a history follow from its kind. */
export type FieldKind =
  | 'name'
  | 'line'
  | 'text'
  | 'email'
  | 'phone'
  | 'date'
  | 'wall_clock'
  | 'status'
  | 'id'
  | 'vehicles'
  | 'color'
  | 'classes'
  | 'flag'
  | 'daily_units'
  | 'weekly_units'
  | 'break_minutes'
  | 'continuous_minutes'

/** A field that clients write: a column of the row, and a property on the wire by the same name. */
export type FieldDescription = {
  readonly kind: FieldKind
  /** Whether it may be empty: null in the row and on the wire. */
  readonly isNullable?: true
  /** The description in the OpenAPI document. */
  readonly about: string
}

/** The fields of a resource by name, in the order of its columns. */
export type FieldList = Readonly<Record<string, FieldDescription>>

export type NameOf<List extends FieldList> = Extract<keyof List, string>

/** The names of the fields of a kind. */
export type OfKind<List extends FieldList, Kind extends FieldKind> = {
  readonly [Name in NameOf<List>]: List[Name]['kind'] extends Kind ? Name : never
}[NameOf<List>]

/** The names of the fields that may be empty. */
export type NullableOf<List extends FieldList> = {
  readonly [Name in NameOf<List>]: List[Name] extends { readonly isNullable: true } ? Name : never
}[NameOf<List>]

/** The kinds in which people write what they like, also about others. */
export const FREE_TEXTS = ['line', 'text'] as const

/** The names of all fields, in their order. */
export function namesOf<const List extends FieldList>(fields: List): readonly NameOf<List>[] {
  return Object.keys(fields) as NameOf<List>[]
}

/** The names of the fields of these kinds, in their order. */
export function namesOfKind<const List extends FieldList, const Kind extends FieldKind>(
  fields: List,
  ...kinds: readonly Kind[]
): readonly OfKind<List, Kind>[] {
  const wanted: ReadonlySet<FieldKind> = new Set(kinds)
  return namesOf(fields).filter((name) => wanted.has(fields[name]?.kind as FieldKind)) as OfKind<List, Kind>[]
}

/** Null for each field that may be empty. */
export function blankOf<const List extends FieldList>(
  fields: List,
): { readonly [Name in NullableOf<List>]: null } {
  const nullable = namesOf(fields).filter((name) => fields[name]?.isNullable)
  return Object.fromEntries(nullable.map((name) => [name, null])) as {
    readonly [Name in NullableOf<List>]: null
  }
}
