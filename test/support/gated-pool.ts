import type pg from 'pg'
import type { DatabasePool } from '../../src/db/connection/pool.ts'

type Query = (...args: unknown[]) => Promise<unknown>

/** Lets the statements of a pool pass one by one, until the one before which it is closed. */
export class GatedPool {
  #left = Number.POSITIVE_INFINITY
  #opened: Promise<void> = Promise.resolve()
  #open: () => void = () => undefined
  #arrive: () => void = () => undefined
  /** Fulfilled when a statement stands before the closed gate. */
  reached: Promise<void> = Promise.resolve()

  /** The database's processes behind the gate. */
  readonly processes: number[] = []

  /** Puts the gate before every connection that the pool opens from now on. */
  guard(db: DatabasePool): DatabasePool {
    db.pool.on('connect', (client) => this.#guardClient(client))
    return db
  }

  /** Closes the gate before the statement of that number, counted from here, and before all that follow. */
  closeBefore(number: number): void {
    this.#left = number - 1
    this.#opened = new Promise((open) => {
      this.#open = open
    })
    this.reached = new Promise((arrive) => {
      this.#arrive = arrive
    })
  }

  /** Opens it for all statements. */
  open(): void {
    this.#left = Number.POSITIVE_INFINITY
    this.#open()
  }

  #guardClient(client: pg.PoolClient): void {
    const query = client.query.bind(client) as Query
    this.processes.push((client as pg.PoolClient & { readonly processID: number }).processID)
    let last: Promise<unknown> = Promise.resolve()
    const guarded: Query = (...args) => {
      // Statements that are started together still leave in the order of their start.
      const passed = last.then(() => this.#pass())
      last = passed
      return passed.then(() => query(...args))
    }
    client.query = guarded as typeof client.query
  }

  async #pass(): Promise<void> {
    if (this.#left > 0) {
      this.#left -= 1
      return
    }
    this.#arrive()
    await this.#opened
  }
}
