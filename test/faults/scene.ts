import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, type TestContext } from 'vitest'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import { execute } from '../cli/fresh-database.ts'
import { type MadeSchool, makeSchool } from '../cli/school.ts'
import type { Workshop } from '../cli/workshop.ts'
import { diceOf, SEED } from '../concurrency/dice.ts'
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
  /** Falsified states of this very run that the judge has found wrong. */
  readonly falsified?: number
}

declare module 'vitest' {
  interface TaskMeta {
    injected?: Injected
  }
}

/** A school under load, and everything that its clients know. */
export class Scene {
  readonly known: Expected = nothingExpected()
  readonly made: MadeSchool
  readonly staff: Staff
  readonly #workshop: Workshop
  readonly #services: Program[] = []
  #round = 0

  private constructor(workshop: Workshop, made: MadeSchool, staff: Staff) {
    this.#workshop = workshop
    this.made = made
    this.staff = staff
  }

  /** Makes a school by the command line, with people, where a service runs. */
  static async at(workshop: Workshop, url: string, environment: Environment): Promise<Scene> {
    const made = await makeSchool(workshop, environment)
    return new Scene(workshop, made, await hire(await enter({ url }, made)))
  }

  /** Remembers a process for its log, and logs in there. */
  enter({ service, url }: { service: Program; url: string }): Promise<School> {
    this.#services.push(service)
    return this.enterAt(url)
  }

  /** Logs in at a service whose log nobody can read. */
  enterAt(url: string): Promise<School> {
    return enter({ url }, this.made)
  }

  /** Says, when it is asked, whether so many more requests have been acknowledged since now. */
  hasDone(count: number): () => boolean {
    const begun = this.known.acknowledged
    return () => this.known.acknowledged - begun >= count
  }

  /** Lets clients of the school work until it is over. */
  load(school: School, isOver: () => boolean): Promise<void> {
    const dice = diceOf(SEED + this.#round++)
    return loadUntil(isOver, { school, staff: this.staff, dice }, this.known)
  }

  /** Throws if what is sent again gets no answer either. */
  async #sendAgain(school: School): Promise<void> {
    await sendAgain(school, this.known)
    expect(this.known.unanswered).toEqual([])
  }

  /** Sends again what got no answer, and judges what PostgreSQL holds; a service must run at the school's address. */
  async requireSoundOnPostgres(school: School, environment: Environment): Promise<number> {
    await this.#sendAgain(school)
    const { owner, ...settings } = { owner: environment.MIGRATION_DATABASE_URL ?? '', ...environment }
    const stored = await execute(owner, storedLessons(this.made.tenantId))
    return this.#require(school, stored as Found['stored'], { ...settings, DATABASE_URL: owner })
  }

  /** Judges what a data directory holds; ends the service, for only one process may open it. */
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
    const { code, out, err } = await this.#workshop.run(
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
    // A judge that has never said no proves nothing.
    const wrong = falsified(this.known, found)
    for (const { number, what, found: state } of wrong) {
      expect(faultsIn(this.known, state), what).toContainEqual(sayingThat(number))
    }
    return wrong.length
  }
}

/** Tells the report what a test has injected, and what its scene has seen. */
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
