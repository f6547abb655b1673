import { sql } from 'kysely'
import type { StoredOffer } from '../offers/offers.ts'
import { endAt, startAt, utc } from '../schema/columns.ts'
import type { Transaction } from '../schema/tables.ts'

type LinkWithoutWish = Pick<
  StoredOffer,
  'instructor_id' | 'lesson_type_id' | 'start_at' | 'end_at' | 'created_at'
> & { readonly offer_id: string; readonly student_id: string }

export async function listLinksWithoutWish(
  db: Transaction,
  tenantId: string,
  studentIds: readonly string[],
): Promise<readonly LinkWithoutWish[]> {
  return db
    .selectFrom('offer_links as link')
    .innerJoin('offers', (join) =>
      join.onRef('offers.tenant_id', '=', 'link.tenant_id').onRef('offers.id', '=', 'link.offer_id'),
    )
    .innerJoin('wishes as wish', (join) =>
      join.onRef('wish.tenant_id', '=', 'link.tenant_id').onRef('wish.id', '=', 'link.wish_id'),
    )
    .select(['link.offer_id', 'link.student_id', utc('link.created_at').as('created_at')])
    .select(['offers.instructor_id', 'offers.lesson_type_id', startAt, endAt])
    .where('link.tenant_id', '=', tenantId)
    .where(sql<boolean>`link.student_id = any(${studentIds}::uuid[])`)
    .where('offers.state', '=', 'open')
    .where('wish.deleted_at', 'is not', null)
    .orderBy('link.offer_id')
    .execute()
}

export async function setAnsweredWish(
  db: Transaction,
  tenantId: string,
  link: { readonly offer_id: string; readonly student_id: string; readonly wish_id: string },
): Promise<void> {
  await db
    .updateTable('offer_links')
    .set({ wish_id: link.wish_id })
    .where('tenant_id', '=', tenantId)
    .where('offer_id', '=', link.offer_id)
    .where('student_id', '=', link.student_id)
    .execute()
}
