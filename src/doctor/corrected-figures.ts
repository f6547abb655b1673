import type { Database } from '../db/schema/tables.ts'
import { readTrainings } from '../db/students/progress.ts'
import type { Training } from '../domain/progress.ts'
import { readinessOf } from '../domain/readiness.ts'
import type { Report } from './finding.ts'

/** The students read at a time. */
const AT_A_TIME = 500

type School = { readonly id: string; readonly unit_minutes: number }
type Requirement = Training['requirements'][number]

/** Returns a requirement as it was before, or undefined if there was none. */
type Former = (requirement: Requirement, lessonType: string) => Requirement | undefined

const withoutBasicTheory: Former = (requirement, lessonType) =>
  lessonType === 'THEORY_BASIC' ? undefined : requirement
const withBlock: Former = (requirement, lessonType) =>
  ['RURAL', 'MOTORWAY'].includes(lessonType) && requirement.required_units > 1
    ? { ...requirement, min_one_block_units: 2 }
    : requirement
const withPractice =
  (required_units: number): Former =>
  (requirement, lessonType) =>
    lessonType === 'PRACTICE' ? { ...requirement, required_units, includes: [] } : requirement
const inHours: Former = (requirement) => ({ ...requirement, unit_minutes: null })
const byTypeAlone: Former = (requirement) => ({ ...requirement, also: null, min_minutes: null })
const ofPoland =
  (required_units: number): Former =>
  (requirement, lessonType) =>
    withPractice(required_units)({ ...requirement, unit_minutes: null }, lessonType)
const ofBuses: Former = (requirement, lessonType) =>
  withoutBasicTheory(requirement, lessonType) && withBlock(requirement, lessonType)

/** The former requirements of each template whose figures the migrations 0101 and 0106 have corrected, by code. */
const FORMER: ReadonlyMap<string, Former> = new Map([
  ...[
    ...['A2_FROM_A1_LT2Y', 'A_FROM_A1', 'A_FROM_A2_LT2Y'],
    ...['C1', 'C1_C1E_JOINT', 'C', 'C_FROM_C1', 'CE', 'C_CE_JOINT'],
  ].map((code) => [code, withoutBasicTheory] as const),
  ...['D_FROM_D1', ...['D', 'D1'].flatMap((license) => busesOf(license))].map(
    (code) => [code, ofBuses] as const,
  ),
  ['DE', withBlock],
  ['D1E', withBlock],
  ['AT_B_FULL', withPractice(18)],
  ['PL_B', ofPoland(30)],
  ['PL_A', ofPoland(20)],
  ['PL_C', inHours],
  ['B197', byTypeAlone],
])

function busesOf(license: string): readonly string[] {
  return ['C', 'B_OR_C1'].flatMap((prior) =>
    ['GT2Y', 'LE2Y'].map((held) => `${license}_FROM_${prior}_${held}`),
  )
}

/** Reports students whose theory or drives are complete by the corrected figures but were not before, or the other way round. */
export async function checkCorrectedFigures(
  db: Database,
  { id: tenantId, unit_minutes }: School,
  report: Report,
): Promise<void> {
  const students = await db
    .selectFrom('students')
    .innerJoin('license_class_templates as template', (join) =>
      join
        .on('template.tenant_id', '=', tenantId)
        .onRef('template.id', '=', 'students.license_class_template_id'),
    )
    .select(['students.id', 'template.code'])
    .where('students.tenant_id', '=', tenantId)
    .where('students.deleted_at', 'is', null)
    .where('template.code', 'in', [...FORMER.keys()])
    .orderBy('students.id')
    .execute()
  const types = await db
    .selectFrom('lesson_types')
    .select(['id', 'code'])
    .where('tenant_id', '=', tenantId)
    .execute()
  const codes = new Map(types.map(({ id, code }) => [id, code]))
  for (let at = 0; at < students.length; at += AT_A_TIME) {
    const page = students.slice(at, at + AT_A_TIME)
    const trainings = await readTrainings(
      db,
      tenantId,
      page.map(({ id }) => id),
    )
    for (const { id: resource_id, code: template } of page) {
      const [training, former] = [trainings.get(resource_id), FORMER.get(template)]
      if (!training || !former) continue
      const requirements = training.requirements.flatMap(
        (one) => former(one, codes.get(one.lesson_type_id) ?? '') ?? [],
      )
      const now = completenessOf(training, unit_minutes)
      const before = completenessOf({ ...training, requirements }, unit_minutes)
      for (const part of ['theory', 'practice'] as const) {
        if (now[part] === before[part]) continue
        const params = { template, part, now: wordFor(now[part]), before: wordFor(before[part]) }
        report(tenantId, { resource: 'student', resource_id, code: 'readiness_corrected', params })
      }
    }
  }
}

/** Whether the drives and the theory that a training requires are complete. */
function completenessOf(training: Training, unit_minutes: number) {
  const rules = {
    unit_minutes,
    retry_days: null,
    without_theory_test: [],
    theory_test_months: null,
    today: '',
  }
  const { requirements, theory } = readinessOf({ training, exams: [], template_code: null }, rules)
  return { practice: requirements, theory }
}

function wordFor(isDone: boolean): string {
  return isDone ? 'complete' : 'incomplete'
}
