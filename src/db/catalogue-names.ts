import { sql } from 'kysely'
import type { Transaction } from './tables.ts'

type Named = { readonly code: string; readonly name: string }

/** The names of a catalogue's entries, by their codes. */
export type CatalogueNames = {
  readonly lesson_types: readonly Named[]
  readonly templates: readonly Named[]
}

/**
 * Gives the tenant's lesson types and templates other names; an entry whose code is not there keeps its own. A template tells
 * the names of what it demands too, so that each counts as changed.
 */
export async function renameCatalogue(
  db: Transaction,
  tenantId: string,
  { lesson_types, templates }: CatalogueNames,
): Promise<void> {
  await rename(db, tenantId, { table: 'lesson_types', names: lesson_types })
  await rename(db, tenantId, { table: 'license_class_templates', names: templates })
}

type Renaming = {
  readonly table: 'lesson_types' | 'license_class_templates'
  readonly names: readonly Named[]
}

async function rename(db: Transaction, tenantId: string, { table, names }: Renaming): Promise<void> {
  const given = JSON.stringify(names.map(({ code, name }) => ({ code, name })))
  await sql`update ${sql.table(table)} entry set name = given.name, updated_at = now()
    from json_to_recordset(${given}::json) given (code text, name text)
    where entry.tenant_id = ${tenantId} and entry.code = given.code`.execute(db)
}
