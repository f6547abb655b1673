import type { ColumnType } from 'kysely'
import type { ScheduleRequest } from '../../contract/schedule-request.ts'
import type { AvailabilityWindow } from '../../domain/agenda.ts'
import type { Versioned } from './catalogue-tables.ts'

/** An instructor's request to the office: days off, or other working hours. */
export type ScheduleRequestTable = Versioned & {
  tenant_id: string
  id: string
  instructor_id: string
  start_date: string | null
  end_date: string | null
  /** Written as JSON text. */
  availability_windows: ColumnType<AvailabilityWindow[] | null, string | null, string | null>
  /** The hours when other ones were asked for. Written as JSON text. */
  windows_before: ColumnType<AvailabilityWindow[] | null, string | null, never>
  note: string | null
  status: ScheduleRequest['status']
  answer: string | null
}
