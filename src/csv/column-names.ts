import { readFileSync } from 'node:fs'
import { shortest } from '../domain/spelling.ts'

type Names = { readonly de: string; readonly en: string; readonly also: readonly string[] }

/** The columns of a kind of file, with their headings. */
export type ColumnNames<Column extends string> = {
  readonly columnOf: (heading: string) => Column | undefined
  readonly headings: (language: string) => readonly string[]
}

/** Reads the names of columns from `packs/columns/<kind>.json`. */
export function columnNames<Column extends string>(
  kind: string,
  columns: readonly Column[],
): ColumnNames<Column> {
  const file = new URL(`../../packs/columns/${kind}.json`, import.meta.url)
  const names: Readonly<Record<Column, Names>> = JSON.parse(readFileSync(file, 'utf8'))
  const known: ReadonlyMap<string, Column> = new Map(
    columns.flatMap((column) => {
      const { de, en, also } = names[column]
      return [column, de, en, ...also].map((name) => [spelled(name), column] as const)
    }),
  )
  return {
    columnOf: (heading) => known.get(spelled(heading)),
    headings: (language) => columns.map((column) => names[column][language === 'de' ? 'de' : 'en']),
  }
}

/** Reduces `E-Mail`, `email` and `e_mail:` to one spelling. */
function spelled(heading: string): string {
  return shortest(heading).replace(/[^\p{L}\p{N}]/gu, '')
}
