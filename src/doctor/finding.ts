/** The message of each code; `{name}` is a parameter. The remedies are in `docs/operations.md`. */
const WORDS = {
  migration_missing: 'The migration has not run.',
  migration_unknown: 'The migration is unknown here: a newer Fahrplan made it.',
  constraint_missing: 'The constraint is missing from {table}.',
  constraint_not_enforced: 'The constraint on {table} is there, but not enforced.',
  index_missing: 'The index is missing.',
  index_invalid: 'The index on {table} is not valid: PostgreSQL does not read it.',
  index_differs: 'The index leads to {by_index} rows of {table}, which has {by_table}.',
  index_not_examined: 'PostgreSQL does not read {table} by it, so that it could not be compared.',
  unreadable: 'Reading it fails: {reason}.',
  file_damaged: 'The files of the database are damaged: {reason}.',

  school_missing: 'It belongs to a school that is not there.',
  reference_to_nothing: '{column} {target} leads to nothing.',
  reference_to_other_school: '{column} {target} belongs to another school.',

  calendar_missing: 'It has no calendar.',
  calendar_of_nobody: 'The calendar is that of no {kind}.',
  time_invalid: 'It lasts from {start_at} to {end_at}.',
  actual_time_invalid: 'It is said to have lasted from {actual_start_at} to {actual_end_at}.',
  no_show_fee_invalid: 'It has the fee of a no-show, but is {status}.',
  cancellation_invalid: 'It has a cancellation, but is {status}.',
  cancelled_with_student_invalid: 'It counts as cancelled with its student, but is {status}.',

  class_not_enrolled:
    'The student trains by the template {template_id}; the current enrolment has {current_id}.',
  balance_beside_enrolment: 'Units from elsewhere wait for an enrolment, and there is a current one.',

  way_one_sided: 'Its way to {target} is not that of the other end, or leads to no location of the school.',

  session_without_token: 'The session stands, and nothing can continue it.',
  session_with_two_tokens: 'The session can be continued by {tokens} tokens.',
  session_of_disabled_user: 'The session stands, and its user may not log in.',
  session_of_another_address: 'The session may switch to the user {user_id}, who has another address.',
  token_outlives_session: 'The token is active, and its session has ended.',
  token_without_parent: 'The token descends from {parent_id}, which its session does not have.',

  row_missing: 'The log of changes tells of it, up to version {version}; it is not there.',
  history_missing: 'The log of changes has no entry for it.',
  history_gap: 'Its version is {version}; the log of changes lacks {missing}.',
  history_contradicts: 'The log of changes says at version {version} that {fields} were not as they were.',
  history_differs: 'According to the log of changes {fields} should be other than they are.',
  history_out_of_order: 'The log of changes has its versions in the order {versions}.',

  instructor_busy: 'The instructor has another appointment, {appointment_id}, from {start_at} to {end_at}.',
  student_busy: 'The student has another appointment, {appointment_id}, from {start_at} to {end_at}.',
  vehicle_busy:
    'The vehicle {vehicle_id} has another appointment, {appointment_id}, from {start_at} to {end_at}.',
  booked_against_rules: 'It was booked against the rule {rule}, which has not changed since: {numbers}.',
  override_not_noted: 'It needed the override {override} when it was booked, and does not say so.',
  breaks_rule_now: 'It breaks the rule {rule} as it is now: {numbers}.',
  student_deleted: 'It is still to come, and its student is deleted.',
  student_archived: 'It begins at {start_at}, after its student was put away.',
  readiness_corrected:
    'Since the figures of {template} were corrected to those of the law, {part} is {now} instead of {before}.',
} as const

export type FindingCode = keyof typeof WORDS

export const FINDING_CODES = Object.keys(WORDS) as readonly FindingCode[]

/** The findings that can occur without a fault: rules change, but booked lessons remain. */
const LEGAL: ReadonlySet<FindingCode> = new Set([
  'breaks_rule_now',
  'student_deleted',
  'student_archived',
  'readiness_corrected',
])

export type Finding = {
  readonly tenant_id: string | null
  readonly resource: string
  /** The id of a row, or the name of a table or index. */
  readonly resource_id: string
  readonly code: FindingCode
  readonly params: Readonly<Record<string, unknown>>
  readonly detail: string
}

export type Fact = Pick<Finding, 'resource' | 'resource_id' | 'code'> & {
  readonly params?: Finding['params']
}

/** A listener that receives each finding at once, so that none is kept in memory. `tenantId` is null for the whole database. */
export type Report = (tenantId: string | null, fact: Fact) => void

export function findingFor(
  tenantId: string | null,
  { resource, resource_id, code, params = {} }: Fact,
): Finding {
  const detail = WORDS[code].replace(/\{(\w+)\}/g, (_, name: string) => wordsFor(params[name]))
  return { tenant_id: tenantId, resource, resource_id, code, params, detail }
}

export function isLegal({ code }: Pick<Finding, 'code'>): boolean {
  return LEGAL.has(code)
}

/** Whether a finding is a fault. An index that was not examined is none. */
export function isFault(finding: Pick<Finding, 'code'>): boolean {
  return !isLegal(finding) && finding.code !== 'index_not_examined'
}

function wordsFor(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name} ${typeof one === 'object' ? JSON.stringify(one) : one}`)
    .join(', ')
}
