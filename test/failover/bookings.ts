import { randomUUID } from 'node:crypto'
import type { Row, School } from '../support/factory.ts'
import { until } from '../support/process.ts'
import { slot } from '../support/races.ts'
import { expectUnavailable } from './scene.ts'

const CLIENTS = 8

/** Clients that book one lesson after another and retry a failed request under the same key. */
export class Bookings {
  /** The ids of the acknowledged lessons, in order of acknowledgement. */
  readonly acknowledged: string[] = []
  /** The number of responses with 503. */
  refused = 0
  readonly #school: School
  readonly #work: Promise<unknown>
  #isOver = false

  private constructor(school: School, instructors: readonly Row[]) {
    this.#school = school
    this.#work = Promise.all(instructors.map(({ id }) => this.#bookAll(id)))
  }

  static async begin(school: School): Promise<Bookings> {
    return new Bookings(school, await Promise.all(Array.from({ length: CLIENTS }, () => school.instructor())))
  }

  /** Waits until `count` more lessons are acknowledged. */
  more(count: number): Promise<void> {
    const enough = this.acknowledged.length + count
    return until(async () => this.acknowledged.length >= enough)
  }

  /** Waits until every client has completed its current booking. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#work
  }

  async #bookAll(instructor_id: string): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1)
      await this.#book({ instructor_id, ...slot('2041-01-07', 50 * number) })
  }

  async #book(lesson: object): Promise<void> {
    const key = { 'idempotency-key': randomUUID() }
    await until(async () => {
      const answer = await this.#school.book({ ...lesson }, key)
      if (answer.status === 201) return this.acknowledged.push(answer.body.id) > 0
      expectUnavailable(answer)
      this.refused += 1
      return false
    })
  }
}
