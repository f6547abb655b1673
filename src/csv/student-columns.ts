import { readFileSync } from 'node:fs'
import { shortest } from '../domain/spelling.ts'

/** The columns of a file of students. */
export const STUDENT_COLUMNS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'phone_2',
  'birth_date',
  'license_class',
  'preferred_instructor',
  'notes',
] as const
export type StudentColumn = (typeof STUDENT_COLUMNS)[number]

/** The headings of a column: those that German and English files are written with, and others that are read. */
type Names = { readonly de: string; readonly en: string; readonly also: readonly string[] }

const file = new URL('../../packs/columns/students.json', import.meta.url)
const names: Readonly<Record<StudentColumn, Names>> = JSON.parse(readFileSync(file, 'utf8'))

const known: ReadonlyMap<string, StudentColumn> = new Map(
  STUDENT_COLUMNS.flatMap((column) => {
    const { de, en, also } = names[column]
    return [column, de, en, ...also].map((name) => [spelled(name), column] as const)
  }),
)

/** The column that a heading names in any spelling; nothing if none does. */
export function studentColumnOf(heading: string): StudentColumn | undefined {
  return known.get(spelled(heading))
}

/** Returns the heading of a column, in German or else in English. */
export function studentHeadings(language: string): readonly string[] {
  return STUDENT_COLUMNS.map((column) => names[column][language === 'de' ? 'de' : 'en'])
}

/** `E-Mail`, `email` and `e_mail:` are one. */
function spelled(heading: string): string {
  return shortest(heading).replace(/[^\p{L}\p{N}]/gu, '')
}
