import { countStarts, PlanBoard } from './plan-board.ts'
import type { AskedLesson, Choice, PlanCalendar, PlanProblem } from './plan-problem.ts'
import { type LeftOut, reasonsFor } from './plan-reasons.ts'
import { type Random, randomFrom } from './random.ts'
import type { Steps } from './steps.ts'

export type FoundPlan = {
  readonly score: number
  readonly proposed: readonly { readonly choice: Choice; readonly score: number }[]
  readonly left_out: readonly LeftOut[]
}

/** The rounds of the search for each level of effort, and those for each lesson of a small school. */
const [ROUNDS, ROUNDS_OF_LESSON] = [4000, 100]
/** The starts that rounds may look at for each level of effort, in a school in which most students get no lesson. */
const LOOKS = 20_000_000
/** The most starts of a lesson that rounds look at: of students who can always come, there are thousands. */
const MAX_STARTS = 400
const STARTS_OF_A_STEP = 100
/** The points that a round may lose at first and at last: half a lesson, and less than a minute of one. */
const [HOT, COLD] = [40, 0.5]
/** The points by which a round errs about a start, so that it does not always choose the same one. */
const ERROR = 5
/** The minutes on either side of a start within which a round may remove an instructor's lessons. */
const REACHES = [30, 90, 180, 720]
/** The probability that a round removes lessons around another start, too. */
const ANOTHER = 0.3

/**
 * Searches for a plan with a high score: removes some lessons and proposes whatever fits then, again and again ("ruin and
 * recreate", Schrimpf et al. 2000, with simulated annealing). The proposed lessons keep all rules together, and nobody who
 * is left out has a free start. The same problem, seed and effort give the same plan.
 */
export function* planWeek(
  problem: PlanProblem,
  { seed, effort }: { readonly seed: number; readonly effort: number },
): Steps<FoundPlan> {
  const board = new PlanBoard(problem)
  const random = randomFrom(seed)
  const asked = yield* askedIn(problem, board, random)
  yield* fill(asked, board)
  let best = { score: board.score, taken: takenIn(asked) }
  const open = asked.filter(({ choices, is_locked }) => choices.length > 0 && !is_locked)
  const rounds = effort * Math.min(ROUNDS, ROUNDS_OF_LESSON * open.length)
  const work = { looked: 0, most: effort * LOOKS }
  for (let round = 0; round < rounds && work.looked < work.most; round += 1) {
    const before = { score: board.score, taken: takenIn(open) }
    yield* fill(open, board, { random, removed: ruin(open, board, random), work })
    const progress = Math.max(round / rounds, work.looked / work.most)
    const allowed = HOT * (COLD / HOT) ** progress * -Math.log(1 - random.next())
    if (board.score < before.score - allowed) restore(before.taken, board)
    else if (board.score > best.score) best = { score: board.score, taken: takenIn(asked) }
  }
  restore(best.taken, board)
  yield* fill(asked, board)
  yield* fillFromAll(asked, board)
  const proposed = problem.asks.flatMap((ask) => board.scoresFor(ask))
  return {
    score: proposed.reduce((sum, { score }) => sum + score, 0),
    proposed,
    left_out: yield* reasonsFor(asked, board, problem),
  }
}

/** Returns a plan of the locked lessons alone, with the reason for each lesson that is missing. */
export function* lockedPlan(problem: PlanProblem): Steps<FoundPlan> {
  const board = new PlanBoard(problem)
  const asked = yield* askedIn(problem, board)
  const proposed = problem.asks.flatMap((ask) => board.scoresFor(ask))
  return { score: board.score, proposed, left_out: yield* reasonsFor(asked, board, problem) }
}

function* askedIn(
  { asks, locked }: PlanProblem,
  board: PlanBoard,
  random?: Random,
): Steps<readonly AskedLesson[]> {
  const asked: AskedLesson[] = []
  for (const ask of asks) {
    const kept = locked.filter((one) => one.ask === ask).length
    for (let nth = 0; nth < ask.lessons; nth += 1) {
      const every = random ? Math.ceil(countStarts(ask, nth) / MAX_STARTS) : 1
      const sample = { every: Math.max(1, every), from: Math.floor((random?.next() ?? 0) * every) }
      const choices = yield* freeStarts(board.startsFor(ask, nth, sample), board)
      asked.push({ ask, nth, choices, is_sample: every > 1, is_locked: nth < kept, taken: undefined })
    }
  }
  for (const one of locked) {
    const lesson = asked.find(({ ask, is_locked, taken }) => ask === one.ask && is_locked && !taken)
    if (lesson) take(lesson, board.choiceOf(one), board)
  }
  return asked
}

function* freeStarts(starts: Iterable<Choice>, board: PlanBoard): Steps<readonly Choice[]> {
  const free: Choice[] = []
  let count = 0
  for (const choice of starts) {
    if (board.hasRoomFor(choice) && !board.obstacleTo(choice)) free.push(choice)
    count += 1
    if (count % STARTS_OF_A_STEP === 0) yield
  }
  return free
}

/** Proposes a start for each lesson that has none among those that the rounds have looked at. */
function* fillFromAll(asked: readonly AskedLesson[], board: PlanBoard): Steps<void> {
  for (const lesson of asked) {
    if (lesson.taken || !lesson.is_sample) continue
    const choices = yield* freeStarts(board.startsFor(lesson.ask, lesson.nth), board)
    take(lesson, bestOf({ ...lesson, choices }, board, { random: undefined, only: undefined }), board)
  }
}

function take(lesson: AskedLesson, choice: Choice | undefined, board: PlanBoard): void {
  if (lesson.taken) board.remove(lesson.taken)
  if (choice) board.add(choice)
  lesson.taken = choice
}

type Taken = ReadonlyMap<AskedLesson, Choice | undefined>

function takenIn(asked: readonly AskedLesson[]): Taken {
  return new Map(asked.map((lesson) => [lesson, lesson.taken]))
}

function restore(taken: Taken, board: PlanBoard): void {
  const changed = [...taken].filter(([lesson, choice]) => lesson.taken !== choice)
  for (const [lesson] of changed) take(lesson, undefined, board)
  for (const [lesson, choice] of changed) take(lesson, choice, board)
}

/** Removes the lessons around some starts that a student has or could have, and maybe the student's others. */
function ruin(open: readonly AskedLesson[], board: PlanBoard, random: Random): Taken {
  const missing = open.filter(({ taken }) => !taken)
  const pivot = random.pick(missing.length > 0 && random.chance(0.5) ? missing : open)
  const spots = [{ choice: pivot.taken ?? random.pick(pivot.choices), reach: random.pick(REACHES) }]
  while (random.chance(ANOTHER)) {
    const { choices } = random.chance(0.5) ? pivot : random.pick(open)
    spots.push({ choice: random.pick(choices), reach: random.pick(REACHES) })
  }
  const withOthers = random.chance(0.5)
  const isRuined = (taken: Choice) =>
    (withOthers && taken.ask === pivot.ask) ||
    spots.some(({ choice: { start, end, calendars }, reach }) => {
      const isNear = taken.start < end + reach && start - reach < taken.end
      return isNear && taken.calendars[0] === calendars[0]
    })
  const removed = takenIn(open.filter(({ taken }) => taken && isRuined(taken)))
  for (const lesson of removed.keys()) take(lesson, undefined, board)
  return removed
}

/** The random source of a round, the lessons it has removed and its work. */
type Round = {
  readonly random: Random
  readonly removed: Taken
  /** Counts the starts that rounds have looked at. */
  readonly work: { looked: number }
}

/** Proposes a start for every lesson that still has one; in a round, in random order, and not always the best start. */
function* fill(asked: readonly AskedLesson[], board: PlanBoard, round?: Round): Steps<void> {
  const removed = [...(round?.removed.values() ?? [])]
  const left = new Set(removed.flatMap((choice) => choice?.calendars ?? []))
  const worthOf = ({ choices: [choice] }: AskedLesson) => (choice ? board.gainOf(choice) : 0)
  const missing = asked
    .filter(({ taken }) => !taken)
    .map((lesson) => ({ lesson, rank: worthOf(lesson) * (0.5 + (round?.random.next() ?? 0)) }))
    .sort((a, b) => b.rank - a.rank)
  for (const { lesson } of missing) {
    // A lesson that was missing before can only have a start where others have left.
    const isEverywhere = !round || round.removed.has(lesson)
    if (round) round.work.looked += lesson.choices.length
    take(
      lesson,
      bestOf(lesson, board, { random: round?.random, only: isEverywhere ? undefined : left }),
      board,
    )
    yield
  }
}

type Choosing = {
  readonly random: Random | undefined
  /** The calendars of which a start must occupy one. */
  readonly only: ReadonlySet<PlanCalendar> | undefined
}

function bestOf({ choices }: AskedLesson, board: PlanBoard, { random, only }: Choosing): Choice | undefined {
  let best: Choice | undefined
  let highest = Number.NEGATIVE_INFINITY
  for (const choice of choices) {
    if (only && !choice.calendars.some((lessons) => only.has(lessons))) continue
    if (!board.hasRoomFor(choice)) continue
    const gain = board.gainOf(choice) + ERROR * (random?.next() ?? 0)
    if (gain > highest && !board.obstacleTo(choice)) [best, highest] = [choice, gain]
  }
  return best
}
