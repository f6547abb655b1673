import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'

/** Adds the class of a lesson, and a key that lesson types share if they count toward the same requirement. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table appointments add column license_class text').execute(db)
  await sql.raw('alter table lesson_types add column requirement_key text').execute(db)
  await fillLessonClasses(db)
}

/** The codes of lesson types by the key of their requirement. */
const KEYS = {
  practice_units: ['PRACTICE', 'MANOEUVRES', 'EXAM_PREP', 'TRIAL'],
  rural_units: ['RURAL'],
  motorway_units: ['MOTORWAY'],
  night_units: ['NIGHT'],
  manual_gearbox_units: ['MANUAL_GEARBOX'],
  manual_check_drive: ['MANUAL_CHECK'],
  vehicle_instruction: ['VEHICLE_INSTRUCTION', 'COUPLING'],
  practical_exam: ['PRACTICAL_EXAM'],
  theory_basic_double: ['THEORY_BASIC'],
  theory_specific_double: ['THEORY_SPECIFIC'],
  theory_exam: ['THEORY_EXAM'],
  mofa_practice_double: ['MOFA_PRACTICE'],
  b96_course_minutes: ['B96_TRAINING'],
  b196_units90: ['B196_TRAINING'],
}

type School = { readonly id: string; readonly timezone: string }

/**
 * Sets the new values on existing rows, of one school or all: the key of lesson types, and the class of lessons, which is
 * the student's at the time as far as the log shows it.
 */
export async function fillLessonClasses(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const where = tenantId === undefined ? sql`true` : sql`id = ${tenantId}`
  const schools = await sql<School>`select id, timezone from tenants where ${where}`.execute(db)
  for (const school of schools.rows) {
    for (const [key, codes] of Object.entries(KEYS))
      await sql`update lesson_types set requirement_key = ${key}
        where tenant_id = ${school.id} and code = any(${codes}::text[])`.execute(db)
    await fillClassesOfToday(db, school)
    for (const change of await changesOfClass(db, school)) await fillFormerClass(db, school, change)
  }
}

async function fillClassesOfToday(db: QueryExecutorProvider, { id }: School): Promise<void> {
  await sql`update appointments set license_class = (
      select template.license_class from students
      join license_class_templates template
        on template.tenant_id = ${id} and template.id = students.license_class_template_id
      where students.tenant_id = ${id} and students.id = appointments.student_id)
    where tenant_id = ${id} and student_id is not null and ${isDrive(id)}`.execute(db)
}

type ClassChange = { readonly student_id: string; readonly at: string; readonly before: string | null }

/** Returns every change of a student's class, newest first: each then applies to all lessons that started before it. */
async function changesOfClass(
  db: QueryExecutorProvider,
  { id, timezone }: School,
): Promise<readonly ClassChange[]> {
  const { rows } = await sql<ClassChange>`
    select resource_id as student_id, to_char(changes.at at time zone ${timezone}, 'YYYY-MM-DD HH24:MI:SS') as at,
      before ->> 'license_class_template_id' as before
    from changes
    where tenant_id = ${id} and resource = 'student' and action = 'changed'
      and (before::jsonb) ? 'license_class_template_id'
    order by changes.at desc, changes.id desc`.execute(db)
  return rows
}

async function fillFormerClass(
  db: QueryExecutorProvider,
  { id }: School,
  change: ClassChange,
): Promise<void> {
  await sql`update appointments set license_class = (
      select template.license_class from license_class_templates template
      where template.tenant_id = ${id} and template.id = ${change.before}::uuid)
    where tenant_id = ${id} and student_id = ${change.student_id}::uuid
      and start_at <= ${change.at}::timestamp and ${isDrive(id)}`.execute(db)
}

/** Selects lessons other than theory, which counts for every class. */
function isDrive(tenantId: string) {
  return sql`lesson_type_id <> all(array(
    select lesson_types.id from lesson_types where lesson_types.tenant_id = ${tenantId} and category = 'theory'))`
}
