import type { Generated } from 'kysely'
import type { FeedDetail } from '../../contract/link.ts'

export type LinkTable = {
  tenant_id: string
  id: string
  instructor_id: string | null
  student_id: string | null
  detail: FeedDetail | null
  token_hash: Buffer
  created_at: Generated<Date>
  used_at: Date | null
}
