import type { Plan, PlannedLesson } from '../../contract/plan.ts'

export type MovedProposal = { readonly from: PlannedLesson; readonly to: PlannedLesson }

/** The differences between two states of a plan. */
export type PlanChanges = {
  readonly added: readonly PlannedLesson[]
  readonly removed: readonly PlannedLesson[]
  readonly moved: readonly MovedProposal[]
  readonly figures: readonly FigureChange[]
}

/** A figure of a plan with its difference to the state before. */
export type FigureChange = {
  readonly name: 'lessons' | 'minutes' | 'leftOut' | 'score'
  readonly now: number
  readonly more: number
}

type State = Pick<Plan, 'proposed' | 'left_out' | 'figures'>

/**
 * Compares two states of a plan. A student who has as many lessons as before, but others, has them moved: planning again
 * gives new ids to lessons that it finds again.
 */
export function planChangesBetween(before: State, after: State): PlanChanges {
  const known = new Set(before.proposed.map(placeOf))
  const kept = new Set(after.proposed.map(placeOf).filter((place) => known.has(place)))
  const isChanged = (one: PlannedLesson) => !kept.has(placeOf(one))
  const gone = Map.groupBy(before.proposed.filter(isChanged), ({ student_id }) => student_id)
  const added: PlannedLesson[] = []
  const moved: MovedProposal[] = []
  for (const to of after.proposed.filter(isChanged)) {
    const own = gone.get(to.student_id) ?? []
    const from = own.find(({ id }) => id === to.id) ?? own[0]
    if (from) moved.push({ from, to })
    else added.push(to)
    gone.set(
      to.student_id,
      own.filter((one) => one !== from),
    )
  }
  return { added, moved, removed: [...gone.values()].flat(), figures: figuresBetween(before, after) }
}

function placeOf({ student_id, instructor_id, start_at, end_at }: PlannedLesson): string {
  return [student_id, instructor_id, start_at, end_at].join()
}

function figuresBetween(before: State, after: State): readonly FigureChange[] {
  const figuresOf = ({ figures: { lessons, minutes, score }, left_out }: State) => ({
    lessons,
    minutes,
    leftOut: left_out.filter(({ reason }) => reason.code !== 'enough_booked').length,
    score: Math.round(score),
  })
  const [earlier, now] = [figuresOf(before), figuresOf(after)]
  return (['lessons', 'minutes', 'leftOut', 'score'] as const).map((name) => ({
    name,
    now: now[name],
    more: now[name] - earlier[name],
  }))
}
