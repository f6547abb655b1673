import { blankOf, type FieldList, type NameOf, type NullableOf, namesOf } from '../../domain/fields.ts'

/** The values of a form, with empty texts and numbers for null. */
export type FormValues<Row> = {
  readonly [Name in keyof Row]: Row[Name] extends string | null
    ? string extends NonNullable<Row[Name]>
      ? string
      : Row[Name]
    : Row[Name] extends number | null
      ? number | ''
      : Row[Name]
}

type WireValues<Form, Names extends keyof Form> = { readonly [Name in Names]: Exclude<Form[Name], ''> | null }

export function formValuesOf<
  const List extends FieldList,
  Row extends Readonly<Record<NameOf<List>, unknown>>,
>(fields: List, row: Row): FormValues<Pick<Row, NameOf<List>>> {
  const values = namesOf(fields).map((name) => [name, row[name] ?? ''])
  return Object.fromEntries(values)
}

/** Returns a form's nullable fields for the wire: texts trimmed, empty ones null. */
export function wireValuesOf<
  const List extends FieldList,
  Form extends Readonly<Record<NullableOf<List>, unknown>>,
>(fields: List, form: Form): WireValues<Form, NullableOf<List>> {
  const names = Object.keys(blankOf(fields)) as NullableOf<List>[]
  const values = names.map((name) => {
    const value: unknown = form[name]
    const trimmed = typeof value === 'string' ? value.trim() : value
    return [name, trimmed === '' ? null : trimmed]
  })
  return Object.fromEntries(values)
}
