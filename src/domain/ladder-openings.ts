import type { LadderBoard, LadderChoice, OpenLesson } from './ladder-board.ts'
import {
  cappedIn,
  daysOf,
  filled,
  type Room,
  type Rooms,
  roomsByTime,
  roomsIn,
  roomsWithout,
} from './ladder-bound.ts'
import type { LadderLesson, LadderProblem } from './ladder-problem.ts'
import type { Steps } from './steps.ts'

/** Other lessons to move, and the most affected lessons that could then be saved. */
export type OthersToMove = { readonly others: readonly LadderLesson[]; readonly most: number }

/** The choices of lessons that are free once a set of other lessons has left. */
type Opening = {
  readonly without: readonly LadderLesson[]
  readonly choices: Map<LadderLesson, LadderChoice[]>
}
type OpeningsByKey = Map<string, Opening>

/** The most sets of other lessons to look at for a step. */
const MAX_SETS = 50_000

/** The share of the work after which no further openings are looked for. */
const SHARE_OF_OPENINGS = 0.5

/** The choices that become free when other lessons leave their places. */
export class Openings {
  readonly #problem: LadderProblem
  readonly #board: LadderBoard
  readonly #most: number
  readonly #numbers: ReadonlyMap<LadderLesson, number>
  readonly #order = new Map<LadderChoice, number>()
  readonly #ofAffected: OpeningsByKey = new Map()
  readonly #ofOthers = new Map<LadderLesson, OpeningsByKey>()
  /** The affected lessons that each set can save beyond those that can be saved without it, at most. */
  readonly #gains = new Map<string, number>()
  #base = 0

  private constructor(problem: LadderProblem, board: LadderBoard, most: number) {
    this.#problem = problem
    this.#board = board
    this.#most = most
    this.#numbers = new Map(problem.others.map((one, index) => [one, index]))
  }

  static *of(problem: LadderProblem, board: LadderBoard, most: number): Steps<Openings> {
    const openings = new Openings(problem, board, most)
    for (const lesson of problem.affected) {
      yield* openings.#explore(lesson, board.progress < SHARE_OF_OPENINGS ? most : 0, openings.#ofAffected)
    }
    yield* openings.#weigh()
    return openings
  }

  /** Returns the sets of so many other lessons that may save more affected lessons than the best step, most promising first. */
  *setsOf(count: number, best: number): Steps<readonly OthersToMove[]> {
    const gainOf = (one: LadderLesson) => this.#gains.get(this.#keyOf([one])) ?? 0
    const ranked = this.#problem.others.toSorted((a, b) => gainOf(b) - gainOf(a))
    const found = new Map<string, OthersToMove>()
    const add = (others: readonly LadderLesson[]) => {
      const most = Math.min(this.#problem.affected.length, this.#base + this.#gainOf(others))
      if (most > best) found.set(this.#keyOf(others), { others, most })
    }
    for (const { without } of this.#ofAffected.values()) {
      if (without.length < 2) continue
      const further = ranked.filter((one) => !without.includes(one))
      for (const set of setsWith(without, further, { count })) {
        add(set)
        if (found.size >= MAX_SETS) break
      }
      yield
    }
    const isHopeless = (set: readonly LadderLesson[], next: LadderLesson) => {
      const gain = set.reduce((sum, one) => sum + gainOf(one), 0) + gainOf(next) * (count - set.length)
      return this.#base + gain <= best
    }
    for (const set of setsWith([], ranked, { count, isHopeless })) {
      add(set)
      if (found.size >= MAX_SETS) break
      yield
    }
    return [...found.values()].sort((a, b) => b.most - a.most)
  }

  /** Returns the lessons to place once some others have left; undefined if one of these can go nowhere. */
  *openWithout(others: readonly LadderLesson[]): Steps<readonly OpenLesson[] | undefined> {
    const open: OpenLesson[] = []
    for (const lesson of others) {
      const choices = this.#choicesOf(lesson, yield* this.#waysOf(lesson), others)
      if (choices.length === 0) return undefined
      open.push({ lesson, choices, isOther: true })
    }
    for (const lesson of this.#problem.affected) {
      const choices = this.#choicesOf(lesson, this.#ofAffected, others)
      if (choices.length > 0) open.push({ lesson, choices, isOther: false })
    }
    return open
  }

  *#explore(lesson: LadderLesson, most: number, ways: OpeningsByKey): Steps<void> {
    for (const choice of this.#board.choicesOf(lesson)) {
      this.#order.set(choice, this.#order.size)
      for (const without of this.#board.waysTo(choice, most)) {
        const key = this.#keyOf(without)
        const opening = ways.get(key) ?? { without, choices: new Map() }
        opening.choices.set(lesson, [...(opening.choices.get(lesson) ?? []), choice])
        ways.set(key, opening)
      }
      yield
    }
  }

  *#weigh(): Steps<void> {
    const { affected, others } = this.#problem
    const choicesIn = (opening: Opening | undefined) => affected.map((one) => opening?.choices.get(one) ?? [])
    const days = daysOf(choicesIn(this.#ofAffected.get('')))
    const taken: Rooms = []
    this.#base = filled(roomsIn(days, this.#board), taken)
    const capped = cappedIn(days, this.#board)
    const rooms = new Map<string, readonly Room[]>()
    for (const one of others) {
      rooms.set(this.#keyOf([one]), roomsWithout(one, capped))
      yield
    }
    for (const [key, opening] of this.#ofAffected) {
      if (key === '') continue
      const opened = daysOf(choicesIn(opening)).flatMap(roomsByTime)
      rooms.set(key, [...(rooms.get(key) ?? []), ...opened])
    }
    for (const [key, more] of rooms) {
      this.#gains.set(key, filled(more, [...taken]))
      yield
    }
  }

  *#waysOf(other: LadderLesson): Steps<OpeningsByKey> {
    const known = this.#ofOthers.get(other)
    if (known) return known
    const ways: OpeningsByKey = new Map()
    yield* this.#board.without([other], () => this.#explore(other, this.#most - 1, ways))
    this.#ofOthers.set(other, ways)
    return ways
  }

  #choicesOf(
    lesson: LadderLesson,
    ways: OpeningsByKey,
    others: readonly LadderLesson[],
  ): readonly LadderChoice[] {
    const free = new Set(
      subsetsOf(others).flatMap((set) => ways.get(this.#keyOf(set))?.choices.get(lesson) ?? []),
    )
    const orderOf = (choice: LadderChoice) => this.#order.get(choice) ?? 0
    return [...free].sort((a, b) => orderOf(a) - orderOf(b))
  }

  /** Returns the affected lessons that a set of others can save beyond those that can be saved without it, at most. */
  #gainOf(others: readonly LadderLesson[]): number {
    return subsetsOf(others).reduce((sum, set) => sum + (this.#gains.get(this.#keyOf(set)) ?? 0), 0)
  }

  #keyOf(others: readonly LadderLesson[]): string {
    const numbers = others.map((one) => this.#numbers.get(one) ?? -1)
    return numbers.sort((a, b) => a - b).join()
  }
}

function subsetsOf<T>([first, ...more]: readonly T[]): readonly (readonly T[])[] {
  if (first === undefined) return [[]]
  const without = subsetsOf(more)
  return [...without, ...without.map((set) => [first, ...set])]
}

type Growing = {
  readonly count: number
  /** Whether no set that goes on with a lesson, or one after it, is wanted. */
  readonly isHopeless?: (set: readonly LadderLesson[], next: LadderLesson) => boolean
}

/** Returns the sets of so many lessons that contain a set. */
function* setsWith(
  set: readonly LadderLesson[],
  further: readonly LadderLesson[],
  growing: Growing,
): Generator<readonly LadderLesson[], void> {
  if (set.length >= growing.count) {
    if (set.length === growing.count) yield set
    return
  }
  for (const [index, one] of further.entries()) {
    if (growing.isHopeless?.(set, one)) return
    yield* setsWith([...set, one], further.slice(index + 1), growing)
  }
}
