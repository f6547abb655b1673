import { enquirySettingFaultsFor } from '../../contract/enquiry.ts'
import { invalidRequest, Problem } from '../../contract/problem.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { listOfferedClasses } from '../../db/school/license-class-templates.ts'
import { isSlugTaken, lockSlug } from '../../db/school/tenants.ts'
import type { EnquirySettings } from '../../domain/enquiries.ts'
import { localToday } from '../../domain/time-zone.ts'

export function formOf({ enabled, classes, text, slug, origins }: EnquirySettings): EnquirySettings {
  return { enabled, classes, text, slug, origins }
}

/** Throws `invalid_request` for a form without an address, and `slug_taken` for that of another school. */
export async function requireForm(db: Transaction, { id, enquiries }: Tenant): Promise<void> {
  const faults = enquirySettingFaultsFor(enquiries)
  if (faults.length > 0) throw invalidRequest(faults)
  const { slug } = enquiries
  if (slug === null) return
  await lockSlug(db, slug)
  if (await isSlugTaken(db, id, slug)) throw new Problem('slug_taken', { params: { slug } })
}

/** Returns the licence classes that the form offers. */
export async function classesOfForm(
  db: Database,
  { id, enquiries, hidden_license_classes: hidden, timezone }: Tenant,
  now: Date,
): Promise<readonly string[]> {
  if (enquiries.classes.length > 0) return enquiries.classes
  const offered = await listOfferedClasses(db, id, localToday(now, timezone))
  return offered.filter((one) => !hidden.includes(one))
}
