import { linesOf } from '../support/process.ts'
import { type Expected, type Standing, standingOf } from './workload.ts'

type Lesson = Standing & { readonly id: string }

/** The state after a fault: the API's lists, the table, the doctor's findings, and the log. */
export type Found = {
  readonly listed: readonly Lesson[]
  readonly stored: readonly Lesson[]
  readonly doctor: string
  readonly log: string
  readonly secrets: readonly string[]
}

/** Returns the violations with their invariants' numbers; empty if there are none. */
export function faultsIn(known: Expected, found: Found): readonly string[] {
  return [
    ...overlapsBy('instructor_id', found).map((id) => `I1: ${id} overlaps another lesson of its instructor`),
    ...overlapsBy('student_id', found).map((id) => `I2: ${id} overlaps another lesson of its student`),
    ...lost(known, found).map((id) => `I11: ${id} is not as it was acknowledged`),
    ...unacknowledged(known, found).map((id) => `I12: ${id} was never acknowledged`),
    ...known.strange.map((answer) => `I14: an answer was ${answer}`),
    ...unreadableLines(found).map((line) => `I14: a line of the log is no JSON: ${line}`),
    ...found.secrets.filter((secret) => found.log.includes(secret)).map(() => 'I14: the log has a secret'),
    ...(found.doctor === '' ? [] : [`I3 to I10, I15: the doctor says ${found.doctor}`]),
    ...disagreements(found).map((id) => `I16: the API and the table differ in ${id}`),
  ]
}

function overlapsBy(who: 'instructor_id' | 'student_id', { stored }: Found): readonly string[] {
  const freeAt = new Map<string, string>()
  return stored
    .toSorted((a, b) => a.start_at.localeCompare(b.start_at))
    .filter((lesson) => {
      const free = freeAt.get(lesson[who]) ?? ''
      freeAt.set(lesson[who], lesson.end_at > free ? lesson.end_at : free)
      return lesson.start_at < free
    })
    .map(({ id }) => id)
}

function lost({ lessons }: Expected, { stored }: Found): readonly string[] {
  const byId = new Map(stored.map((lesson) => [lesson.id, keyOf(lesson)]))
  return [...lessons].flatMap(([id, states]) =>
    states.map(keyOf).includes(byId.get(id) ?? GONE) ? [] : [id],
  )
}

/** Returns lessons without a successful response. There must be none, because requests without a response were retried. */
function unacknowledged({ lessons }: Expected, { stored }: Found): readonly string[] {
  return stored.map(({ id }) => id).filter((id) => !lessons.has(id))
}

function unreadableLines({ log }: Found): readonly string[] {
  return linesOf(log).filter((line) => {
    try {
      return typeof JSON.parse(line) !== 'object'
    } catch {
      return true
    }
  })
}

function disagreements({ listed, stored }: Found): readonly string[] {
  const [api, table] = [listed, stored].map((rows) => new Map(rows.map((row) => [row.id, keyOf(row)])))
  const ids = new Set([...listed, ...stored].map(({ id }) => id))
  return [...ids].filter((id) => api?.get(id) !== table?.get(id))
}

const GONE = 'gone'

function keyOf(lesson: Standing | undefined): string {
  return lesson ? Object.values(standingOf(lesson)).join(' ') : GONE
}
