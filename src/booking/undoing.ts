import type { Actor } from '../contract/actor.ts'
import type { SetUndo } from '../contract/undo.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import type { Transaction } from '../db/schema/tables.ts'
import type { StoredStudent } from '../db/students.ts'
import type { Pieces } from './pieces.ts'
import type { Reversal, Undoable, UndoRefusal } from './reversals.ts'

export type LockedRows = {
  readonly lessons: ReadonlyMap<string, StoredAppointment>
  readonly students: ReadonlyMap<string, StoredStudent>
}

type Work = {
  readonly reversals: readonly Reversal[]
  readonly refused: readonly UndoRefusal[]
  readonly locked: LockedRows
  readonly pieces: Pieces
}

export class UndoTransaction {
  readonly db: Transaction
  readonly actor: Actor
  readonly locked: LockedRows
  readonly pieces: Pieces
  readonly undone: string[] = []
  readonly refused: UndoRefusal[]
  #left: readonly Reversal[]

  constructor(db: Transaction, actor: Actor, { reversals, refused, locked, pieces }: Work) {
    this.db = db
    this.actor = actor
    this.locked = locked
    this.pieces = pieces
    this.refused = [...refused]
    this.#left = reversals
  }

  take(resource: Undoable, isWanted: (reversal: Reversal) => boolean = () => true): readonly Reversal[] {
    const isTaken = (one: Reversal) => one.resource === resource && isWanted(one)
    const taken = this.#left.filter(isTaken)
    this.#left = this.#left.filter((one) => !isTaken(one))
    return taken
  }

  done({ id }: Reversal): void {
    this.undone.push(id)
  }

  answer(): SetUndo {
    return { set_id: this.actor.set_id, undone: this.undone, refused: this.refused }
  }

  refuse({ resource, id }: Reversal, code: string): void {
    this.refused.push({ resource, resource_id: id, code })
  }
}
