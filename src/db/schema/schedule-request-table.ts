import type { ColumnType } from 'kysely'
import type { ScheduleRequest } from '../../contract/schedule-request.ts'
import type { AvailabilityWindow } from '../../domain/agenda.ts'
import type { Versioned } from './catalogue-tables.ts'

export type ScheduleRequestTable = Versioned & {
  tenant_id: string
  id: string
  instructor_id: string
  start_date: string | null
  end_date: string | null
  /** Written as JSON text. */
  availability_windows: ColumnType<AvailabilityWindow[] | null, string | null, string | null>
  /** The instructor's hours at the time of the request. */
  windows_before: ColumnType<AvailabilityWindow[] | null, string | null, never>
  note: string | null
  status: ScheduleRequest['status']
  answer: string | null
}
