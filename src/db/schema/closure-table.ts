import type { Versioned } from './catalogue-tables.ts'

export type ClosureTable = Versioned & {
  tenant_id: string
  id: string
  start_date: string
  end_date: string
  note: string | null
  deleted_at: Date | null
}
