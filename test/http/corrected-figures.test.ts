import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { correctFigures } from '../../src/db/migrations/0101-corrected-figures.ts'
import { fillLaw } from '../../src/db/migrations/0106-law-of-templates.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsIn } from '../support/doctor.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()

it.each([
  ['DE', 'Europe/Berlin'],
  ['AT', 'Europe/Vienna'],
  ['PL', 'Europe/Warsaw'],
])('a school in %s (%s) from before gets the figures of its pack, once', async (country, timezone) => {
  const school = await aSchool(service(), { country, timezone })
  const other = await aSchool(service(), { country, timezone })
  const figures = await figuresOf(school)
  await restoreFormer(school)
  await restoreFormer(other)
  const former = await figuresOf(school)
  expect(former).not.toEqual(figures)
  for (let times = 0; times < 2; times += 1) {
    await correctFigures(service().db, school.tenantId)
    await fillLaw(service().db, school.tenantId)
    expect(await figuresOf(school)).toEqual(figures)
  }
  expect(await figuresOf(other)).toEqual(former)
})

it('the doctor names the students whose theory or drives the correction makes incomplete or complete', async () => {
  const school = await aSchool(service())
  const [basic, special] = [school.lessonTypes.THEORY_BASIC, school.lessonTypes.THEORY_SPECIFIC]
  const truck = await student(school, 'C1', [[special, 12]])
  await student(school, 'C1', [
    [basic, 12],
    [special, 12],
  ])
  await student(school, 'B', [[special, 4]])
  const bus = await student(school, 'D_FROM_D1', [
    ...[basic, special].map((type) => [type, 16] as const),
    ...drives(school, { PRACTICE: 20, RURAL: 5, MOTORWAY: 4, NIGHT: 5, VEHICLE_INSTRUCTION: 1 }),
  ])
  await school.client.post('/appointments', {
    instructor_id: (await school.instructor({ license_classes: ['D'] })).id,
    student_id: bus,
    lesson_type_id: school.lessonTypes.MOTORWAY,
    start_at: '2026-05-04 08:00',
    end_at: '2026-05-04 08:45',
    status: 'completed',
  })
  const found = await correctionsFor(school)
  expect(found).toHaveLength(2)
  expect(found).toContainEqual([bus, 'D_FROM_D1', 'practice is complete instead of incomplete'])
  expect(found).toContainEqual([truck, 'C1', 'theory is incomplete instead of complete'])
})

it('the doctor names a student whose lessons are complete by the corrected figures of Austria', async () => {
  const school = await aSchool(service(), { country: 'AT', timezone: 'Europe/Vienna' })
  const units = { RURAL: 1, MOTORWAY: 1, NIGHT: 1 }
  const id = await student(school, 'AT_B_FULL', drives(school, { PRACTICE: 15, ...units }))
  await student(school, 'AT_B_FULL', drives(school, { PRACTICE: 18, ...units }))
  await student(school, 'AT_B_FULL', drives(school, { PRACTICE: 14, ...units }))
  expect(await correctionsFor(school)).toEqual([
    [id, 'AT_B_FULL', 'practice is complete instead of incomplete'],
  ])
})

/** Returns the student, the template and the text of each finding, all of which must be about corrected figures. */
async function correctionsFor({ tenantId }: School) {
  const findings = await findingsIn(service().db, tenantId)
  return findings.map(({ resource_id, code, params: { template, part, now, before } }) => {
    expect(code).toBe('readiness_corrected')
    return [resource_id, template, `${part} is ${now} instead of ${before}`]
  })
}

async function figuresOf({ client }: School) {
  const templates: Row[] = must(200, await client.get('/license-class-templates'))
  return templates.map(({ code, min_age, law, requirements }) => ({
    ...{ code, min_age, law },
    requirements: (requirements as Row[]).map(({ lesson_type_id: _, ...figures }) => figures),
  }))
}

/** Gives a school the figures that the release before had. */
async function restoreFormer({ tenantId }: School): Promise<void> {
  const { db } = service()
  const those = (codes: string, types: readonly string[]) => sql`
    from license_class_templates template, lesson_types type
    where requirement.tenant_id = ${tenantId} and template.tenant_id = ${tenantId} and type.tenant_id = ${tenantId}
      and template.id = requirement.license_class_template_id and type.id = requirement.lesson_type_id
      and template.code ~ ${codes} and type.code = any(${types}::text[])`
  const extended = '^(A2?_FROM_.*|C1?|C1_C1E_JOINT|C_FROM_C1|CE|C_CE_JOINT|D1?_FROM_.*)$'
  await sql`delete from template_requirements requirement using license_class_templates template, lesson_types type
    where requirement.tenant_id = ${tenantId} and template.tenant_id = ${tenantId} and type.tenant_id = ${tenantId}
      and template.id = requirement.license_class_template_id and type.id = requirement.lesson_type_id
      and template.code ~ ${extended} and type.code = 'THEORY_BASIC'`.execute(db)
  await sql`update template_requirements requirement set position = requirement.position - 1
    ${those(extended, ['THEORY_SPECIFIC'])}`.execute(db)
  await sql`update template_requirements requirement set min_one_block_units = 2
    ${those('^D1?(E|_FROM_.*)$', ['RURAL', 'MOTORWAY'])} and required_units > 1`.execute(db)
  for (const [code, units] of [
    ['^AT_B_FULL$', 18],
    ['^PL_B$', 30],
    ['^PL_A$', 20],
  ] as const)
    await sql`update template_requirements requirement set required_units = ${units}
      ${those(code, ['PRACTICE'])}`.execute(db)
  await sql`update license_class_templates set law = null, min_age = case when code = 'PL_B' then 18 else min_age end
    where tenant_id = ${tenantId}`.execute(db)
  await sql`update template_requirements set unit_minutes = null, by_prior = '[]', shared = false, includes = '[]',
    also = null, min_minutes = null, not_by_trainee = false where tenant_id = ${tenantId}`.execute(db)
}

function drives(school: School, units: Readonly<Record<string, number>>) {
  return Object.entries(units).map(([code, count]) => [school.lessonTypes[code], count] as const)
}

/** Adds a student in a class with an opening balance. Returns the id. */
async function student(
  school: School,
  code: string,
  balance: readonly (readonly [string | undefined, number])[],
): Promise<unknown> {
  const templates: Row[] = must(200, await school.client.get('/license-class-templates'))
  const license_class_template_id = templates.find((one) => one.code === code)?.id
  const { id } = await school.student({ license_class_template_id })
  const entries = balance.map(([lesson_type_id, units]) => ({
    lesson_type_id,
    units,
    date: '2026-03-31',
    source: 'Elsewhere',
  }))
  must(200, await school.client.put(`/students/${id}/opening-balance`, entries))
  return id
}
