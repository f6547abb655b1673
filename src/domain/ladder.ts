import { LadderBoard, type LadderChoice, type OpenLesson } from './ladder-board.ts'
import { boundFor } from './ladder-bound.ts'
import { Openings } from './ladder-openings.ts'
import type { LadderProblem, LadderStep } from './ladder-problem.ts'
import type { Steps } from './steps.ts'

/**
 * Returns a step for each number of other lessons from none to `may_move`: a way to move at most so many of them, so that as
 * many affected lessons as possible are saved. The same problem gives the same steps.
 */
export function* ladderOf(problem: LadderProblem, may_move: number): Steps<readonly LadderStep[]> {
  const board = new LadderBoard(problem)
  const openings = yield* Openings.of(problem, board, may_move)
  const search = new LadderSearch(board)
  const steps: LadderStep[] = []
  for (let count = 0; count <= may_move; count += 1) {
    for (const { others, most } of yield* openings.setsOf(count, search.best.saved.length)) {
      if (most <= search.best.saved.length || search.isOver) break
      const open = yield* openings.openWithout(others)
      if (open) yield* board.without(others, () => search.run(open, most))
      yield
    }
    steps.push(search.best)
  }
  return steps
}

/** A search by branch and bound for the step that saves the most lessons. */
class LadderSearch {
  readonly #board: LadderBoard
  readonly #placed: { readonly choice: LadderChoice; readonly isOther: boolean }[] = []
  best: LadderStep = { saved: [], moved: [] }

  constructor(board: LadderBoard) {
    this.#board = board
  }

  get isOver(): boolean {
    return this.#board.progress >= 1
  }

  /** Looks for a better step until it saves so many lessons. */
  *run(open: readonly OpenLesson[], enough: number): Steps<void> {
    yield* this.#descend(open, enough)
  }

  /** Places the open lessons in every way that may be better. Returns whether the search is over. */
  *#descend(open: readonly OpenLesson[], enough: number): Steps<boolean> {
    yield
    const saved = this.#placed.filter(({ isOther }) => !isOther).length
    const best = this.best.saved.length
    const affected = open.filter(({ isOther }) => !isOther)
    if (saved + affected.length <= best) return this.isOver
    const [first, ...more] = open
    if (!first) {
      this.#keep()
      return this.isOver || saved >= enough
    }
    const choices = affected.map((one) => one.choices)
    if (best > 0 && saved + boundFor(choices, this.#board) <= best) return this.isOver
    const next = more.reduce((a, b) => (b.choices.length < a.choices.length ? b : a), first)
    const others = open.filter((one) => one !== next)
    for (const choice of next.choices) {
      this.#board.place(choice)
      this.#placed.push({ choice, isOther: next.isOther })
      const left = this.#leftBeside(choice, others)
      const isOver = left ? yield* this.#descend(left, enough) : this.isOver
      this.#placed.pop()
      this.#board.remove(choice)
      if (isOver) return true
    }
    return next.isOther ? this.isOver : yield* this.#descend(others, enough)
  }

  /** Returns the lessons that can still be placed beside a choice; undefined if one that must be cannot. */
  #leftBeside({ calendars }: LadderChoice, open: readonly OpenLesson[]): readonly OpenLesson[] | undefined {
    const left: OpenLesson[] = []
    for (const one of open) {
      const isLeft = (choice: LadderChoice) =>
        !choice.calendars.some((times) => calendars.includes(times)) || this.#board.isFree(choice)
      const choices = one.choices.filter(isLeft)
      if (choices.length > 0) left.push({ ...one, choices })
      else if (one.isOther) return undefined
    }
    return left
  }

  #keep(): void {
    const placesOf = (isWanted: boolean) =>
      this.#placed
        .filter(({ isOther }) => isOther === isWanted)
        .map(({ choice: { source, start, place } }) => ({ id: source.id, start, place }))
    this.best = { saved: placesOf(false), moved: placesOf(true) }
  }
}
