import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, type TestContext } from 'vitest'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import { execute } from '../cli/fresh-database.ts'
import type { Sandbox } from '../cli/sandbox.ts'
import { type MadeSchool, makeSchool } from '../cli/school.ts'
import { randomIntegers, SEED } from '../concurrency/random-integers.ts'
import { enter, PASSWORD, type School } from '../support/factory.ts'
import { type Environment, JWT_SECRET, type Program } from '../support/process.ts'
import { falsified, sayingThat } from './falsified.ts'
import { type Found, faultsIn } from './judge.ts'
import { type Expected, hire, loadUntil, nothingExpected, type Staff, sendAgain } from './workload.ts'

/** The number of injections of a fault, if it can be chosen: `FAULT_ROUNDS`. */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3)

/** A test's entry in the report. */
export type Injected = {
  /** The number and kind of faults: `kills`. */
  readonly injected: number
  readonly what: string
  readonly rounds: number
  readonly acknowledged?: number
  readonly refused?: number
  readonly unavailable?: number
  /** The number of falsified states of this run that the judge has detected. */
  readonly falsified?: number
}

declare module 'vitest' {
  interface TaskMeta {
    injected?: Injected
  }
}

/** A school under load, and the state that its clients expect. */
export class Scene {
  readonly known: Expected = nothingExpected()
  readonly made: MadeSchool
  readonly staff: Staff
  readonly #sandbox: Sandbox
  readonly #services: Program[] = []
  #round = 0

  private constructor(sandbox: Sandbox, made: MadeSchool, staff: Staff) {
    this.#sandbox = sandbox
    this.made = made
    this.staff = staff
  }

  /** Makes a school with staff and students for the running service at `url`. */
  static async at(sandbox: Sandbox, url: string, environment: Environment): Promise<Scene> {
    const made = await makeSchool(sandbox, environment)
    return new Scene(sandbox, made, await hire(await enter({ url }, made)))
  }

  /** Logs in at a service and includes its log when the scene is judged. */
  enter({ service, url }: { service: Program; url: string }): Promise<School> {
    this.#services.push(service)
    return this.enterAt(url)
  }

  /** Logs in at a service whose log cannot be read. */
  enterAt(url: string): Promise<School> {
    return enter({ url }, this.made)
  }

  /** Returns a function that returns whether `count` more requests have been acknowledged since this call. */
  hasDone(count: number): () => boolean {
    const begun = this.known.acknowledged
    return () => this.known.acknowledged - begun >= count
  }

  /** Runs clients of the school until `isOver`. */
  load(school: School, isOver: () => boolean): Promise<void> {
    const random = randomIntegers(SEED + this.#round++)
    return loadUntil(isOver, { school, staff: this.staff, random }, this.known)
  }

  /** Retries the requests without a response. Throws if one gets none again. */
  async #sendAgain(school: School): Promise<void> {
    await sendAgain(school, this.known)
    expect(this.known.unanswered).toEqual([])
  }

  /** Retries the requests without a response and judges the data in PostgreSQL. Needs a service at the school's address. */
  async requireSoundOnPostgres(school: School, environment: Environment): Promise<number> {
    await this.#sendAgain(school)
    const { owner, ...settings } = { owner: environment.MIGRATION_DATABASE_URL ?? '', ...environment }
    const stored = await execute(owner, storedLessons(this.made.tenantId))
    return this.#require(school, stored as Found['stored'], { ...settings, DATABASE_URL: owner })
  }

  /** Does the same for a data directory. Stops the service, because only one process may open the directory. */
  async requireSoundIn(DATA_DIR: string, school: School, service: Program): Promise<number> {
    await this.#sendAgain(school)
    const listed = (await school.client.get('/appointments')).body
    expect((await service.stop()).code).toBe(0)
    const db = await connectEmbedded(join(DATA_DIR, 'database'), () => undefined)
    const { rows } = await sql.raw<Found['stored'][number]>(storedLessons(this.made.tenantId)).execute(db)
    await db.destroy()
    return this.#require(listed, rows, { DATA_DIR })
  }

  async #require(
    from: School | Found['listed'],
    stored: Found['stored'],
    environment: Environment,
  ): Promise<number> {
    const listed = 'client' in from ? (await from.client.get('/appointments')).body : from
    const { code, out, err } = await this.#sandbox.run(
      ['doctor', '--tenant', this.made.tenantId],
      environment,
    )
    const found = {
      listed,
      stored,
      doctor: code === 0 ? '' : out + err,
      log: this.#services.map(({ out }) => wholeLinesOf(out)).join(''),
      secrets: [JWT_SECRET, PASSWORD],
    }
    expect(faultsIn(this.known, found)).toEqual([])
    // A judge that has never found a fault proves nothing.
    const wrong = falsified(this.known, found)
    for (const { number, what, found: state } of wrong) {
      expect(faultsIn(this.known, state), what).toContainEqual(sayingThat(number))
    }
    return wrong.length
  }
}

/** Records for the report the faults that a test has injected and the responses that its clients got. */
export function tell({ task }: TestContext, injected: Omit<Injected, 'rounds'>, known?: Expected): void {
  const { acknowledged, refused, unavailable } = known ?? {}
  task.meta.injected = { ...injected, rounds: ROUNDS, ...(known && { acknowledged, refused, unavailable }) }
}

function storedLessons(tenantId: string): string {
  return `select id::text, instructor_id::text, student_id::text,
      to_char(start_at, 'YYYY-MM-DD HH24:MI') as start_at, to_char(end_at, 'YYYY-MM-DD HH24:MI') as end_at
    from appointments where tenant_id = '${tenantId}' and deleted_at is null`
}

/** Returns the log of a process without a line cut off by a kill. */
function wholeLinesOf(log: string): string {
  return log.slice(0, log.lastIndexOf('\n') + 1)
}
