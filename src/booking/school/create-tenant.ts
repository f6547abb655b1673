import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { insertLessonTypes } from '../../db/school/lesson-types.ts'
import { insertLicenseClassTemplates } from '../../db/school/license-class-templates.ts'
import { insertTenant } from '../../db/school/tenants.ts'
import { placeOfZone } from '../../db/school/zone-places.ts'
import { NO_ENQUIRIES } from '../../domain/enquiries.ts'
import { NO_MESSAGES } from '../../domain/messages.ts'
import { NO_STUDENT_ACTIONS } from '../../domain/student-actions.ts'
import { NO_STUDENT_BOOKING } from '../../domain/student-booking.ts'
import { commandActor } from '../command-actor.ts'
import { storedTemplates } from '../packs/pack-templates.ts'
import { loadPack, type Pack } from '../packs/packs.ts'
import { recordFormOn } from '../packs/record-law.ts'

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
    email: null,
    office_email: null,
    cancellation_terms: null,
    address: null,
    responsible: null,
    map_url: null,
    hidden_license_classes: [],
    ...placeOfZone(given.timezone),
    ...given,
    unit_minutes,
    region: null,
    holidays: 'warn' as const,
    busy_calendars: 'warn' as const,
    cancellation_policy: [],
    instructors_may: 'nothing' as const,
    second_factor: 'optional' as const,
    messages: NO_MESSAGES,
    availability_round: null,
    student_actions: NO_STUDENT_ACTIONS,
    students_may_move: false,
    student_booking: NO_STUDENT_BOOKING,
    enquiries: NO_ENQUIRIES,
    record: {
      signatures: recordFormOn(given.country, now.toISOString().slice(0, 10)).signatures,
      content: 'note' as const,
    },
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
  await insertLessonTypes(db, lessonTypes)
  await insertLicenseClassTemplates(db, tenantId, storedTemplates(pack, idOf))
}
