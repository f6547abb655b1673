import type { MutationFunctionContext, QueryClient } from '@tanstack/react-query'
import { ask, askFor } from '../session/ask.ts'
import { ApiProblem, type SendOptions } from '../session/send.ts'
import { askOnce, isReplayed } from './ask-once.ts'
import type { Copies, Versioned } from './copies.ts'

/** The client whose copies a write replaces, as `useMutation` passes it. */
export type Writing = Pick<MutationFunctionContext, 'client'>

/** A change of what the reader has seen, and of nothing newer. */
export type Edit<T, Change> = { readonly seen: T; readonly change: Change }

/** A conflict: somebody else has changed the same fields. `current` is the row as it is now. */
export class Stale<T> extends Error {
  readonly current: T

  constructor(current: T) {
    super('stale')
    this.current = current
  }
}

/**
 * Returns the function that creates a resource from a body and resolves to its row; to its current row if an earlier request whose
 * response was lost has created it. It throws `ApiProblem` or `Unreachable`.
 */
export function creating<T extends { readonly id: string }, Body>(copies: Copies<T>) {
  return async (body: Body, { client }: Writing): Promise<T> => {
    const answer = await askOnce(copies.path, body)
    const made: T = await answer.json()
    const row = isReplayed(answer) ? await askFor<T>(`${copies.path}/${made.id}`) : made
    await copies.store(client, row)
    return row
  }
}

/** The parts of the copies that a change needs. */
type Changed<T> = Pick<Copies<T>, 'path' | 'isSingle' | 'store'>

/** Returns the function that changes a resource and resolves to its new row. It throws `Stale`, `ApiProblem` or `Unreachable`. */
export function changing<T extends Versioned, Change>(copies: Changed<T>) {
  return async ({ seen, change }: Edit<T, Change>, { client }: Writing): Promise<T> => {
    const answer = await askUnchanged(client, copies, seen, { method: 'PATCH', body: change })
    const row: T = await answer.json()
    await copies.store(client, row)
    return row
  }
}

/** Returns the function that deletes a resource as it was seen. It throws `Stale`, `ApiProblem` or `Unreachable`. */
export function deleting<T extends Versioned>(copies: Copies<T>) {
  return async (seen: T, { client }: Writing): Promise<void> => {
    await askUnchanged(client, copies, seen, { method: 'DELETE' })
    await copies.drop(client, seen.id)
  }
}

/**
 * Writes to something as it was seen; where somebody else was first, but has left these fields alone, as they have left it.
 * Throws `Stale` where they have not, and what `write` throws.
 */
export async function besideOthers<T extends object, R>(
  seen: T,
  fields: readonly string[],
  write: (seen: T) => Promise<R>,
): Promise<R> {
  try {
    return await write(seen)
  } catch (error) {
    if (!(error instanceof Stale) || !isSameIn(fields, error.current, seen)) throw error
    return write(error.current)
  }
}

/** The fields of a row that people fill in. */
export function fieldsOf(row: object): readonly string[] {
  return Object.keys(row).filter((field) => field !== 'version' && field !== 'updated_at')
}

function isSameIn(fields: readonly string[], one: object, other: object): boolean {
  const of = (row: object) => fields.map((field) => (row as Readonly<Record<string, unknown>>)[field])
  return JSON.stringify(of(one)) === JSON.stringify(of(other))
}

/** The one place that knows of `If-Match`: what somebody else has left is put in place, and thrown as `Stale`. */
async function askUnchanged<T extends Versioned>(
  client: QueryClient,
  { path, isSingle, store }: Changed<T>,
  seen: T,
  options: SendOptions,
): Promise<Response> {
  const address = isSingle ? path : `${path}/${seen.id}`
  try {
    return await ask(address, { ...options, headers: { 'if-match': `"${seen.version}"` } })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.is('stale'))) throw error
    const current = await askFor<T>(address)
    void store(client, current)
    throw new Stale(current)
  }
}
