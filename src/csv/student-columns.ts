import { readFileSync } from 'node:fs'
import { shortest } from '../domain/spelling.ts'
import { STUDENT_COLUMNS, type StudentColumn } from '../domain/student-fields.ts'

type Names = { readonly de: string; readonly en: string; readonly also: readonly string[] }

const file = new URL('../../packs/columns/students.json', import.meta.url)
const names: Readonly<Record<StudentColumn, Names>> = JSON.parse(readFileSync(file, 'utf8'))

const known: ReadonlyMap<string, StudentColumn> = new Map(
  STUDENT_COLUMNS.flatMap((column) => {
    const { de, en, also } = names[column]
    return [column, de, en, ...also].map((name) => [spelled(name), column] as const)
  }),
)

export function studentColumnOf(heading: string): StudentColumn | undefined {
  return known.get(spelled(heading))
}

export function studentHeadings(language: string): readonly string[] {
  return STUDENT_COLUMNS.map((column) => names[column][language === 'de' ? 'de' : 'en'])
}

/** Reduces `E-Mail`, `email` and `e_mail:` to one spelling. */
function spelled(heading: string): string {
  return shortest(heading).replace(/[^\p{L}\p{N}]/gu, '')
}
