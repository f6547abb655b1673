import type { Database } from './tables.ts'

/** What people write for a row: its names, the one that is meant first before the others. */
export type NamedRow = { readonly id: string; readonly names: readonly string[] }

/** What the tenant's licence classes and instructors are called. */
export async function readNames(
  db: Database,
  tenantId: string,
): Promise<{ readonly license_classes: readonly NamedRow[]; readonly instructors: readonly NamedRow[] }> {
  const [templates, instructors] = await Promise.all([
    db
      .selectFrom('license_class_templates')
      .select(['id', 'code', 'name', 'license_class'])
      .where('tenant_id', '=', tenantId)
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
