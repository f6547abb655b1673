import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'

/** Corrects requirements and a minimum age in the licence class templates of schools to those of the law, as the packs have them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await correctFigures(db)
}

export async function correctFigures(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const where = tenantId === undefined ? sql`true` : sql`requirement.tenant_id = ${tenantId}`
  /** Selects the requirements of these templates on this type of lesson. */
  const those = (codes: readonly string[], types: readonly string[]) => sql`
    from license_class_templates template, lesson_types type
    where ${where} and template.tenant_id = requirement.tenant_id and type.tenant_id = requirement.tenant_id
      and template.id = requirement.license_class_template_id and type.id = requirement.lesson_type_id
      and template.code = any(${codes}::text[]) and type.code = any(${types}::text[])`
  const lacksBasic = sql`not exists (
    select from template_requirements other
    join lesson_types basic on basic.tenant_id = other.tenant_id and basic.id = other.lesson_type_id
    where other.tenant_id = requirement.tenant_id
      and other.license_class_template_id = requirement.license_class_template_id and basic.code = 'THEORY_BASIC')`
  // The special theory is the last requirement: it makes room for the basic theory before it.
  await sql`update template_requirements requirement set position = requirement.position + 1
    ${those(EXTENSIONS, ['THEORY_SPECIFIC'])} and ${lacksBasic}`.execute(db)
  await sql`insert into template_requirements
      (tenant_id, license_class_template_id, position, lesson_type_id, required_units, min_one_block_units)
    select requirement.tenant_id, template.id, requirement.position - 1, theory.id, 12, null
    from template_requirements requirement
    join license_class_templates template on template.tenant_id = requirement.tenant_id
      and template.id = requirement.license_class_template_id and template.code = any(${EXTENSIONS}::text[])
    join lesson_types type on type.tenant_id = requirement.tenant_id
      and type.id = requirement.lesson_type_id and type.code = 'THEORY_SPECIFIC'
    join lesson_types theory on theory.tenant_id = requirement.tenant_id and theory.code = 'THEORY_BASIC'
    where ${where} and ${lacksBasic}`.execute(db)
  await sql`update template_requirements requirement set min_one_block_units = null
    ${those(BUSES, ['RURAL', 'MOTORWAY'])}`.execute(db)
  for (const [code, units] of PRACTICE)
    await sql`update template_requirements requirement set required_units = ${units}
      ${those([code], ['PRACTICE'])}`.execute(db)
  const school = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
  const changed = [...EXTENSIONS, ...BUSES, ...PRACTICE.map(([code]) => code)]
  await sql`update license_class_templates set updated_at = now(),
      min_age = case when code = 'PL_B' then 17 else min_age end
    where ${school} and code = any(${changed}::text[])`.execute(db)
}

const BUSES = [
  'D_FROM_C_GT2Y',
  'D1_FROM_C_GT2Y',
  'D_FROM_C_LE2Y',
  'D1_FROM_C_LE2Y',
  'D_FROM_B_OR_C1_GT2Y',
  'D1_FROM_B_OR_C1_GT2Y',
  'D_FROM_B_OR_C1_LE2Y',
  'D1_FROM_B_OR_C1_LE2Y',
  'D_FROM_D1',
  'DE',
  'D1E',
]

const EXTENSIONS = [
  'A2_FROM_A1_LT2Y',
  'A_FROM_A1',
  'A_FROM_A2_LT2Y',
  'C1',
  'C1_C1E_JOINT',
  'C',
  'C_FROM_C1',
  'CE',
  'C_CE_JOINT',
  ...BUSES.slice(0, -2),
]

const PRACTICE: readonly (readonly [string, number])[] = [
  ['AT_B_FULL', 15],
  ['PL_B', 26],
  ['PL_A', 17],
]
