import type { TObject } from 'typebox'
import { AppointmentChangeSchema } from '../../contract/appointment.ts'
import type { Resource } from '../../contract/change.ts'
import { EnrolmentChangeSchema } from '../../contract/enrolment.ts'
import { InstructorChangeSchema } from '../../contract/instructor.ts'
import { LessonTypeChangeSchema } from '../../contract/lesson-type.ts'
import { StudentChangeSchema } from '../../contract/student.ts'
import { TenantChangeSchema } from '../../contract/tenant.ts'
import type { SetUndo } from '../../contract/undo.ts'
import type { SetChange } from '../../db/log/change-sets.ts'
import { RESOURCE_ROWS } from '../../db/resources.ts'

export type UndoRefusal = SetUndo['refused'][number]

export type Reversal = {
  readonly resource: Resource
  readonly id: string
  readonly version: number
  readonly action: 'delete' | 'restore' | 'change'
  readonly fields: Readonly<Record<string, unknown>>
}

/** The fields that an undo writes. Others are derived: overrides from the rules, the class from the student. */
const WRITABLE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...RESOURCE_ROWS.filter(({ isPermanent }) => !isPermanent).map(
    ({ resource, change }) => [resource, fieldsOf(change)] as const,
  ),
  ['appointment', fieldsOf(AppointmentChangeSchema, 'cancellation', 'no_show_fee_percent', 'confirmed_at')],
  ['student', fieldsOf(StudentChangeSchema, 'opening_balance', 'archived_at')],
  ['enrolment', fieldsOf(EnrolmentChangeSchema, 'license_class', 'law', 'credits')],
  ['instructor', fieldsOf(InstructorChangeSchema)],
  ['tenant', fieldsOf(TenantChangeSchema)],
  ['lesson_type', fieldsOf(LessonTypeChangeSchema)],
  ['offer', new Set(['state', 'appointment_id', 'taken_by'])],
  ['plan', new Set(['state', 'applied'])],
  ['enquiry', new Set(['state', 'student_id'])],
])

function fieldsOf(change: TObject | undefined, ...others: readonly string[]): ReadonlySet<string> {
  return new Set([...Object.keys(change?.properties ?? {}), ...others])
}

/** Returns the reversals that undo changes, given oldest first, and the resources that cannot be undone. */
export function reversalsOf(changes: readonly SetChange[]): {
  readonly reversals: readonly Reversal[]
  readonly refused: readonly UndoRefusal[]
} {
  const reversals: Reversal[] = []
  const refused: UndoRefusal[] = []
  const code = codeForAll(changes)
  for (const ofOne of Map.groupBy(changes, keyOf).values()) {
    const [{ resource, resource_id }] = ofOne as [SetChange]
    const reversal = code ?? reversalOf(ofOne)
    if (typeof reversal === 'string') refused.push({ resource, resource_id, code: reversal })
    else if (reversal) reversals.push(reversal)
  }
  return { reversals, refused }
}

/** Returns the reason why nothing of the set can be undone, if any: erasures and schedule requests are final. */
function codeForAll(changes: readonly SetChange[]): string | undefined {
  if (changes.some(({ action }) => action === 'erased')) return 'erased'
  return changes.some(({ resource }) => resource === 'schedule_request') ? 'not_undoable' : undefined
}

function keyOf({ resource, resource_id }: SetChange): string {
  return `${resource} ${resource_id}`
}

function reversalOf(changes: readonly SetChange[]): Reversal | string | undefined {
  const [first, last] = [changes[0] as SetChange, changes.at(-1) as SetChange]
  const { resource, resource_id: id } = first
  const writable = WRITABLE.get(resource)
  if (!writable) return 'not_undoable'
  if (changes.some(isScrubbed)) return 'erased'
  const wasThere = first.before !== null
  const isThere = last.after !== null
  const version = isThere ? Number(last.after?.version) : Number(last.before?.version) + 1
  const fields = earlierFields(writable, changes)
  if (wasThere && isThere) {
    if (Object.keys(fields).length === 0) return undefined
    return { resource, id, version, action: 'change', fields }
  }
  if (wasThere === isThere) return undefined
  if (resource === 'tenant') return 'not_undoable'
  return { resource, id, version, action: isThere ? 'delete' : 'restore', fields: {} }
}

function isScrubbed({ resource, action, before, after }: SetChange): boolean {
  const whole = after ?? before
  if (whole === null) return true
  return resource === 'appointment' && action !== 'changed' && !('student_id' in whole)
}

function earlierFields(writable: ReadonlySet<string>, changes: readonly SetChange[]): Reversal['fields'] {
  const befores = changes.filter(({ action }) => action === 'changed').toReversed()
  const earlier = Object.assign({}, ...befores.map(({ before }) => before))
  return Object.fromEntries(Object.entries(earlier).filter(([name]) => writable.has(name)))
}
