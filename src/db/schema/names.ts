import { sql } from 'kysely'
import type { LocalDate } from '../../domain/local-time.ts'
import type { Database } from './tables.ts'

export type NamedRow = { readonly id: string; readonly names: readonly string[] }

export async function readNames(
  db: Database,
  tenantId: string,
  today: LocalDate,
): Promise<{ readonly license_classes: readonly NamedRow[]; readonly instructors: readonly NamedRow[] }> {
  const [templates, instructors] = await Promise.all([
    db
      .selectFrom('license_class_templates')
      .select(['id', 'code', 'name', 'license_class'])
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`daterange(valid_from, valid_to, '[]') @> ${today}::date`)
      .orderBy('position')
      .execute(),
    db
      .selectFrom('instructors')
      .select(['id', 'first_name', 'last_name'])
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .execute(),
  ])
  return {
    license_classes: templates.map(({ id, code, name, license_class }) => ({
      id,
      names: [code, name, license_class],
    })),
    instructors: instructors.map(({ id, first_name, last_name }) => ({
      id,
      names: [`${first_name} ${last_name}`, last_name],
    })),
  }
}
