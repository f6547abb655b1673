import { readFileSync } from 'node:fs'
import { shortest } from '../domain/spelling.ts'
import type { Columns, SecondColumns } from './lines.ts'

type Names = { readonly de: string; readonly en: string; readonly also: readonly string[] }

type Named<Column extends string> = { readonly column: Column; readonly isOwn: boolean }

/** The columns of a kind of file, with their headings. */
export type ColumnNames<Column extends string> = {
  /** Returns the column of each heading, preferably of the service's own. Each is used once, or twice if that of second values is free. */
  readonly columnsOf: (headings: readonly string[]) => Columns<Column>
  readonly headings: (language: string) => readonly string[]
}

/** Reads the names of columns from `packs/columns/<kind>.json`. */
export function columnNames<Column extends string>(
  kind: string,
  columns: readonly Column[],
  seconds: SecondColumns<Column> = {},
): ColumnNames<Column> {
  const file = new URL(`../../packs/columns/${kind}.json`, import.meta.url)
  const names: Readonly<Record<Column, Names>> = JSON.parse(readFileSync(file, 'utf8'))
  const known: ReadonlyMap<string, Named<Column>> = new Map(
    columns.flatMap((column) => {
      const { de, en, also } = names[column]
      const own = [column, de, en].map(spelled)
      return [...own, ...also.map(spelled)].map(
        (name) => [name, { column, isOwn: own.includes(name) }] as const,
      )
    }),
  )
  return {
    columnsOf: (headings) => {
      const found = headings.map((heading) => known.get(spelled(heading)))
      return columnsIn(found, seconds)
    },
    headings: (language) => columns.map((column) => names[column][language === 'de' ? 'de' : 'en']),
  }
}

function columnsIn<Column extends string>(
  found: readonly (Named<Column> | undefined)[],
  seconds: SecondColumns<Column>,
): Columns<Column> {
  const places = Map.groupBy(found.keys(), (at) => found[at]?.column)
  const kept = new Set(
    [...places].flatMap(([column, ofColumn]) => {
      const second = column && seconds[column]
      const most = second && !places.has(second) ? 2 : 1
      return ofColumn.toSorted((a, b) => Number(found[b]?.isOwn) - Number(found[a]?.isOwn)).slice(0, most)
    }),
  )
  return found.map((one, at) => (kept.has(at) ? one?.column : undefined))
}

/** Reduces `E-Mail`, `email` and `e_mail:` to one spelling. */
function spelled(heading: string): string {
  return shortest(heading).replace(/[^\p{L}\p{N}]/gu, '')
}
