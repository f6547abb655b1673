import { infiniteQueryOptions } from '@tanstack/react-query'
import type { RecordSummary } from '../../contract/record-summary.ts'
import type { ConfirmedPart } from '../../domain/confirmation.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { RecordGap, TrainingRecord } from '../../domain/training-record.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { cursorIn } from './cursor.ts'
import { followedGet, followedQuery } from './followed-get.ts'
import { ApiProblem } from './send.ts'
import { download } from './student-files.ts'

export type RecordsQuery = {
  readonly state: 'ended' | 'running'
  readonly from: LocalDate
  readonly to: LocalDate
}

/** Some seconds of the service's work. */
const PAGE_SIZE = 50

/** Queries the records of a period, in pages. */
export function recordPages(query: RecordsQuery) {
  const address = `${addressOf('/records', query)}&limit=${PAGE_SIZE}`
  return infiniteQueryOptions({
    queryKey: [COMPUTED, 'records', address],
    queryFn: ({ pageParam, ...context }) => {
      const path = pageParam === '' ? address : `${address}&cursor=${encodeURIComponent(pageParam)}`
      return followedGet(path, context, (records, headers) => ({
        records: records as readonly RecordSummary[],
        next: cursorIn(headers),
      }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    ...FOLLOWED,
  })
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
