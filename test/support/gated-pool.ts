import type pg from 'pg'
import type { DatabasePool } from '../../src/db/connection/pool.ts'

type Query = (...args: unknown[]) => Promise<unknown>

/** A gate for the statements of a pool, which a test can close before one of them. */
export class GatedPool {
  #left = Number.POSITIVE_INFINITY
  #opened: Promise<void> = Promise.resolve()
  #open: () => void = () => undefined
  #arrive: () => void = () => undefined
  /** Fulfilled when a statement waits at the closed gate. */
  reached: Promise<void> = Promise.resolve()

  /** The ids of the database processes behind the gate. */
  readonly processes: number[] = []

  /** Guards every connection that the pool opens from now on. */
  guard(db: DatabasePool): DatabasePool {
    db.pool.on('connect', (client) => this.#guardClient(client))
    return db
  }

  /** Closes the gate before the statement with this number, counted from now, and all later ones. */
  closeBefore(number: number): void {
    this.#left = number - 1
    this.#opened = new Promise((open) => {
      this.#open = open
    })
    this.reached = new Promise((arrive) => {
      this.#arrive = arrive
    })
  }

  /** Opens the gate for all statements. */
  open(): void {
    this.#left = Number.POSITIVE_INFINITY
    this.#open()
  }

  #guardClient(client: pg.PoolClient): void {
    const query = client.query.bind(client) as Query
    this.processes.push((client as pg.PoolClient & { readonly processID: number }).processID)
    let last: Promise<unknown> = Promise.resolve()
    const guarded: Query = (...args) => {
      // Statements that start concurrently are sent in the order of their start.
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
