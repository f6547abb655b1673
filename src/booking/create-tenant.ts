import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { Tenant } from '../contract/tenant.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { insertLessonTypes } from '../db/lesson-types.ts'
import { insertLicenseClassTemplates } from '../db/license-class-templates.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { insertTenant } from '../db/tenants.ts'
import { placeOfZone } from '../db/zone-places.ts'
import { NO_MESSAGES } from '../domain/messages.ts'
import { NO_STUDENT_ACTIONS } from '../domain/student-actions.ts'
import { commandActor } from './command-actor.ts'
import { loadPack, type Pack } from './packs.ts'

/** FahrlG §12: at most 495 minutes of practical instruction a day. */
const LEGAL_DAILY_MINUTES = 495
const WORKING_DAYS = 5
/** ArbZG §4: at most six hours of work without a break. */
const LEGAL_CONTINUOUS_MINUTES = 360

export type NewTenant = Pick<Tenant, 'name' | 'country' | 'timezone' | 'locale'> &
  Partial<Omit<Tenant, 'version' | 'created_at' | 'updated_at'>>

export type TenantCreation = { readonly command: string; readonly now: Date }

export async function createTenant(
  database: DatabasePool,
  { command, now }: TenantCreation,
  given: NewTenant,
): Promise<Actor> {
  return inTransaction(database, (db) => createTenantIn(db, { command, now }, given))
}

export async function createTenantIn(
  db: Transaction,
  { command, now }: TenantCreation,
  given: NewTenant,
): Promise<Actor> {
  const pack = loadPack(given.country, given.locale)
  const unit_minutes = given.unit_minutes ?? pack.unit_minutes
  const dailyUnits = Math.floor(LEGAL_DAILY_MINUTES / unit_minutes)
  const tenant = {
    id: newId(),
    default_max_daily_units: dailyUnits,
    default_max_weekly_units: WORKING_DAYS * dailyUnits,
    default_required_break_minutes: 0,
    default_max_continuous_minutes: LEGAL_CONTINUOUS_MINUTES,
    default_availability_windows: [],
    phone: null,
    cancellation_terms: null,
    map_url: null,
    hidden_license_classes: [],
    ...placeOfZone(given.timezone),
    ...given,
    unit_minutes,
    region: null,
    holidays: 'warn' as const,
    cancellation_policy: [],
    instructors_may: 'nothing' as const,
    messages: NO_MESSAGES,
    student_actions: NO_STUDENT_ACTIONS,
    students_may_move: false,
    version: 1,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
  const actor = commandActor(command, tenant, now)
  await insertTenant(db, actor)
  await seedCatalogue(db, tenant.id, pack)
  return actor
}

async function seedCatalogue(db: Database, tenantId: string, pack: Pack): Promise<void> {
  const lessonTypes = pack.lesson_types.map((lessonType, position) => ({
    ...lessonType,
    tenant_id: tenantId,
    id: newId(),
    position,
  }))
  const idOf = new Map(lessonTypes.map(({ code, id }) => [code, id]))
  const templates = pack.templates.map((template, position) => ({ ...template, id: newId(), position }))
  await insertLessonTypes(db, lessonTypes)
  await insertLicenseClassTemplates(
    db,
    templates.map(({ requirements: _, ...template }) => ({ ...template, tenant_id: tenantId })),
    templates.flatMap(({ id, requirements }) =>
      requirements.map(({ lesson_type, ...requirement }, position) => ({
        ...requirement,
        tenant_id: tenantId,
        license_class_template_id: id,
        position,
        lesson_type_id: idOf.get(lesson_type) ?? '',
      })),
    ),
  )
}
