import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'

/** Gives templates their law and its dates, requirements the rules by which the law counts them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Citus takes a new constraint only in a statement of its own.
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  await fillLaw(db)
}

const STATEMENTS = [
  `alter table license_class_templates
    add column law text, add column valid_from date, add column valid_to date`,
  'alter table license_class_templates drop constraint license_class_templates_tenant_id_code_key',
  `alter table license_class_templates
    add constraint license_class_templates_code_key unique nulls not distinct (tenant_id, code, valid_from)`,
  `alter table template_requirements
    add column unit_minutes integer,
    add column by_prior jsonb not null default '[]',
    add column shared boolean not null default false,
    add column includes jsonb not null default '[]',
    add column also jsonb,
    add column min_minutes integer,
    add column not_by_trainee boolean not null default false`,
  `alter table template_requirements
    add constraint template_requirements_unit_minutes_check check (unit_minutes > 0)`,
  `alter table template_requirements
    add constraint template_requirements_min_minutes_check check (min_minutes > 0)`,
]

/** Fills in the rules that the packs had when schools were created before. */
export async function fillLaw(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const school = tenantId === undefined ? sql`true` : sql`tenant.id = ${tenantId}`
  await sql`update license_class_templates template set law = given.law, updated_at = now()
    from tenants tenant, json_to_recordset(${JSON.stringify(LAWS)}::json) given (country text, law text)
    where ${school} and template.tenant_id = tenant.id and tenant.country = given.country
      and template.law is null`.execute(db)
  await sql`update template_requirements requirement set
      required_units = coalesce(given.required_units, requirement.required_units),
      unit_minutes = given.unit_minutes, by_prior = coalesce(given.by_prior, '[]'), shared = coalesce(given.shared, false),
      includes = coalesce(given.includes, '[]'), also = given.also, min_minutes = given.min_minutes,
      not_by_trainee = coalesce(given.not_by_trainee, false)
    from tenants tenant, license_class_templates template, lesson_types type,
      jsonb_to_recordset(${JSON.stringify(RULES)}::jsonb) given (country text, codes jsonb, type text, required_units integer,
        unit_minutes integer, by_prior jsonb, shared boolean, includes jsonb, also jsonb, min_minutes integer,
        not_by_trainee boolean)
    where ${school} and template.tenant_id = tenant.id and tenant.country = given.country
      and given.codes ? template.code and template.valid_from is null
      and requirement.tenant_id = tenant.id and requirement.license_class_template_id = template.id
      and type.tenant_id = tenant.id and type.id = requirement.lesson_type_id and type.code = given.type`.execute(
    db,
  )
}

const LAWS = [
  { country: 'DE', law: 'FahrschAusbO' },
  { country: 'AT', law: 'KDV' },
  { country: 'CH', law: 'VZV' },
  { country: 'FR', law: 'Code de la route' },
  { country: 'GB', law: 'Road Traffic Act 1988' },
  { country: 'NL', law: 'Wegenverkeerswet 1994' },
  { country: 'PL', law: 'Rozporządzenie w sprawie szkolenia osób ubiegających się o uprawnienia' },
]

type Rule = {
  readonly country: string
  readonly codes: readonly string[]
  readonly type: string
} & Readonly<Record<string, unknown>>

const prior = (...units: readonly (readonly [units: number, ...classes: string[]])[]) =>
  units.map(([required_units, ...classes]) => ({ classes, required_units }))

const C1 = ['C1', 'C1E']
const C = ['C', 'CE']
const D1 = ['D1', 'D1E']
const D = ['D', 'DE']
const BASIC = { country: 'DE', type: 'THEORY_BASIC', shared: true }
const SPECIFIC = { country: 'DE', type: 'THEORY_SPECIFIC' }
const POLISH = { country: 'PL', unit_minutes: 45 }

const RULES: readonly Rule[] = [
  {
    ...BASIC,
    codes: ['AM', 'A1', 'A2', 'A', 'B', 'BF17', 'B197', 'B78', 'T', 'L'],
    by_prior: prior([12, '*']),
  },
  {
    ...BASIC,
    codes: [
      ...['A2_FROM_A1_LT2Y', 'A_FROM_A1', 'A_FROM_A2_LT2Y'],
      ...['C1', 'C1_C1E_JOINT', 'C', 'C_FROM_C1', 'CE', 'C_CE_JOINT'],
      ...['D_FROM_C_GT2Y', 'D1_FROM_C_GT2Y', 'D_FROM_C_LE2Y', 'D1_FROM_C_LE2Y'],
      ...['D_FROM_B_OR_C1_GT2Y', 'D1_FROM_B_OR_C1_GT2Y', 'D_FROM_B_OR_C1_LE2Y', 'D1_FROM_B_OR_C1_LE2Y'],
      'D_FROM_D1',
    ],
  },
  { ...SPECIFIC, codes: ['C1', 'C1_C1E_JOINT'], by_prior: prior([4, ...D1, ...D]) },
  { ...SPECIFIC, codes: ['C'], by_prior: prior([8, ...C1, ...D1], [4, ...D]) },
  { ...SPECIFIC, codes: ['C_FROM_C1'], by_prior: prior([4, ...D]) },
  { ...SPECIFIC, codes: ['C_CE_JOINT'], by_prior: prior([16, ...C1, ...D1], [12, ...D]) },
  { ...SPECIFIC, codes: ['D1_FROM_B_OR_C1_GT2Y', 'D1_FROM_B_OR_C1_LE2Y'], by_prior: prior([8, ...C1, ...C]) },
  {
    ...SPECIFIC,
    codes: ['D_FROM_B_OR_C1_GT2Y', 'D_FROM_B_OR_C1_LE2Y'],
    by_prior: prior([24, ...C1], [16, ...C, ...D1]),
  },
  { country: 'DE', codes: ['B197'], type: 'MANUAL_GEARBOX', also: { gearbox: 'manual' } },
  { country: 'DE', codes: ['B197'], type: 'MANUAL_CHECK', min_minutes: 15, not_by_trainee: true },
  {
    country: 'AT',
    codes: ['AT_B_FULL', 'AT_B_DUAL', 'AT_B_L17', 'AT_A'],
    type: 'THEORY_BASIC',
    shared: true,
  },
  {
    country: 'AT',
    codes: ['AT_B_FULL'],
    type: 'PRACTICE',
    required_units: 18,
    includes: ['RURAL', 'MOTORWAY', 'NIGHT'],
  },
  { country: 'PL', codes: ['PL_B'], type: 'PRACTICE', required_units: 30, includes: ['RURAL'] },
  { country: 'PL', codes: ['PL_A'], type: 'PRACTICE', required_units: 20, includes: ['RURAL'] },
  { ...POLISH, codes: ['PL_B', 'PL_A'], type: 'THEORY_BASIC', by_prior: prior([20, 'A1', 'B1']) },
  { ...POLISH, codes: ['PL_C'], type: 'THEORY_BASIC' },
]
