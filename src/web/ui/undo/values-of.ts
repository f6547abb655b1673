/** Returns the row's values of the changed fields, which undo the change. */
export function valuesOf<Change extends object>(
  row: { readonly [Field in keyof Change]?: unknown },
  change: Change,
): Change {
  const fields = Object.keys(change) as (keyof Change)[]
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as Change
}
