import type { Actor } from '../contract/actor.ts'
import type { SetUndo } from '../contract/undo.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import type { Transaction } from '../db/schema/tables.ts'
import type { StoredStudent } from '../db/students.ts'
import type { Pieces } from './pieces.ts'
import type { Refused, Reversal, Undoable } from './reversals.ts'

/** The rows of a set that are locked, by id. */
export type LockedRows = {
  readonly lessons: ReadonlyMap<string, StoredAppointment>
  readonly students: ReadonlyMap<string, StoredStudent>
}

type Work = {
  readonly reversals: readonly Reversal[]
  readonly refused: readonly Refused[]
  readonly locked: LockedRows
  readonly pieces: Pieces
}

/** An undo under way, and its outcome so far. */
export class Undoing {
  readonly db: Transaction
  readonly actor: Actor
  readonly locked: LockedRows
  readonly pieces: Pieces
  readonly undone: string[] = []
  readonly refused: Refused[]
  #left: readonly Reversal[]

  constructor(db: Transaction, actor: Actor, { reversals, refused, locked, pieces }: Work) {
    this.db = db
    this.actor = actor
    this.locked = locked
    this.pieces = pieces
    this.refused = [...refused]
    this.#left = reversals
  }

  /** Returns the reversals of a resource that are still to be made, and leaves them to the caller. */
  take(resource: Undoable, isWanted: (reversal: Reversal) => boolean = () => true): readonly Reversal[] {
    const isTaken = (one: Reversal) => one.resource === resource && isWanted(one)
    const taken = this.#left.filter(isTaken)
    this.#left = this.#left.filter((one) => !isTaken(one))
    return taken
  }

  /** Records that a resource is as it was before. */
  done({ id }: Reversal): void {
    this.undone.push(id)
  }

  /** The outcome. */
  answer(): SetUndo {
    return { set_id: this.actor.set_id, undone: this.undone, refused: this.refused }
  }

  /** Records why a resource stays. */
  refuse({ resource, id }: Reversal, code: string): void {
    this.refused.push({ resource, resource_id: id, code })
  }
}
