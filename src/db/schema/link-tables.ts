import type { ColumnType, Generated } from 'kysely'
import type { FeedDetail } from '../../contract/link.ts'
import type { OfSchool, VersionedColumns } from './catalogue-tables.ts'

export type LinkTable = {
  tenant_id: string
  id: string
  instructor_id: string | null
  student_id: string | null
  detail: FeedDetail | null
  token_hash: Buffer
  /** The hash of the secret that messages contain; null before the first one. */
  message_token_hash: Generated<Buffer | null>
  created_at: Generated<Date>
  used_at: Date | null
  wrong_proofs: Generated<number>
}

export type OfferTable = OfSchool &
  VersionedColumns & {
    id: string
    instructor_id: string
    lesson_type_id: string
    start_at: string
    end_at: string
    expires_at: ColumnType<Date, string, string>
    state: 'open' | 'taken' | 'withdrawn'
    appointment_id: string | null
    taken_by: string | null
  }

export type PushSubscriptionTable = OfSchool & {
  student_id: string
  endpoint: string
  p256dh: string
  auth: string
  created_at: Generated<Date>
}

export type OfferLinkTable = OfSchool & {
  offer_id: string
  student_id: string
  wish_id: string | null
  token_hash: Buffer
  created_at: Generated<Date>
}
