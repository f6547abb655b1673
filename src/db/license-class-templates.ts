import type { Insertable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Parameters } from './connection/statement.ts'
import { jsonList } from './json-list.ts'
import type { LicenseClassTemplateTable, TemplateRequirementTable } from './schema/catalogue-tables.ts'
import { createdAt, IN_ORDER_OF_PACK, updatedAt } from './schema/columns.ts'
import type { Database } from './schema/tables.ts'

export const listLicenseClassTemplates = jsonList(
  { from: 'license_class_templates', ...IN_ORDER_OF_PACK },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db
      .selectFrom('license_class_templates')
      .select(['id', 'code', 'license_class', 'name', 'min_age'])
      .select((template) =>
        jsonArrayFrom(
          template
            .selectFrom('template_requirements as requirement')
            .innerJoin('lesson_types', (join) =>
              join
                .on('lesson_types.tenant_id', '=', tenantId)
                .onRef('lesson_types.id', '=', 'requirement.lesson_type_id'),
            )
            .select([
              'requirement.lesson_type_id',
              'lesson_types.code',
              'lesson_types.name',
              'requirement.required_units',
              'requirement.min_one_block_units',
            ])
            .where('requirement.tenant_id', '=', tenantId)
            .whereRef('requirement.license_class_template_id', '=', 'license_class_templates.id')
            .orderBy('requirement.position'),
        ).as('requirements'),
      )
      .select([createdAt, updatedAt])
      .where('tenant_id', '=', tenantId),
)

export async function hasLicenseClassTemplate(db: Database, tenantId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('license_class_templates')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

export async function readLicenseClasses(db: Database, tenantId: string): Promise<ReadonlySet<string>> {
  const templates = await db
    .selectFrom('license_class_templates')
    .select('license_class')
    .where('tenant_id', '=', tenantId)
    .execute()
  return new Set(templates.map(({ license_class }) => license_class))
}

export async function insertLicenseClassTemplates(
  db: Database,
  templates: Insertable<LicenseClassTemplateTable>[],
  requirements: Insertable<TemplateRequirementTable>[],
): Promise<void> {
  await db.insertInto('license_class_templates').values(templates).execute()
  if (requirements.length > 0) await db.insertInto('template_requirements').values(requirements).execute()
}
