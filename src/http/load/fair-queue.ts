/** The number of requests that are executed at once, and of those that wait. */
export type Bounds = {
  /** At once, over all schools. */
  readonly running: number
  /** At once, of one school beside others. Alone it may have all but so many, which are kept for the next school. */
  readonly runningOfOne: number
  /** In the line of one school. */
  readonly waitingOfOne: number
  /** From one network, of the requests that have no school yet. */
  readonly waitingOfNetwork: number
}

/** Returns the bounds for a number of connections; more requests at once would wait for a connection, out of order. */
export function boundsFor(connections: number): Bounds {
  return {
    running: connections,
    // A bootstrap keeps four connections busy: of two at once a quiet school's bookings took four times as long.
    runningOfOne: 1,
    waitingOfOne: 500,
    waitingOfNetwork: 100,
  }
}

/**
 * The line of requests that have no school yet, all together: they get no more turns than one school. Beside them a school is still
 * alone: its own clerks log in all day.
 */
const NOBODY = 'nobody'

/** The line in which a request waits, and its network: strangers of different networks take turns within their line. */
export type Asker = { readonly school: string; readonly network?: string }

/** A request that has no school yet, from a network. */
export function strangerFrom(network: string): Asker {
  return { school: NOBODY, network }
}

/** The time in milliseconds after another school's request for which a school is not alone. */
const COMPANY_MS = 1_000

/** The callback of a waiting request when its turn comes. */
export type Waiting = () => void

/** The waiting requests of a line by network, in the order in which the networks are served; a school has one entry. */
type Line = { readonly school: string; running: number; readonly waiting: Map<string, Set<Waiting>> }

/**
 * A queue of turns that schools take fairly. A free one goes to the school that has the fewest of those in whose line somebody waits;
 * among equals to the one that has waited longest for its next; within a school to the first in its line, and among strangers
 * to the network that has waited longest for its next. So a school that asks for much waits for itself, and no other school
 * waits for more than one turn of each.
 */
export class FairQueue {
  readonly #bounds: Bounds
  readonly #lines = new Map<string, Line>()
  /** The lines that are to be served, by how many turns their school has now; each in order. */
  readonly #next: readonly Set<Line>[]
  readonly #now: () => number
  #running = 0
  #waiting = 0
  #lastSchool: string | undefined
  #companyUntil = 0

  /** `now` is a clock in milliseconds. */
  constructor(bounds: Bounds, now = () => performance.now()) {
    this.#bounds = bounds
    this.#now = now
    this.#next = Array.from({ length: bounds.running }, () => new Set())
  }

  /** The number of turns that are taken. */
  get running(): number {
    return this.#running
  }

  /** The number of waiting requests, in all lines. */
  get waiting(): number {
    return this.#waiting
  }

  /** Takes a turn for the school, if one is free for it. Then it must be given back, once. */
  take({ school }: Asker): boolean {
    this.#noteCompany(school)
    const line = this.#lineOf(school)
    const isFree = this.#running < this.#bounds.running && line.running < this.#share()
    // No request of another school is waiting that could run now.
    if (isFree && line.waiting.size === 0) this.#begin(line)
    else return false
    return true
  }

  /** Whether so many wait for the school, or from the stranger's network, that no more may. */
  isFull({ school, network }: Asker): boolean {
    const waiting = this.#lines.get(school)?.waiting.get(network ?? '')?.size ?? 0
    const { waitingOfOne, waitingOfNetwork } = this.#bounds
    return waiting >= (network === undefined ? waitingOfOne : waitingOfNetwork)
  }

  /** Waits, where none could be taken. Calls back, by way of the event loop, when the turn has been taken. */
  wait({ school, network = '' }: Asker, waiting: Waiting): void {
    const line = this.#lineOf(school)
    const beside = line.waiting.get(network)
    if (beside) beside.add(waiting)
    else line.waiting.set(network, new Set([waiting]))
    this.#waiting += 1
    this.#next[line.running]?.add(line)
  }

  /** Waits no longer. Returns false if the turn has come already: then it must be given back. */
  leave({ school, network = '' }: Asker, waiting: Waiting): boolean {
    const line = this.#lines.get(school)
    const beside = line?.waiting.get(network)
    if (!line || !beside?.delete(waiting)) return false
    this.#waiting -= 1
    if (beside.size === 0) line.waiting.delete(network)
    if (line.waiting.size === 0) this.#next[line.running]?.delete(line)
    this.#forgetIfIdle(line)
    return true
  }

  /**
   * Gives a turn of the school back. The next one has it when the event loop has come round: the embedded database answers
   * without it, so that whatever is at the door would be served before anybody else has come to a line.
   */
  giveBack({ school }: Asker): void {
    setImmediate(() => this.#end(school))
  }

  #end(school: string): void {
    const line = this.#lineOf(school)
    this.#running -= 1
    this.#count(line, -1)
    this.#forgetIfIdle(line)
    while (this.#waiting > 0 && this.#running < this.#bounds.running && this.#serveNext());
  }

  #serveNext(): boolean {
    const line = this.#nextLine()
    const [turn] = line?.waiting ?? []
    if (!line || !turn) return false
    const [network, beside] = turn
    const [waiting] = beside
    if (!waiting) return false
    beside.delete(waiting)
    // The others come first now.
    line.waiting.delete(network)
    if (beside.size > 0) line.waiting.set(network, beside)
    this.#waiting -= 1
    this.#begin(line)
    waiting()
    return true
  }

  #nextLine(): Line | undefined {
    const share = this.#share()
    for (let running = 0; running < share; running += 1) {
      for (const line of this.#next[running] ?? []) return line
    }
    return undefined
  }

  /** Returns the number of turns that a school may have: one more must not keep another school from being served soon. */
  #share(): number {
    const { running, runningOfOne } = this.#bounds
    return this.#now() < this.#companyUntil ? runningOfOne : Math.max(runningOfOne, running - runningOfOne)
  }

  #noteCompany(school: string): void {
    if (school === this.#lastSchool || school === NOBODY) return
    if (this.#lastSchool !== undefined) this.#companyUntil = this.#now() + COMPANY_MS
    this.#lastSchool = school
  }

  #begin(line: Line): void {
    this.#running += 1
    this.#count(line, 1)
  }

  #count(line: Line, change: 1 | -1): void {
    this.#next[line.running]?.delete(line)
    line.running += change
    if (line.waiting.size > 0) this.#next[line.running]?.add(line)
  }

  #lineOf(school: string): Line {
    const known = this.#lines.get(school)
    if (known) return known
    const line = { school, running: 0, waiting: new Map() }
    this.#lines.set(school, line)
    return line
  }

  #forgetIfIdle(line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(line.school)
  }
}
