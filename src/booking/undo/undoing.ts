import type { Actor } from '../../contract/actor.ts'
import type { Resource } from '../../contract/change.ts'
import type { SetUndo } from '../../contract/undo.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import type { StoredStudent } from '../../db/students/students.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import type { FieldsSince } from './changed-since.ts'
import type { Reversal, UndoRefusal } from './reversals.ts'

export type LockedRows = {
  readonly lessons: ReadonlyMap<string, StoredAppointment>
  readonly students: ReadonlyMap<string, StoredStudent>
}

type Work = {
  readonly reversals: readonly Reversal[]
  readonly refused: readonly UndoRefusal[]
  readonly locked: LockedRows
  readonly kept: FieldsSince
  readonly slicer: TimeSlicer
}

export class UndoTransaction {
  readonly db: Transaction
  readonly actor: Actor
  readonly locked: LockedRows
  readonly slicer: TimeSlicer
  readonly undone: string[] = []
  readonly refused: UndoRefusal[]
  readonly #kept: FieldsSince
  #left: readonly Reversal[]

  constructor(db: Transaction, actor: Actor, { reversals, refused, locked, kept, slicer }: Work) {
    this.db = db
    this.actor = actor
    this.locked = locked
    this.slicer = slicer
    this.refused = [...refused]
    this.#kept = kept
    this.#left = reversals
  }

  take(resource: Resource, isWanted: (reversal: Reversal) => boolean = () => true): readonly Reversal[] {
    const isTaken = (one: Reversal) => one.resource === resource && isWanted(one)
    const taken = this.#left.filter(isTaken)
    this.#left = this.#left.filter((one) => !isTaken(one))
    return taken
  }

  /** Returns the reversals of a resource that are still to be taken. */
  left(resource: Resource): readonly Reversal[] {
    return this.#left.filter((one) => one.resource === resource)
  }

  /** Takes fields out of the changes of a resource for which there is a code, and refuses with it those without any other. */
  omitFields(
    resource: Resource,
    names: readonly string[],
    codeFor: (reversal: Reversal) => string | undefined,
  ): void {
    this.#left = this.#left.flatMap((one) => {
      const isChange = one.resource === resource && one.action === 'change'
      const code = isChange && names.some((name) => name in one.fields) ? codeFor(one) : undefined
      if (code === undefined) return [one]
      const fields = Object.fromEntries(Object.entries(one.fields).filter(([name]) => !names.includes(name)))
      if (Object.keys(fields).length > 0) return [{ ...one, fields }]
      this.refuse(one, code)
      return []
    })
  }

  done({ resource, id }: Reversal): void {
    this.undone.push(id)
    const fields = this.#kept.get(id)
    if (fields) this.refused.push({ resource, resource_id: id, code: 'changed_since', fields: [...fields] })
  }

  answer(): SetUndo {
    return { set_id: this.actor.set_id, undone: this.undone, refused: this.refused }
  }

  refuse({ resource, id }: Reversal, code: string, params?: UndoRefusal['params']): void {
    const fields = code === 'changed_since' ? this.#kept.get(id) : undefined
    this.refused.push({
      ...{ resource, resource_id: id, code },
      ...(fields && { fields: [...fields] }),
      ...(params && { params }),
    })
  }
}
