/** How many requests are served at once, and how many wait. */
export type Bounds = {
  /** At once, over all schools. */
  readonly running: number
  /** At once, of one school. */
  readonly runningOfOne: number
  /** In the line of one school. */
  readonly waitingOfOne: number
}

/** What the connections of a database can serve; more at once would only wait for one of them, out of order. */
export function boundsFor(connections: number): Bounds {
  return { running: connections, runningOfOne: Math.ceil(connections / 4), waitingOfOne: 500 }
}

/** Whoever waits for a turn, as what is called when it comes. */
export type Waiting = () => void

type Line = { readonly school: string; running: number; readonly waiting: Set<Waiting> }

/**
 * Turns that schools take fairly. A free one goes to the school that has the fewest of those in whose line somebody waits;
 * among equals to the one that has waited longest for its next; within a school to the first in its line. So a school that
 * asks for much waits for itself, and no other school waits for more than one turn of each.
 */
export class Turns {
  readonly #bounds: Bounds
  readonly #lines = new Map<string, Line>()
  /** The lines that are to be served, by how many turns their school has now; each in order. */
  readonly #next: readonly Set<Line>[]
  #running = 0
  #waiting = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.#next = Array.from({ length: bounds.runningOfOne }, () => new Set())
  }

  /** Turns that are taken. */
  get running(): number {
    return this.#running
  }

  /** How many wait, in all lines. */
  get waiting(): number {
    return this.#waiting
  }

  /** Takes a turn for the school, if one is free for it. Then it must be given back, once. */
  take(school: string): boolean {
    const line = this.#lines.get(school)
    const isFree = this.#running < this.#bounds.running && (line?.running ?? 0) < this.#bounds.runningOfOne
    // While any turn is free nobody waits who may have it: nobody is overtaken here.
    if (!isFree) return false
    this.#begin(line ?? this.#lineOf(school))
    return true
  }

  /** Whether so many wait for the school that no more may. */
  isFull(school: string): boolean {
    return (this.#lines.get(school)?.waiting.size ?? 0) >= this.#bounds.waitingOfOne
  }

  /** Waits, where none could be taken. Calls back, in a tick of its own, when the turn has been taken. */
  wait(school: string, waiting: Waiting): void {
    const line = this.#lineOf(school)
    line.waiting.add(waiting)
    this.#waiting += 1
    if (line.waiting.size === 1) this.#next[line.running]?.add(line)
  }

  /** Waits no longer. Answers false if the turn has come already: it must be given back. */
  leave(school: string, waiting: Waiting): boolean {
    const line = this.#lines.get(school)
    if (!line?.waiting.delete(waiting)) return false
    this.#waiting -= 1
    if (line.waiting.size === 0) this.#next[line.running]?.delete(line)
    this.#forgetIfIdle(line)
    return true
  }

  /** Gives a turn of the school back, and lets who is next have it. */
  giveBack(school: string): void {
    const line = this.#lineOf(school)
    this.#running -= 1
    this.#count(line, -1)
    this.#forgetIfIdle(line)
    this.#serveNext()
  }

  #serveNext(): void {
    const line = this.#running < this.#bounds.running ? this.#nextLine() : undefined
    const [waiting] = line?.waiting ?? []
    if (!line || !waiting) return
    line.waiting.delete(waiting)
    this.#waiting -= 1
    this.#begin(line)
    // What has its turn may give it back at once: in a tick of its own, that does not pile up calls.
    process.nextTick(waiting)
  }

  #nextLine(): Line | undefined {
    for (const [line] of this.#next) if (line) return line
    return undefined
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
    const line = { school, running: 0, waiting: new Set<Waiting>() }
    this.#lines.set(school, line)
    return line
  }

  #forgetIfIdle(line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(line.school)
  }
}
