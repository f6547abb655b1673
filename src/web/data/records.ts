import type { RecordSummary } from '../../contract/record-summary.ts'
import type { ConfirmedPart } from '../../domain/confirmation.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { RecordGap, TrainingRecord } from '../../domain/training-record.ts'
import { COMPUTED } from './computed.ts'
import { followedQuery } from './followed-get.ts'
import { ApiProblem } from './send.ts'
import { download } from './student-files.ts'

export type RecordsQuery = {
  readonly state: 'ended' | 'running'
  readonly from: LocalDate
  readonly to: LocalDate
}

export function recordsIn(query: RecordsQuery) {
  const address = addressOf('/records', query)
  return followedQuery<readonly RecordSummary[]>([COMPUTED, 'records', address], address)
}

export function recordOfEnrolment(id: string) {
  return followedQuery<TrainingRecord>([COMPUTED, 'record', id], `/enrolments/${id}/record`)
}

// Each download throws `ApiProblem` or `Unreachable`.

export function printRecords(query: RecordsQuery): Promise<void> {
  return download({ path: addressOf('/records.pdf', query), name: `records-${query.from}-${query.to}.pdf` })
}

export function printRecord(enrolmentId: string): Promise<void> {
  return download({ path: `/enrolments/${enrolmentId}/record.pdf`, name: 'record.pdf' })
}

export function printConfirmation(enrolmentId: string, part: ConfirmedPart): Promise<void> {
  return download({
    path: `/enrolments/${enrolmentId}/confirmation.pdf?part=${part}`,
    name: `confirmation-${part}.pdf`,
  })
}

/** Returns the gaps for which a confirmation was refused; none for other errors. */
export function hindranceIn(error: unknown): readonly RecordGap[] {
  if (!(error instanceof ApiProblem && error.is('not_complete'))) return []
  return (error.body.errors ?? []) as readonly unknown[] as readonly RecordGap[]
}

function addressOf(path: string, { state, from, to }: RecordsQuery): string {
  return `${path}?state=${state}&from=${from}&to=${to}`
}
