import { expect } from 'vitest'
import type { Found } from './judge.ts'
import type { Expected } from './workload.ts'

type Falsify = (found: Found, acknowledged: string) => Found

/** The falsified states, each with the number of the invariant that the judge must report. */
const FALSIFIED: readonly (readonly [number: string, what: string, Falsify])[] = [
  ['I1', 'an instructor is booked twice', (found, id) => withCopy(found, id, { student_id: 'another' })],
  ['I2', 'a student is booked twice', (found, id) => withCopy(found, id, { instructor_id: 'another' })],
  ['I11', 'an acknowledged lesson is lost', (found, id) => ({ ...found, stored: without(found.stored, id) })],
  ['I11', 'a move is forgotten', (found, id) => changed(found, id, { start_at: '2031-01-01 00:00' })],
  ['I12', 'a refusal has left a row', (found, id) => withCopy(found, id, { start_at: '2031-01-01 00:00' })],
  ['I14', 'the log is cut off within a line', (found) => ({ ...found, log: `${found.log}{"level":30,"ti` })],
  ['I14', 'a secret is logged', (found) => ({ ...found, log: `{"x":"${found.secrets[0]}"}\n` })],
  ['I3', 'the doctor finds something', (found) => ({ ...found, doctor: '1 fault.' })],
  ['I16', 'the API hides a lesson', (found, id) => ({ ...found, listed: without(found.listed, id) })],
]

/** Returns a matcher for a fault with this invariant's number: `I1` does not match `I11`. */
export function sayingThat(number: string): unknown {
  return expect.stringMatching(new RegExp(`^${number}\\b`))
}

/** Returns the findings falsified in each way, with number and description. Throws if nothing was acknowledged. */
export function falsified(known: Expected, found: Found) {
  // Take a lesson with a single possible state: one whose deletion got no response may be deleted.
  const acknowledged = found.stored.find(({ id }) => known.lessons.get(id)?.length === 1)?.id
  if (acknowledged === undefined) throw new Error('no lesson was acknowledged, so nothing can be shown')
  return FALSIFIED.map(([number, what, falsify]) => ({ number, what, found: falsify(found, acknowledged) }))
}

function withCopy(found: Found, id: string, change: object): Found {
  const copies = found.stored.filter((lesson) => lesson.id === id)
  return {
    ...found,
    stored: [...found.stored, ...copies.map((copy) => ({ ...copy, id: 'a copy', ...change }))],
  }
}

function changed(found: Found, id: string, change: object): Found {
  return { ...found, stored: found.stored.map((row) => (row.id === id ? { ...row, ...change } : row)) }
}

function without<T extends { readonly id: string }>(rows: readonly T[], id: string): readonly T[] {
  return rows.filter((row) => row.id !== id)
}
