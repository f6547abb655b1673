import { AppointmentChangeSchema } from '../contract/appointment.ts'
import type { Resource } from '../contract/change.ts'
import { InstructorChangeSchema } from '../contract/instructor.ts'
import { LessonTypeChangeSchema } from '../contract/lesson-type.ts'
import { StudentChangeSchema } from '../contract/student.ts'
import { TenantChangeSchema } from '../contract/tenant.ts'
import type { SetUndo } from '../contract/undo.ts'
import { VehicleChangeSchema } from '../contract/vehicle.ts'
import type { SetChange } from '../db/log/change-sets.ts'

/** A resource that cannot be taken back, and the reason. */
export type Refused = SetUndo['refused'][number]

/** The resources that an undo writes. */
export type Undoable =
  | 'appointment'
  | 'student'
  | 'instructor'
  | 'vehicle'
  | 'tenant'
  | 'lesson_type'
  | 'closure'

/** The write that takes back the changes of one resource, if the resource still has the version. */
export type Reversal = {
  readonly resource: Undoable
  readonly id: string
  readonly version: number
  readonly action: 'delete' | 'restore' | 'change'
  /** The earlier values of the fields that the set changed and a request may write. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** The rest follows from these: an appointment's overrides from the rules, its class from its student. */
const WRITABLE: Readonly<Record<Undoable, ReadonlySet<string>>> = {
  appointment: new Set(Object.keys(AppointmentChangeSchema.properties)),
  student: new Set([...Object.keys(StudentChangeSchema.properties), 'opening_balance']),
  instructor: new Set(Object.keys(InstructorChangeSchema.properties)),
  vehicle: new Set(Object.keys(VehicleChangeSchema.properties)),
  tenant: new Set(Object.keys(TenantChangeSchema.properties)),
  lesson_type: new Set(Object.keys(LessonTypeChangeSchema.properties)),
  closure: new Set(),
}

/** Returns the writes that take back the changes of a set, given oldest first, and the resources that cannot be taken back. */
export function reversalsOf(changes: readonly SetChange[]): {
  readonly reversals: readonly Reversal[]
  readonly refused: readonly Refused[]
} {
  const reversals: Reversal[] = []
  const refused: Refused[] = []
  const code = codeForAll(changes)
  for (const ofOne of Map.groupBy(changes, keyOf).values()) {
    const [{ resource, resource_id }] = ofOne as [SetChange]
    const reversal = code ?? reversalOf(ofOne)
    if (typeof reversal === 'string') refused.push({ resource, resource_id, code: reversal })
    else if (reversal) reversals.push(reversal)
  }
  return { reversals, refused }
}

/** Why no change of the set is undone: nobody accepts a request again, and nobody undoes an erasure. */
function codeForAll(changes: readonly SetChange[]): string | undefined {
  if (changes.some(({ action }) => action === 'erased')) return 'erased'
  return changes.some(({ resource }) => resource === 'schedule_request') ? 'not_undoable' : undefined
}

function keyOf({ resource, resource_id }: SetChange): string {
  return `${resource} ${resource_id}`
}

/** Returns how to take back the changes of one resource, or why not; undefined if nothing is left of them. */
function reversalOf(changes: readonly SetChange[]): Reversal | string | undefined {
  const [first, last] = [changes[0] as SetChange, changes.at(-1) as SetChange]
  const { resource, resource_id: id } = first
  if (!isUndoable(resource)) return 'not_undoable'
  if (changes.some(isScrubbed)) return 'erased'
  const wasThere = first.before !== null
  const isThere = last.after !== null
  const version = isThere ? Number(last.after?.version) : Number(last.before?.version) + 1
  const fields = writableFields(resource, changes)
  if (wasThere && isThere) {
    if (Object.keys(fields).length === 0) return undefined
    return { resource, id, version, action: 'change', fields }
  }
  if (wasThere === isThere) return undefined
  if (resource === 'tenant') return 'not_undoable'
  return { resource, id, version, action: isThere ? 'delete' : 'restore', fields: {} }
}

function isUndoable(resource: Resource): resource is Undoable {
  return resource in WRITABLE
}

/** Whether an erasure has taken from the change what was personal. */
function isScrubbed({ resource, action, before, after }: SetChange): boolean {
  const whole = after ?? before
  if (whole === null) return true
  return resource === 'appointment' && action !== 'changed' && !('student_id' in whole)
}

/** The values before the first change of each field. */
function writableFields(resource: Undoable, changes: readonly SetChange[]): Reversal['fields'] {
  const befores = changes.filter(({ action }) => action === 'changed').toReversed()
  const earlier = Object.assign({}, ...befores.map(({ before }) => before))
  return Object.fromEntries(Object.entries(earlier).filter(([name]) => WRITABLE[resource].has(name)))
}
