import { type Insertable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { LocalDate } from '../../domain/local-time.ts'
import type { TestAges } from '../../domain/readiness.ts'
import type { Parameters } from '../connection/statement.ts'
import { type JsonList, jsonList } from '../json-list.ts'
import type {
  LicenseClassTemplateTable,
  TemplateRequirementTable,
  TimestampColumns,
} from '../schema/catalogue-tables.ts'
import { createdAt, IN_ORDER_OF_PACK, updatedAt } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { lockTenant } from './tenants.ts'

export type NewTemplate = Omit<
  LicenseClassTemplateTable,
  'tenant_id' | 'position' | keyof TimestampColumns
> & {
  readonly requirements: readonly Omit<
    Insertable<TemplateRequirementTable>,
    'tenant_id' | 'license_class_template_id' | 'position'
  >[]
}

/** Lists the templates that are the law on a day and those of students, or all without one, in the order of the pack. */
export function listLicenseClassTemplates(
  db: Database,
  tenantId: string,
  { theory_before_age_months, practice_before_age_months }: TestAges,
  valid_on: LocalDate | null,
): JsonList {
  return templatesWithAges(db, tenantId, { theory_before_age_months, practice_before_age_months, valid_on })
}

const templatesWithAges = jsonList(
  { from: 'license_class_templates', ...IN_ORDER_OF_PACK },
  (
    db,
    {
      tenantId,
      valid_on,
      ...testAges
    }: Parameters<{ tenantId: string; valid_on: LocalDate | null } & TestAges>,
  ) =>
    db
      .selectFrom('license_class_templates')
      .select(['id', 'code', 'license_class', 'name', 'min_age', 'law', 'valid_from', 'valid_to'])
      .select([
        sql<number | null>`${testAges.theory_before_age_months}::integer`.as('theory_before_age_months'),
        sql<number | null>`${testAges.practice_before_age_months}::integer`.as('practice_before_age_months'),
      ])
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
              'requirement.unit_minutes',
              'requirement.by_prior',
              'requirement.shared',
              'requirement.includes',
              'requirement.also',
              'requirement.min_minutes',
              'requirement.not_by_trainee',
            ])
            .where('requirement.tenant_id', '=', tenantId)
            .whereRef('requirement.license_class_template_id', '=', 'license_class_templates.id')
            .orderBy('requirement.position'),
        ).as('requirements'),
      )
      .select([createdAt, updatedAt])
      .where('tenant_id', '=', tenantId)
      .where(
        sql<boolean>`(${valid_on}::date is null
          or daterange(valid_from, valid_to, '[]') @> ${valid_on}::date
          or exists (select from enrolments held where held.tenant_id = ${tenantId}
            and held.template_id = license_class_templates.id and (held.outcome is null or held.is_current)
            and held.deleted_at is null))`,
      ),
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
  tenantId: string,
  templates: readonly NewTemplate[],
): Promise<void> {
  const last = await db
    .selectFrom('license_class_templates')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const first = (last?.position ?? -1) + 1
  await db
    .insertInto('license_class_templates')
    .values(
      templates.map(({ requirements: _, ...template }, at) => ({
        ...{ ...template, tenant_id: tenantId, position: first + at },
      })),
    )
    .execute()
  await insertRequirements(db, tenantId, templates)
}

type DatedTemplate = Pick<LicenseClassTemplateTable, 'code' | 'law' | 'valid_from' | 'valid_to'>

/** Lists the schools of a country that lack one of the templates, or its law and last day; all if one has a first day. */
export async function listSchoolsWithOtherTemplates(
  db: Database,
  country: string,
  templates: readonly DatedTemplate[],
): Promise<readonly { readonly id: string; readonly locale: string }[]> {
  const given = JSON.stringify(
    templates.map(({ code, law, valid_from, valid_to }) => ({ code, law, valid_from, valid_to })),
  )
  const { rows } = await sql<{ id: string; locale: string }>`
    select id, locale from tenants where country = ${country} and exists (
      select from json_to_recordset(${given}::json) given (code text, law text, valid_from date, valid_to date)
      where not exists (
        select from license_class_templates template
        where template.tenant_id = tenants.id and template.code = given.code
          and template.valid_from is not distinct from given.valid_from
          and template.law is not distinct from given.law
          and template.valid_to is not distinct from given.valid_to and given.valid_from is null))
    order by id`.execute(db)
  return rows
}

/** Stores templates that the school lacks and gives the others their law and dates. Replaces all of those with a first day. */
export async function alignTemplates(
  db: Transaction,
  tenantId: string,
  templates: readonly NewTemplate[],
): Promise<void> {
  await lockTenant(db, tenantId)
  const stored = await db
    .selectFrom('license_class_templates')
    .select(['id', 'code', 'valid_from'])
    .where('tenant_id', '=', tenantId)
    .execute()
  const idOf = ({ code, valid_from }: NewTemplate) =>
    stored.find((one) => one.code === code && one.valid_from === valid_from)?.id
  for (const template of templates) {
    const id = idOf(template)
    if (id === undefined) continue
    const { law, valid_to, training_years, name, license_class, min_age, requirements } = template
    const isDated = template.valid_from !== null
    await db
      .updateTable('license_class_templates')
      .set({
        law,
        valid_to,
        training_years,
        ...(isDated && { name, license_class, min_age }),
        updated_at: sql`now()`,
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    if (!isDated) continue
    await db
      .deleteFrom('template_requirements')
      .where('tenant_id', '=', tenantId)
      .where('license_class_template_id', '=', id)
      .execute()
    await insertRequirements(db, tenantId, [{ id, requirements }])
  }
  const missing = templates.filter((template) => idOf(template) === undefined)
  if (missing.length > 0) await insertLicenseClassTemplates(db, tenantId, missing)
}

async function insertRequirements(
  db: Database,
  tenantId: string,
  templates: readonly Pick<NewTemplate, 'id' | 'requirements'>[],
): Promise<void> {
  const rows = templates.flatMap(({ id, requirements }) =>
    requirements.map((requirement, position) => ({
      ...{ ...requirement, tenant_id: tenantId, license_class_template_id: id, position },
    })),
  )
  if (rows.length > 0) await db.insertInto('template_requirements').values(rows).execute()
}

export async function listOfferedClasses(
  db: Database,
  tenantId: string,
  today: LocalDate,
): Promise<readonly string[]> {
  const templates = await listCurrentTemplates(db, tenantId, today)
  return [...new Set(templates.map(({ license_class }) => license_class))]
}

/** Returns the first template of a class that is the law on a day; undefined if there is none. */
export async function findTemplateOfClass(
  db: Database,
  tenantId: string,
  { license_class, today }: { readonly license_class: string; readonly today: LocalDate },
): Promise<string | undefined> {
  const templates = await listCurrentTemplates(db, tenantId, today)
  return templates.find((one) => one.license_class === license_class)?.id
}

async function listCurrentTemplates(db: Database, tenantId: string, today: LocalDate) {
  return db
    .selectFrom('license_class_templates')
    .select(['id', 'license_class'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`daterange(valid_from, valid_to, '[]') @> ${today}::date`)
    .orderBy('position')
    .execute()
}
