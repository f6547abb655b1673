import { readFileSync } from 'node:fs'

const file = new URL('../../packs/columns/exports.json', import.meta.url)
const names: Readonly<Record<string, { readonly de: string; readonly en: string }>> = JSON.parse(
  readFileSync(file, 'utf8'),
)

export function headingsOf(columns: readonly string[], language: string): readonly string[] {
  return columns.map((column) => names[column]?.[language === 'de' ? 'de' : 'en'] ?? column)
}
