import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { lockLessonTypes, updateLessonTypes } from '../school/lesson-types.ts'
import type { Transaction } from './tables.ts'

type Named = { readonly code: string; readonly name: string }

export type CatalogueNames = {
  readonly lesson_types: readonly Named[]
  readonly templates: readonly Named[]
}

/** Renames lesson types and templates. Entries without a new name, and types that the school has renamed, keep theirs. */
export async function renameCatalogue(
  db: Transaction,
  actor: Actor,
  { former, names }: { readonly former: CatalogueNames; readonly names: CatalogueNames },
): Promise<void> {
  const [formerName, nextName] = [namesByCode(former), namesByCode(names)]
  const stored = await lockLessonTypes(db, actor.tenant.id)
  const renamed = stored
    .filter(({ code, name }) => formerName.get(code) === name)
    .map((one) => ({ stored: one, next: { ...one, name: nextName.get(one.code) ?? one.name } }))
  await updateLessonTypes(db, actor, renamed)
  await renameTemplates(db, actor.tenant.id, names.templates)
}

function namesByCode({ lesson_types }: CatalogueNames): ReadonlyMap<string, string> {
  return new Map(lesson_types.map(({ code, name }) => [code, name]))
}

async function renameTemplates(db: Transaction, tenantId: string, names: readonly Named[]): Promise<void> {
  const given = JSON.stringify(names.map(({ code, name }) => ({ code, name })))
  await sql`update license_class_templates entry set name = given.name, updated_at = now()
    from json_to_recordset(${given}::json) given (code text, name text)
    where entry.tenant_id = ${tenantId} and entry.code = given.code`.execute(db)
}
