export type Bounds = {
  readonly running: number
  /** The turns of one school while others have requests. A lone school may have all but these, kept for the next one. */
  readonly runningOfOne: number
  /** The longest line of one school. */
  readonly waitingOfOne: number
  /** The waiting requests of one network that belong to no school. */
  readonly waitingOfNetwork: number
}

/** Returns bounds with one turn per connection, so that requests wait here in turn, not in the pool by arrival. */
export function boundsFor(connections: number): Bounds {
  return {
    running: connections,
    // A bootstrap uses four connections: with two turns per school, a quiet school's bookings took four times as long.
    runningOfOne: 1,
    waitingOfOne: 500,
    waitingOfNetwork: 100,
  }
}

/** The line of all requests without a school. It has the turns of one school, next to which a school still counts as alone. */
const NOBODY = 'nobody'

/** The line of a request, and its network if it has no school: such networks take turns within their line. */
export type RequestOrigin = { readonly school: string; readonly network?: string }

export function strangerFrom(network: string): RequestOrigin {
  return { school: NOBODY, network }
}

/** Milliseconds after another school's request in which a school does not count as alone. */
const COMPANY_MS = 1_000

export type Waiting = () => void

/** The waiting requests of a line by network, in the order of service; a school has one entry. */
type Line = { readonly school: string; running: number; readonly waiting: Map<string, Set<Waiting>> }

/**
 * A queue of turns. A free turn goes to the waiting school with the fewest turns, then to the one that has waited longest;
 * without a school, to the network that has waited longest. A school with many requests waits only for itself.
 */
export class FairQueue {
  readonly #bounds: Bounds
  readonly #lines = new Map<string, Line>()
  /** The lines with waiting requests, by the number of turns they have; each set in order. */
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

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Takes a turn and returns true if one is free. The caller must give it back exactly once. */
  take({ school }: RequestOrigin): boolean {
    this.#recordCompany(school)
    const line = this.#lineOf(school)
    const isFree = this.#running < this.#bounds.running && line.running < this.#share()
    if (isFree && line.waiting.size === 0) this.#begin(line)
    else return false
    return true
  }

  /** Whether the line of the school, or the network's part of it, is full. */
  isFull({ school, network }: RequestOrigin): boolean {
    const waiting = this.#lines.get(school)?.waiting.get(network ?? '')?.size ?? 0
    const { waitingOfOne, waitingOfNetwork } = this.#bounds
    return waiting >= (network === undefined ? waitingOfOne : waitingOfNetwork)
  }

  /** Waits for a turn. Calls back from the event loop when the turn has been taken. */
  wait({ school, network = '' }: RequestOrigin, waiting: Waiting): void {
    const line = this.#lineOf(school)
    const beside = line.waiting.get(network)
    if (beside) beside.add(waiting)
    else line.waiting.set(network, new Set([waiting]))
    this.#waiting += 1
    this.#next[line.running]?.add(line)
  }

  /** Stops waiting. Returns false if the request already has its turn, which must then be given back. */
  leave({ school, network = '' }: RequestOrigin, waiting: Waiting): boolean {
    const line = this.#lines.get(school)
    const beside = line?.waiting.get(network)
    if (!line || !beside?.delete(waiting)) return false
    this.#waiting -= 1
    if (beside.size === 0) line.waiting.delete(network)
    if (line.waiting.size === 0) this.#next[line.running]?.delete(line)
    this.#forgetIfIdle(line)
    return true
  }

  /** Gives a turn back in the next cycle of the event loop, which the embedded database would otherwise block. */
  giveBack({ school }: RequestOrigin): void {
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
    // Moves the network to the end of the line.
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

  /** Returns the turns that a school may have now, without delaying other schools. */
  #share(): number {
    const { running, runningOfOne } = this.#bounds
    return this.#now() < this.#companyUntil ? runningOfOne : Math.max(runningOfOne, running - runningOfOne)
  }

  #recordCompany(school: string): void {
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
