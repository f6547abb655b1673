import type { Label } from '../domain/fields.ts'
import { shortest } from '../domain/spelling.ts'
import { LABELS, type Labelled, languageOf } from './headings.ts'
import type { Columns, ColumnTraits } from './lines.ts'

type Names = Label & { readonly also?: readonly string[] }

/** The names of columns in `packs/columns`; a column without its own heading there has the label of its field. */
type OwnNames<Column extends string> = {
  readonly [Name in Exclude<Column, Labelled>]: Names
} & {
  readonly [Name in Extract<Column, Labelled>]?: Partial<Names>
}

type Named<Column extends string> = { readonly column: Column; readonly isOwn: boolean }

/** The columns of a kind of file, with their headings. */
export type ColumnNames<Column extends string> = {
  readonly columns: readonly Column[]
  readonly traits: ColumnTraits<Column>
  /** Returns the column of each heading, preferably of the service's own. Each is used once, twice if that of second values is free, or any number of times if its cells are joined. */
  readonly columnsOf: (headings: readonly string[]) => Columns<Column>
  /** Returns the headings of an export. */
  readonly headings: (language: string) => readonly string[]
}

/** Returns the columns of a kind of file by their names. */
export function columnNames<Column extends string>(
  columns: readonly Column[],
  own: OwnNames<Column>,
  traits: ColumnTraits<Column> = {},
): ColumnNames<Column> {
  const labels: Readonly<Record<keyof Label, Partial<Readonly<Record<string, string>>>>> = LABELS
  const inFile = own as Partial<Readonly<Record<Column, Partial<Names>>>>
  const named = columns.map((column) => [
    column,
    { de: labels.de[column], en: labels.en[column], ...inFile[column] },
  ])
  const names: Readonly<Record<Column, Names>> = Object.fromEntries(named)
  const known = new Map<string, Named<Column>[]>()
  for (const column of columns) {
    const { de, en, also = [] } = names[column]
    const own = [column, de, en].map(spelled)
    for (const name of new Set([...own, ...also.map(spelled)]))
      known.set(name, [...(known.get(name) ?? []), { column, isOwn: own.includes(name) }])
  }
  const exported = columns.filter((column) => partsOf(column, traits).length === 0)
  const columnsNamed = (heading: string) => (known.get(spelled(heading)) ?? []).map(({ column }) => column)
  return {
    columns,
    traits: { ...traits, columnsNamed },
    columnsOf: (headings) => {
      const found = headings.map((heading) => known.get(spelled(heading)) ?? [])
      return columnsIn(withoutWholesOrParts(found, traits), traits)
    },
    headings: (language) => exported.map((column) => names[column][languageOf(language)]),
  }
}

/** Returns the required columns that a file lacks. */
export function missingColumns<Column extends string>(
  found: Columns<Column>,
  required: readonly Column[],
  traits: ColumnTraits<Column>,
): readonly Column[] {
  const parts = new Set(found.flatMap((column) => [column, ...partsOf(column, traits)]))
  return required.filter((column) => !parts.has(column))
}

/** Returns the index of the first column that an earlier one excludes; undefined if there is none. */
export function surplusColumn<Column extends string>(
  columns: Columns<Column>,
  { seconds = {}, joined = {}, wholes = {} }: ColumnTraits<Column>,
): number | undefined {
  const used = new Set<Column>()
  for (const [at, column] of columns.entries()) {
    if (!column) continue
    const isFree = ![column, ...partsOf(column, { wholes })].some((one) => used.has(one))
    const second = seconds[column]
    if (!isFree && !joined[column] && (!second || used.has(second) || columns.includes(second))) return at
    if (!isFree && second) used.add(second)
    for (const one of [column, ...partsOf(column, { wholes })]) used.add(one)
  }
  return undefined
}

function partsOf<Column extends string>(
  column: Column | undefined,
  { wholes = {} }: Pick<ColumnTraits<Column>, 'wholes'>,
): readonly Column[] {
  return (column && wholes[column]) ?? []
}

/** Chooses between columns with the same heading: `Name` is the last name beside a first name, and otherwise the whole name. */
function withoutWholesOrParts<Column extends string>(
  found: readonly (readonly Named<Column>[])[],
  traits: ColumnTraits<Column>,
): readonly (Named<Column> | undefined)[] {
  const isWhole = ({ column }: Named<Column>) => partsOf(column, traits).length > 0
  const deciding = new Set(
    Object.values<readonly Column[] | undefined>(traits.wholes ?? {}).map((parts) => parts?.[0]),
  )
  const hasParts = found.flat().some(({ column }) => deciding.has(column))
  if (hasParts) return found.map((some) => some.find((one) => !isWhole(one)))
  const whole = found.flat().find(isWhole)
  const parts = partsOf(whole?.column, traits)
  return found.map((some) => some.find(isWhole) ?? some.find(({ column }) => !parts.includes(column)))
}

function columnsIn<Column extends string>(
  found: readonly (Named<Column> | undefined)[],
  { seconds = {}, joined = {}, wholes = {} }: ColumnTraits<Column>,
): Columns<Column> {
  const places = Map.groupBy(found.keys(), (at) => {
    const column = found[at]?.column
    return column && wholes[column] ? 'whole' : column
  })
  const kept = new Set(
    [...places].flatMap(([column, ofColumn]) => {
      const second = column && column !== 'whole' && seconds[column]
      const isJoined = column && column !== 'whole' && joined[column]
      const most = isJoined ? ofColumn.length : second && !places.has(second) ? 2 : 1
      return ofColumn.toSorted((a, b) => Number(found[b]?.isOwn) - Number(found[a]?.isOwn)).slice(0, most)
    }),
  )
  return found.map((one, at) => (kept.has(at) ? one?.column : undefined))
}

/** Reduces `E-Mail`, `email` and `e_mail:` to one spelling. */
function spelled(heading: string): string {
  return shortest(heading).replace(/[^\p{L}\p{N}]/gu, '')
}
